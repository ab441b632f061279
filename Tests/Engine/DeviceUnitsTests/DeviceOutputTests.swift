import AudioCore
import AudioEngine
import BuiltInUnits
import CAllocationCounter
import DeviceUnits
import Hardware
import Testing
import TestSupport
import UnitTestSupport

/// The units that play to the simulated hardware.
@Suite struct DeviceOutputTests {
  static let kinds = DeviceOutput.Kind.allCases
  static let withInput = kinds.filter(\.hasInput)

  static func hardware(
    frames: Int? = nil, of bufferFrames: Int = 64, wave: String? = nil
  ) -> SimulatedHardware {
    var configuration = DeviceConfiguration()
    configuration.sampleRate = 48_000
    configuration.clock = .free
    configuration.bufferFrames = bufferFrames
    configuration.seconds = frames.map { Double($0) / configuration.sampleRate }
    configuration.wavePath = wave
    return SimulatedHardware(configuration)
  }

  private func unit(_ kind: DeviceOutput.Kind = .remoteIO) -> DeviceOutput {
    DeviceOutput(kind, hardware: Self.hardware())
  }

  private func setting(
    _ unit: DeviceOutput, _ id: PropertyID, _ scope: Scope = .global, _ element: Int = 0, to value: PropertyValue
  ) -> Int32 {
    status { () throws(AudioStatus) in try unit.setProperty(id, scope, element: element, to: value) }.rawValue
  }

  private func getting(_ unit: DeviceOutput, _ id: PropertyID, _ scope: Scope = .global, _ element: Int = 0) -> Int32 {
    status { () throws(AudioStatus) in _ = try unit.property(id, scope, element: element) }.rawValue
  }

  /// The channels of an interleaved Float32 slice of output 0.
  private func played(_ unit: DeviceOutput, at time: Int64 = 0, frames: Int) throws -> Signal {
    let bus = try unit.render(output: 0, sampleTime: time, frames: frames)
    let samples = bus.buffers[0].assumingMemoryBound(to: Float.self)
    return (0..<2).map { channel in (0..<frames).map { samples[2 * $0 + channel] } }
  }

  // MARK: Identity and tables

  @Test("the five are found by their codes, apart from the units that a graph file knows")
  func components() throws {
    #expect(
      ComponentRegistry.devices.components.map(\.description.description) == [
        "auou def  appl", "auou sys  appl", "auou ahal appl", "auou rioc appl", "auou vpio appl",
      ])
    let known = Set(ComponentRegistry.builtIn.components.map(\.shortName))
    for component in ComponentRegistry.devices.components {
      #expect(!known.contains(component.shortName))
      let unit = component.make()
      #expect(unit.component.description == component.description)
      #expect(unit.elementCount(.input) == 2 && unit.elementCount(.output) == 2)
      #expect(unit.maximumFramesPerSlice == 4096)
    }
  }

  @Test("every property reads where it applies; ids and names are unique", arguments: kinds)
  func tables(_ kind: DeviceOutput.Kind) {
    let unit = unit(kind)
    #expect(Set(unit.properties.map(\.id)).count == unit.properties.count)
    #expect(Set(unit.properties.map(\.name)).count == unit.properties.count)
    for row in unit.properties where row.get != nil {
      let answers = row.scopes.flatMap { scope in
        (0..<unit.elementCount(scope)).map { getting(unit, row.id, scope, $0) }
      }
      #expect(answers.contains(0) || row.id == .tailTime || row.id == .factoryPresets, "\(row.name)")
    }
  }

  @Test("volume is a linear gain of 0 to 1, on the units of the desktop only", arguments: kinds)
  func volumeTable(_ kind: DeviceOutput.Kind) throws {
    let rows = unit(kind).allParameters
    guard kind != .remoteIO, kind != .voiceProcessing else {
      #expect(rows.isEmpty)
      return
    }
    #expect(rows.count == 1 && rows[0].address == ParameterAddress(14))
    #expect(rows[0].descriptor.unit == .linearGain && rows[0].descriptor.initial == 1)
    #expect(rows[0].descriptor.minimum == 0 && rows[0].descriptor.maximum == 1)
  }

  // MARK: Formats

  @Test("the device's side has the hardware's format, and no other can be set", arguments: kinds)
  func hardwareFormats(_ kind: DeviceOutput.Kind) throws {
    let unit = unit(kind)
    let format = StreamFormat(sampleRate: 48_000, channelCount: 2, isInterleaved: true)
    for (scope, element) in [(Scope.output, 0), (.input, 1)] {
      #expect(try unit.streamFormat(scope, element: element) == format)
      #expect(setting(unit, .streamFormat, scope, element, to: .streamFormat(format)) == 0)
      #expect(setting(unit, .streamFormat, scope, element, to: .streamFormat(.initial)) == -10865)
      #expect(setting(unit, .sampleRate, scope, element, to: .float64(44_100)) == -10865)
    }
    #expect(setting(unit, .streamFormat, .global, to: .streamFormat(.initial)) == -10865)
  }

  @Test("the app's side starts with the hardware's rate, and takes any PCM format while open", arguments: kinds)
  func appFormats(_ kind: DeviceOutput.Kind) throws {
    let unit = unit(kind)
    let wanted = StreamFormat(sampleRate: 44_100, channelCount: 1, encoding: .int16, isInterleaved: true)
    for (scope, element) in [(Scope.input, 0), (.output, 1)] {
      #expect(
        try unit.streamFormat(scope, element: element) == StreamFormat(sampleRate: 48_000, channelCount: 2))
      #expect(setting(unit, .streamFormat, scope, element, to: .streamFormat(wanted)) == 0)
    }
    try unit.initialize()
    for (scope, element) in [(Scope.input, 0), (.output, 1)] {
      #expect(setting(unit, .streamFormat, scope, element, to: .streamFormat(wanted)) == 0)
      #expect(setting(unit, .streamFormat, scope, element, to: .streamFormat(.initial)) == -10865)
    }
  }

  @Test("a unit follows the hardware's rate until it is initialized")
  func newRate() throws {
    let hardware = Self.hardware()
    let unit = DeviceOutput(.hal, hardware: hardware)
    try hardware.setSampleRate(96_000)
    #expect(setting(unit, .currentDevice, to: .uint32(SimulatedHardware.deviceID)) == 0)
    #expect(try unit.streamFormat(.output).sampleRate == 96_000)
    try unit.initialize()
    try hardware.setSampleRate(44_100)
    unit.adoptHardware()
    #expect(try unit.streamFormat(.output).sampleRate == 96_000)
    unit.uninitialize()
    try unit.initialize()
    #expect(try unit.streamFormat(.output).sampleRate == 44_100)
  }

  // MARK: Properties

  @Test("output is on and input is off; both can be switched only while the unit is open", arguments: withInput)
  func enableIO(_ kind: DeviceOutput.Kind) throws {
    let unit = unit(kind)
    #expect(try unit.property(.enableIO, .output, element: 0) == .uint32(1))
    #expect(try unit.property(.enableIO, .input, element: 1) == .uint32(0))
    #expect(getting(unit, .enableIO, .output, 1) == -10877 && getting(unit, .enableIO, .input, 0) == -10877)
    #expect(getting(unit, .enableIO) == -10866)
    #expect(setting(unit, .enableIO, .input, 1, to: .uint32(1)) == 0)
    #expect(setting(unit, .enableIO, .output, 0, to: .uint32(0)) == 0)
    #expect(try unit.property(.enableIO, .input, element: 1) == .uint32(1))
    #expect(try unit.property(.enableIO, .output, element: 0) == .uint32(0))
    try unit.initialize()
    #expect(setting(unit, .enableIO, .input, 1, to: .uint32(0)) == -10849)
    #expect(setting(unit, .enableIO, .input, 1, to: .uint32(1)) == 0)
    #expect(try unit.property(.hasIO, .input, element: 1) == .uint32(1))
    #expect(try unit.property(.hasIO, .output, element: 0) == .uint32(1))
  }

  @Test(
    "the default and the system output have no input to switch on",
    arguments: [DeviceOutput.Kind.defaultOutput, .systemOutput])
  func outputOnly(_ kind: DeviceOutput.Kind) throws {
    let unit = unit(kind)
    #expect(try unit.property(.hasIO, .input, element: 1) == .uint32(0))
    #expect(setting(unit, .enableIO, .input, 1, to: .uint32(0)) == 0)
    #expect(setting(unit, .enableIO, .input, 1, to: .uint32(1)) == -10865)
  }

  @Test("the current device is the simulated one, where a unit speaks of devices", arguments: kinds)
  func currentDevice(_ kind: DeviceOutput.Kind) throws {
    let unit = unit(kind)
    guard kind != .remoteIO else {
      #expect(getting(unit, .currentDevice) == -10879)
      return
    }
    #expect(try unit.property(.currentDevice) == .uint32(SimulatedHardware.deviceID))
    #expect(setting(unit, .currentDevice, to: .uint32(SimulatedHardware.deviceID)) == 0)
    #expect(setting(unit, .currentDevice, to: .uint32(0)) == 0)
    #expect(setting(unit, .currentDevice, to: .uint32(77)) == -10851)
  }

  @Test("the desktop units pass the device's buffer size on")
  func bufferSize() throws {
    let unit = unit(.hal)
    #expect(try unit.property(.bufferFrameSize) == .uint32(64))
    #expect(setting(unit, .bufferFrameSize, to: .uint32(256)) == 0)
    #expect(unit.hardware.configuration.bufferFrames == 256)
    #expect(setting(unit, .bufferFrameSize, to: .uint32(1)) == -10851)
    #expect(try unit.property(.bufferFrameSizeRange) == .float64s([16, 4096]))
  }

  @Test("the voice processor keeps what is set, from the published defaults on")
  func voiceProperties() throws {
    let unit = unit(.voiceProcessing)
    let defaults: [(PropertyID, UInt32)] = [
      (.bypassVoiceProcessing, 0), (.voiceProcessingEnableAGC, 1), (.duckNonVoiceAudio, 1), (.muteOutput, 0),
    ]
    for (id, value) in defaults {
      #expect(try unit.property(id) == .uint32(value))
      #expect(setting(unit, id, to: .uint32(1 - value)) == 0)
      #expect(try unit.property(id) == .uint32(1 - value))
      #expect(setting(unit, id, to: .uint32(2)) == -10851)
      #expect(getting(self.unit(.remoteIO), id) == -10879)
    }
    #expect(setting(unit, .voiceProcessingQuality, to: .uint32(127)) == 0)
    #expect(setting(unit, .voiceProcessingQuality, to: .uint32(128)) == -10851)
    #expect(try unit.property(.otherAudioDuckingConfiguration) == .int32s([0, 0]))
    #expect(setting(unit, .otherAudioDuckingConfiguration, to: .int32s([1, 30])) == 0)
    #expect(setting(unit, .otherAudioDuckingConfiguration, to: .int32s([1, 5])) == -10851)
    #expect(try unit.property(.otherAudioDuckingConfiguration) == .int32s([1, 30]))
  }

  // MARK: Playing

  @Test("what the app supplies in the hardware's rate is played bit by bit", arguments: kinds)
  func exact(_ kind: DeviceOutput.Kind) throws {
    let signal = noise(2, frames: 300)
    let unit = unit(kind)
    try unit.setRenderCallback(Source(signal, sampleRate: 48_000).callback, input: 0)
    try unit.initialize()
    let slices = try [(0, 100), (100, 200)].map { try played(unit, at: Int64($0.0), frames: $0.1) }
    #expect((0..<2).map { slices[0][$0] + slices[1][$0] } == signal)
  }

  @Test("16-bit frames of an app become n ÷ 32768, mono on every channel")
  func mono() throws {
    let unit = unit()
    let format = StreamFormat(sampleRate: 48_000, channelCount: 1, encoding: .int16, isInterleaved: true)
    let values: [Int16] = [0, 1, -1, 16_384, -32_768, 32_767]
    try unit.setStreamFormat(format, .input)
    try unit.setRenderCallback(
      RenderCallback { _, _, frames, buffer in
        for frame in 0..<frames { buffer.buffers[0].assumingMemoryBound(to: Int16.self)[frame] = values[frame] }
        return .noError
      }, input: 0)
    try unit.initialize()
    let expected = values.map { Float($0) / 32_768 }
    #expect(try played(unit, frames: values.count) == [expected, expected])
  }

  @Test("another rate is converted as the generic output converts it")
  func rate() throws {
    let signal = noise(2, frames: 2000)
    let unit = unit(.hal)
    try unit.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: 2), .input)
    try unit.setRenderCallback(Source(signal).callback, input: 0)
    try unit.initialize()
    let generic = GenericOutput()
    try generic.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: 2), .output)
    try generic.setRenderCallback(Source(signal).callback, input: 0)
    try generic.initialize()
    let bus = try generic.render(sampleTime: 0, frames: 1500)
    let expected = (0..<2).map { Array(bus.planes[$0].prefix(1500).elements) }
    #expect(try played(unit, frames: 1500) == expected)
  }

  @Test("the volume scales what is played, from the slice on that follows", arguments: kinds.filter(\.hasVolume))
  func volume(_ kind: DeviceOutput.Kind) throws {
    let signal = noise(2, frames: 64)
    let unit = unit(kind)
    try unit.setRenderCallback(Source(signal, sampleRate: 48_000).callback, input: 0)
    try unit.initialize()
    try unit.setParameter(ParameterAddress(14), to: 0.25)
    #expect(try played(unit, frames: 64) == signal.map { $0.map { $0 * 0.25 } })
  }

  @Test("a channel map leads the app's channels to the device's")
  func channelMap() throws {
    let signal = noise(3, frames: 32)
    let unit = unit(.hal)
    try unit.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: 3), .input)
    #expect(try unit.property(.channelMap, .output) == .int32s([0, 1]))
    #expect(setting(unit, .channelMap, .output, to: .int32s([2, -1])) == 0)
    #expect(setting(unit, .channelMap, .output, to: .int32s([2])) == -10851)
    #expect(setting(unit, .channelMap, .output, to: .int32s([-2, 0])) == -10851)
    #expect(try unit.property(.channelMap, .input) == .int32s([2, -1]))
    try unit.setRenderCallback(Source(signal, sampleRate: 48_000).callback, input: 0)
    try unit.initialize()
    #expect(try played(unit, frames: 32) == [signal[2], Array(repeating: 0, count: 32)])
    #expect(setting(unit, .channelMap, .output, to: .int32s([0, 1])) == -10849)
    unit.uninitialize()
    #expect(setting(unit, .channelMap, .output, to: .int32s([0, 3])) == 0)
    #expect(status { () throws(AudioStatus) in try unit.initialize() } == .formatNotSupported)
    #expect(unit.renderFailure?.message.contains("3 to 2 channels") == true)
  }

  @Test("without a source, or with the output switched off, there is nothing to render: −10876")
  func noSource() throws {
    let unit = unit()
    try unit.initialize()
    #expect(status { () throws(AudioStatus) in _ = try unit.render(sampleTime: 0, frames: 8) } == .noConnection)
    unit.uninitialize()
    try unit.setProperty(.enableIO, .output, element: 0, to: .uint32(0))
    try unit.setRenderCallback(Source(noise(2, frames: 8), sampleRate: 48_000).callback, input: 0)
    try unit.initialize()
    #expect(status { () throws(AudioStatus) in _ = try unit.render(sampleTime: 0, frames: 8) } == .noConnection)
  }

  @Test(
    "after its first slice neither element allocates in a render call",
    .enabled(if: isRelease, "counts hold in release builds only"))
  func allocations() throws {
    let unit = unit(.hal)
    let format = StreamFormat(sampleRate: 44_100, channelCount: 3, encoding: .int16, isInterleaved: true)
    try unit.setStreamFormat(format, .input)
    try unit.setStreamFormat(format, .output, element: 1)
    try unit.setProperty(.channelMap, .output, to: .int32s([2, 0]))
    try unit.setProperty(.enableIO, .input, element: 1, to: .uint32(1))
    try unit.setParameter(ParameterAddress(14), to: 0.5)
    try unit.setRenderCallback(Source(noise(3, frames: 9000), format: format).callback, input: 0)
    try unit.initialize()
    for slice in 0..<20 {
      allocation_counter_start()
      let isPlayed = (try? unit.render(output: 0, sampleTime: Int64(slice * 300), frames: 300)) != nil
      let isRecorded = (try? unit.render(output: 1, sampleTime: Int64(slice * 300), frames: 300)) != nil
      let count = allocation_counter_stop()
      #expect(isPlayed && isRecorded)
      #expect(slice == 0 || count == 0, "\(count) allocations in slice \(slice)")
    }
  }

  // MARK: Recording

  @Test("output 1 gives silence in the app's format, and pulls nothing from input 0", arguments: withInput)
  func silence(_ kind: DeviceOutput.Kind) throws {
    let unit = unit(kind)
    let source = Source(noise(2, frames: 64), sampleRate: 48_000)
    try unit.setRenderCallback(source.callback, input: 0)
    try unit.setStreamFormat(
      StreamFormat(sampleRate: 44_100, channelCount: 1, encoding: .int16, isInterleaved: true), .output, element: 1)
    try unit.initialize()
    func record() throws(AudioStatus) -> BusBuffer { try unit.render(output: 1, sampleTime: 0, frames: 64) }
    #expect(status { () throws(AudioStatus) in _ = try record() } == .noConnection)
    unit.uninitialize()
    try unit.setProperty(.enableIO, .input, element: 1, to: .uint32(1))
    #expect(status { () throws(AudioStatus) in _ = try record() } == .uninitialized)
    try unit.initialize()
    let bus = try record()
    #expect(bus.count == 1)
    #expect(UnsafeRawBufferPointer(start: bus.buffers[0], count: 128).allSatisfy { $0 == 0 })
    #expect(source.pulls == 0)
    #expect(
      status { () throws(AudioStatus) in _ = try unit.render(output: 2, sampleTime: 0, frames: 1) } == .invalidElement)
  }

  @Test("what a microphone hears arrives in the app's format; the mute switch of a voice processor silences it")
  func microphone() throws {
    let unit = unit(.voiceProcessing)
    unit.microphone = RenderCallback { time, _, frames, buffer in
      let samples = buffer.buffers[0].assumingMemoryBound(to: Float.self)
      for index in 0..<(2 * frames) { samples[index] = Float(2 * Int(time) + index) / 1024 }
      return .noError
    }
    try unit.setProperty(.enableIO, .input, element: 1, to: .uint32(1))
    try unit.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: 2), .output, element: 1)
    try unit.initialize()
    let bus = try unit.render(output: 1, sampleTime: 8, frames: 4)
    let left: [Float] = [16, 18, 20, 22]
    let right: [Float] = [17, 19, 21, 23]
    #expect((0..<4).map { bus.planes[0][$0] } == left.map { $0 / 1024 })
    #expect((0..<4).map { bus.planes[1][$0] } == right.map { $0 / 1024 })
    try unit.setProperty(.muteOutput, to: .uint32(1))
    let muted = try unit.render(output: 1, sampleTime: 12, frames: 4)
    #expect((0..<4).allSatisfy { muted.planes[0][$0] == 0 && muted.planes[1][$0] == 0 })
  }
}
