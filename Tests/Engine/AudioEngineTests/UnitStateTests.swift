import AudioCore
import AudioEngine
import BuiltInUnits
import Testing
import UnitTestSupport

/// The life cycle of a unit, and what each state allows.
@Suite struct UnitStateTests {
  static let components = ComponentRegistry.builtIn.components.filter(Configuration.isBuilt)

  /// A unit that can be initialized.
  private func unit(_ component: Component) throws -> Unit {
    let unit = component.make()
    if let player = unit as? FilePlayer { try player.open(SoundFiles.stereo) }
    // Some need a format first.
    try unit.setStreamFormat(try unit.streamFormat(.output), .output)
    return unit
  }

  // MARK: The table of 1.1

  @Test(
    "a different stream format is taken while open, −10865 while initialized; the same one always",
    arguments: components)
  func streamFormat(_ component: Component) throws {
    let unit = try unit(component)
    let present = try unit.streamFormat(.output)
    let other = present.at(sampleRate: 32_000)
    #expect(setting(unit, .streamFormat, .output, to: .streamFormat(other)) == 0)
    #expect(try unit.streamFormat(.output) == other)
    for scope in [Scope.input, .output] {
      for bus in 0..<unit.elementCount(scope) {
        let format = try unit.streamFormat(scope, element: bus)
        try unit.setStreamFormat(format.at(sampleRate: 32_000), scope, element: bus)
      }
    }
    try unit.initialize()
    #expect(setting(unit, .streamFormat, .output, to: .streamFormat(present)) == -10865)
    #expect(setting(unit, .sampleRate, .output, to: .float64(44_100)) == -10865)
    #expect(setting(unit, .streamFormat, .output, to: .streamFormat(other)) == 0)
    #expect(setting(unit, .sampleRate, .output, to: .float64(32_000)) == 0)
    #expect(try unit.streamFormat(.output) == other)
    unit.uninitialize()
    #expect(setting(unit, .streamFormat, .output, to: .streamFormat(present)) == 0)
  }

  @Test(
    "a preset is one of the factory's, or −1 as in a new unit; any other number is refused, and what was selected stays",
    arguments: [Int32.min, -1000, -5, -2, -1, 0, 12, 13, .max])
  func presetNumbers(_ number: Int32) throws {
    for unit in [Reverb(), Distortion()] as [Unit] {
      let last: Int32 = unit is Reverb ? 12 : 21
      try unit.select(preset: 1)
      let status = setting(unit, .presentPreset, .global, to: .preset(Preset(number: number, name: "")))
      #expect((status == 0) == (-1...last).contains(number))
      guard case .preset(let selected) = try unit.property(.presentPreset) else {
        Issue.record("no preset")
        continue
      }
      #expect(selected.number == ((-1...last).contains(number) ? number : 1))
    }
  }

  @Test("an input that a connection feeds refuses another format, in both states, and takes its own")
  func connectedInput() throws {
    let unit = LowPassFilter()
    let format = StreamFormat(sampleRate: 48_000, channelCount: 1)
    try unit.connectInput(0, format: format)
    try unit.setStreamFormat(format, .output)
    #expect(try unit.streamFormat(.input) == format)
    #expect(setting(unit, .streamFormat, .input, to: .streamFormat(.initial)) == -10865)
    #expect(setting(unit, .streamFormat, .input, to: .streamFormat(format)) == 0)
    try unit.initialize()
    #expect(setting(unit, .streamFormat, .input, to: .streamFormat(.initial)) == -10865)
    unit.uninitialize()
    // A callback replaces the connection.
    try unit.setRenderCallback(Source(noise(frames: 10)).callback, input: 0)
    #expect(setting(unit, .streamFormat, .input, to: .streamFormat(.initial)) == 0)
  }

  @Test("a connection with a format that the unit refuses is not made, and the format stays")
  func refusedConnection() throws {
    let unit = IPodEQ()
    let six = StreamFormat(sampleRate: 44_100, channelCount: 6)
    #expect(status { () throws(AudioStatus) in try unit.connectInput(0, format: six) } == .formatNotSupported)
    #expect(try unit.streamFormat(.input) == .initial)
    #expect(
      setting(unit, .streamFormat, .input, to: .streamFormat(StreamFormat(sampleRate: 8000, channelCount: 1))) == 0)
  }

  @Test(
    "the number of elements is fixed (−10865) but for a mixer's inputs (−10849 while initialized)",
    arguments: components)
  func elementCount(_ component: Component) throws {
    let unit = try unit(component)
    for isInitialized in [false, true] {
      if isInitialized { try unit.initialize() }
      for scope in [Scope.global, .input, .output] {
        let count = unit.elementCount(scope)
        #expect(try unit.property(.elementCount, scope) == .uint32(UInt32(count)))
        let answer = setting(unit, .elementCount, scope, to: .uint32(UInt32(count + 1)))
        let mayBeSet = unit.elementCountRange(scope).count > 1
        if mayBeSet {
          #expect(answer == (isInitialized ? -10849 : 0))
        } else {
          #expect(answer == -10865)
          #expect(unit.elementCount(scope) == count)
        }
      }
    }
    #expect(unit.elementCount(.global) == 1 && unit.elementCount(.group) == 0)
  }

  @Test("a mixer has 8 inputs, takes up to 65536, before initialization none too, and new ones are as new")
  func mixerElements() throws {
    let unit = MultichannelMixer()
    #expect(unit.elementCount(.input) == 8 && unit.elementCount(.output) == 1)
    for refused in [65_537, UInt32.max] {
      #expect(setting(unit, .elementCount, .input, to: .uint32(refused)) == -10851)
    }
    #expect(setting(unit, .elementCount, .input, to: .uint32(0)) == 0)
    #expect(unit.elementCount(.input) == 0)
    #expect(setting(unit, .elementCount, .input, to: .uint32(65_536)) == 0)
    #expect(unit.elementCount(.input) == 65_536)
    #expect(setting(unit, .elementCount, .input, to: .uint32(3)) == 0)
    try unit.setVolume(0.5, input: 1)
    try unit.setStreamFormat(StreamFormat(sampleRate: 8000, channelCount: 1), .input, element: 2)
    #expect(setting(unit, .elementCount, .input, to: .uint32(2)) == 0)
    #expect(setting(unit, .elementCount, .input, to: .uint32(4)) == 0)
    #expect(try unit.streamFormat(.input, element: 2) == .initial)
    let volumes = try (0..<4).map { try unit.parameter(ParameterAddress(0, scope: .input, element: $0)) }
    #expect(volumes == [1, 0.5, 1, 1])
  }

  @Test("the longest slice is settable while open only, and only to 1 and more", arguments: components)
  func maximumFrames(_ component: Component) throws {
    let unit = try unit(component)
    // Defaults: the SDK's 1156, and 4096 for what drives a graph.
    #expect(unit.maximumFramesPerSlice == (unit is GenericOutput ? 4096 : 1156))
    #expect(setting(unit, .maximumFramesPerSlice, to: .uint32(0)) == -10851)
    #expect(setting(unit, .maximumFramesPerSlice, to: .uint32(UInt32.max)) == -10851)
    #expect(setting(unit, .maximumFramesPerSlice, to: .uint32(1024)) == 0)
    try unit.initialize()
    #expect(setting(unit, .maximumFramesPerSlice, to: .uint32(512)) == -10849)
    #expect(try unit.property(.maximumFramesPerSlice) == .uint32(1024))
    #expect(setting(unit, .parameterSmoothing, to: .uint32(512)) == -10849)
  }

  @Test("bypass, presets, parameters and callbacks are settable while initialized")
  func settableWhileInitialized() throws {
    let unit = try fed(IPodEQ(), noise(frames: 100))
    #expect(setting(unit, .presentPreset, to: .preset(Preset(number: 3, name: ""))) == 0)
    #expect(try unit.property(.presentPreset) == .preset(Preset(number: 3, name: "Bass Reducer")))
    let filter = try fed(LowPassFilter(), noise(frames: 100))
    #expect(setting(filter, .bypassEffect, to: .uint32(1)) == 0)
    #expect(try filter.property(.bypassEffect) == .uint32(1))
    try filter.setParameter(ParameterAddress(0), to: 100)
    try filter.setRenderCallback(nil, input: 0)
  }

  @Test("a bypassed filter passes its input unchanged, and starts from rest when bypass ends")
  func bypass() throws {
    let signal = noise(2, frames: 3000)
    let unit = try fed(LowPassFilter(), signal)
    unit.setBypass(true)
    let passed = try renderedSignal(unit, total: 1000)
    #expect(passed == signal.map { Array($0[0..<1000]) })
    unit.setBypass(false)
    let filtered = try renderedSignal(unit, total: 1000, from: 1000)
    let fresh = try renderedSignal(try fed(LowPassFilter(), signal), total: 1000, from: 1000)
    #expect(filtered == fresh && filtered != signal.map { Array($0[1000..<2000]) })
  }

  @Test("initialize is harmless when repeated, and so is uninitialize", arguments: components)
  func repeated(_ component: Component) throws {
    let unit = try unit(component)
    try unit.initialize()
    let node = unit.node
    try unit.initialize()
    #expect(unit.isInitialized && unit.node === node)
    unit.uninitialize()
    unit.uninitialize()
    unit.reset()
    #expect(!unit.isInitialized && unit.node == nil)
  }

  // MARK: Formats

  @Test("a refused format leaves the former one", arguments: components)
  func refusalKeepsFormat(_ component: Component) throws {
    let unit = try unit(component)
    let before = try unit.streamFormat(.output)
    let refused = [
      StreamFormat(sampleRate: 0, channelCount: 2), StreamFormat(sampleRate: .nan, channelCount: 2),
      StreamFormat(sampleRate: 3_000_001, channelCount: 2), StreamFormat(sampleRate: -1, channelCount: 2),
      StreamFormat(sampleRate: 44_100, channelCount: 0), StreamFormat(sampleRate: 44_100, channelCount: 1025),
      StreamFormat(sampleRate: 44_100, channelCount: 2, encoding: SampleEncoding(kind: .float, bits: 16)),
    ]
    for format in refused {
      #expect(setting(unit, .streamFormat, .output, to: .streamFormat(format)) == -10868)
      #expect(try unit.streamFormat(.output) == before)
    }
    #expect(setting(unit, .streamFormat, .output, to: .uint32(1)) == -10851)
    let takesAnything =
      unit is FormatConverterUnit || unit is GenericOutput || unit is MultichannelMixer || unit is MatrixMixer
      || unit is SpatialMixer
    for encoding in [SampleEncoding.int16, .float64, .float32.bigEndian, .fixed8_24] {
      let format = StreamFormat(sampleRate: 44_100, channelCount: 2, encoding: encoding)
      #expect(setting(unit, .streamFormat, .output, to: .streamFormat(format)) == (takesAnything ? 0 : -10868))
    }
    let interleaved = StreamFormat(sampleRate: 44_100, channelCount: 2, isInterleaved: true)
    #expect(setting(unit, .streamFormat, .output, to: .streamFormat(interleaved)) == (takesAnything ? 0 : -10868))
    #expect(try takesAnything || unit.streamFormat(.output) == before)
  }

  @Test("formats that do not fit one another fail at initialize with −10868", arguments: components)
  func mismatch(_ component: Component) throws {
    let unit = try unit(component)
    try unit.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: 1), .output)
    // Mixers, converters and generators take any number of channels on both sides; all others want the same on both.
    let independent =
      unit is MultichannelMixer || unit is FormatConverterUnit || unit is GenericOutput || unit is GeneratorUnit
      || unit is MatrixMixer || unit is SpatialMixer
    let answer = status { () throws(AudioStatus) in try unit.initialize() }
    #expect(answer.rawValue == (independent ? 0 : -10868))
    #expect(unit.isInitialized == independent)
  }

  @Test("the sample rate of the global scope is that of output 0")
  func globalRate() throws {
    let unit = FormatConverterUnit()
    #expect(setting(unit, .sampleRate, to: .float64(96_000)) == 0)
    #expect(try unit.streamFormat(.output).sampleRate == 96_000)
    #expect(try unit.streamFormat(.input).sampleRate == 44_100)
    #expect(try unit.property(.sampleRate) == .float64(96_000))
  }

  // MARK: The order of checks, 1.2

  @Test("checks come in order: unknown property, wrong scope, wrong element, then the value", arguments: components)
  func order(_ component: Component) throws {
    let unit = try unit(component)
    let unknown = PropertyID(63_999)
    #expect(getting(unit, unknown, .group, element: 99) == -10879)
    #expect(setting(unit, unknown, .group, element: 99, to: .uint32(0)) == -10879)
    #expect(getting(unit, .maximumFramesPerSlice, .input, element: 99) == -10866)
    #expect(setting(unit, .maximumFramesPerSlice, .input, element: 99, to: .text("")) == -10866)
    #expect(getting(unit, .maximumFramesPerSlice, .global, element: 1) == -10877)
    #expect(setting(unit, .maximumFramesPerSlice, .global, element: -1, to: .text("")) == -10877)
    #expect(setting(unit, .maximumFramesPerSlice, to: .text("")) == -10851)
    #expect(getting(unit, .streamFormat, .group) == -10866)
    #expect(getting(unit, .streamFormat, .output, element: unit.elementCount(.output)) == -10877)
    #expect(setting(unit, .latency, to: .float64(1)) == -10865)
    // Element is not validated for these.
    #expect(getting(unit, .elementCount, .global, element: 5) == 0)
    #expect(getting(unit, .parameterList, .global, element: 5) == 0)
  }

  // MARK: Parameters

  @Test("NaN and infinity are −66743, and the value stays", arguments: components)
  func notANumber(_ component: Component) throws {
    let unit = component.make()
    for (address, row) in unit.allParameters where !row.isReadOnly {
      let before = try unit.parameter(address)
      for value in [Float.nan, .infinity, -.infinity] {
        #expect(
          status { () throws(AudioStatus) in try unit.setParameter(address, to: value) }.rawValue == -66743)
      }
      #expect(try unit.parameter(address) == before)
    }
  }

  @Test("a parameter on a bus, scope or number that is not there says which", arguments: [MultichannelMixer()])
  func missingParameters(_ unit: MultichannelMixer) throws {
    func answer(_ id: UInt32, _ scope: Scope, _ element: Int) -> Int32 {
      status { () throws(AudioStatus) in
        try unit.setParameter(ParameterAddress(id, scope: scope, element: element), to: 0.5)
      }
      .rawValue
    }
    #expect(answer(0, .input, 8) == -10877)
    #expect(answer(0, .input, -1) == -10877)
    #expect(answer(0, .output, 1) == -10877)
    #expect(answer(99, .input, 0) == -10878)
    #expect(answer(2, .output, 0) == -10866)
    #expect(answer(0, .group, 0) == -10866)
    #expect(answer(1000, .input, 0) == -10878, "a meter is read only")
    #expect(answer(0, .input, 7) == 0)
  }

  @Test("values outside the range are kept as given")
  func outsideRange() throws {
    let unit = MultichannelMixer()
    for value: Float in [-3, 17, 1e30] {
      try unit.setVolume(value, input: 0)
      #expect(try unit.parameter(ParameterAddress(0, scope: .input, element: 0)) == value)
    }
  }

  @Test("parameters persist over initialize, reset and uninitialize", arguments: components)
  func persistence(_ component: Component) throws {
    let unit = try unit(component)
    let writable = unit.allParameters.filter { !$0.descriptor.isReadOnly }
    func values() throws -> [Float] { try writable.map { try unit.parameter($0.address) } }
    for (index, row) in writable.enumerated() {
      try unit.setParameter(row.address, to: row.descriptor.minimum + Float(index % 2) * 0.25)
    }
    let expected = try values()
    try unit.initialize()
    #expect(try values() == expected)
    unit.reset()
    #expect(try values() == expected)
    unit.uninitialize()
    #expect(try values() == expected)
    #expect(expected.count == writable.count)
  }

  @Test("a timeline is taken while open only, for parameters that exist and can be written")
  func timelines() throws {
    let unit = MultichannelMixer(inputs: 1)
    let line = ParameterTimeline.through((0, 0), (10, 1))
    func answer(_ id: UInt32, _ scope: Scope) -> AudioStatus {
      status { () throws(AudioStatus) in try unit.setTimeline(line, for: ParameterAddress(id, scope: scope)) }
    }
    #expect(answer(0, .input) == .noError)
    #expect(answer(99, .input) == .invalidParameter)
    #expect(answer(1000, .input) == .invalidParameter)
    try unit.initialize()
    #expect(answer(0, .input) == .initialized)
    #expect(ParameterTimeline([]) == nil)
    #expect(ParameterTimeline([.init(frame: -1, value: 0)]) == nil)
    #expect(ParameterTimeline([.init(frame: 5, value: 0), .init(frame: 4, value: 0)]) == nil)
    #expect(ParameterTimeline([.init(frame: 5, value: .nan)]) == nil)
  }
}
