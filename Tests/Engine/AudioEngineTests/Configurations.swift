// Every built-in unit in the states that matter for time: static, under ramps, smoothed, changed between slices.

import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import TimeStretch
import UnitTestSupport

/// A unit in one of its states, initialized and fed, and what its host does while it renders.
struct Configuration: Sendable, CustomTestStringConvertible {
  let component: String
  let name: String
  var events: [HostEvent] = []
  let make: @Sendable () throws -> Unit
  var testDescription: String { "\(component), \(name)" }

  /// Frames that a test renders of it.
  static let frames = 9000
  static let all: [Configuration] =
    derived + singleSections + nBandEQs + iPodEQs + distortions + mixers + matrixMixers + spatialMixers + converters
    + genericOutputs + filePlayers + generators + varispeeds + timePitches + normalizers
}

// MARK: Filters

private func parameter(_ id: UInt32, _ scope: Scope = .global, _ element: Int = 0) -> ParameterAddress {
  ParameterAddress(id, scope: scope, element: element)
}

private func setting(_ frame: Int, _ address: ParameterAddress, _ value: Float) -> HostEvent {
  HostEvent(frame: frame) { try $0.setParameter(address, to: value) }
}

private func bypassing(_ frame: Int, _ isOn: Bool) -> HostEvent {
  HostEvent(frame: frame) { try $0.setProperty(.bypassEffect, to: .uint32(isOn ? 1 : 0)) }
}

private let singleSections: [Configuration] = [
  LowPassFilter.component, HighPassFilter.component, BandPassFilter.component, LowShelfFilter.component,
  HighShelfFilter.component, ParametricEQ.component,
].flatMap { component -> [Configuration] in
  let name = component.shortName
  @Sendable func last(_ unit: Unit) -> ParameterAddress { unit.allParameters[unit.allParameters.count - 1].address }
  return [
    Configuration(component: name, name: "static, stereo") {
      let unit = component.make()
      try unit.setParameter(last(unit), to: 3)
      return try fed(unit, noise(frames: 9000))
    },
    Configuration(component: name, name: "both parameters under ramps, six channels") {
      let unit = component.make()
      try unit.setTimeline(.through((1003, 300), (2777, 9000), (2777, 500), (6001, 12_000)), for: parameter(0))
      try unit.setTimeline(.through((0, 1), (4099, 12)), for: last(unit))
      return try fed(unit, noise(6, frames: 9000))
    },
    Configuration(
      component: name, name: "smoothing over 777 frames, bypass, mono",
      events: [
        setting(1111, parameter(0), 2000), setting(1500, parameter(0), 800), bypassing(4000, true),
        bypassing(4500, false), setting(6000, parameter(0), 3000),
      ]
    ) {
      let unit = component.make()
      try unit.setSmoothingFrames(777)
      try unit.setParameter(last(unit), to: 6)
      return try fed(unit, noise(1, frames: 9000))
    },
    Configuration(
      component: name, name: "parameters set between slices",
      events: [setting(1111, parameter(0), 2000), setting(1500, parameter(1), 9)]
    ) { try fed(component.make(), noise(frames: 9000)) },
  ]
}

private let bandsOfEveryType: [NBandEQ.Band] = NBandEQ.FilterType.allCases.map { type in
  let step = Float(type.rawValue)
  return NBandEQ.Band(type, frequencyHertz: 60 * pow(1.7, step), bandwidthOctaves: 1.5, gainDecibels: 5 - step)
}

private let nBandEQs: [Configuration] = [
  Configuration(component: "nBandEQ", name: "a band of every type, stereo") {
    let bands = bandsOfEveryType.filter { [.parametric, .lowShelf, .highShelf, .bandStop].contains($0.type) }
    return try fed(try NBandEQ(bands, globalGainDecibels: -3), noise(frames: 9000))
  },
  Configuration(component: "nBandEQ", name: "ramps on all of a band and the gain, switches within, six channels") {
    let unit = try NBandEQ(bandsOfEveryType, globalGainDecibels: 20)
    try unit.setTimeline(.through((0, -30), (5001, 12)), for: NBandEQ.address(.globalGain, band: 0))
    try unit.setTimeline(.through((100, 100), (8000, 4000)), for: NBandEQ.address(.frequency, band: 3))
    try unit.setTimeline(.through((100, 0.3), (7001, 4)), for: NBandEQ.address(.bandwidth, band: 3))
    try unit.setTimeline(.through((0, -12), (4000, 12)), for: NBandEQ.address(.gain, band: 8))
    try unit.setTimeline(.through((0, 0), (1001, 1), (3333, 0)), for: NBandEQ.address(.bypassBand, band: 5))
    try unit.setTimeline(.through((0, 0), (2222, 0), (2222, 7)), for: NBandEQ.address(.filterType, band: 0))
    return try fed(unit, noise(6, frames: 9000))
  },
  Configuration(
    component: "nBandEQ", name: "smoothing, bands switched on and off, mono",
    events: [
      setting(999, NBandEQ.address(.bypassBand, band: 1), 1), setting(1999, NBandEQ.address(.frequency, band: 0), 700),
      setting(2099, NBandEQ.address(.gain, band: 8), -20), setting(2500, NBandEQ.address(.bypassBand, band: 1), 0),
      setting(3000, NBandEQ.address(.globalGain, band: 0), 6), bypassing(5000, true), bypassing(5100, false),
    ]
  ) {
    let unit = try NBandEQ(bandsOfEveryType, globalGainDecibels: 30)
    try unit.setSmoothingFrames(500)
    return try fed(unit, noise(1, frames: 9000))
  },
]

private func selecting(_ frame: Int, preset: Int32) -> HostEvent {
  HostEvent(frame: frame) { try $0.setProperty(.presentPreset, to: .preset(Preset(number: preset, name: ""))) }
}

private let iPodEQs: [Configuration] = [
  Configuration(component: "iPodEQ", name: "Rock, stereo") { try fed(IPodEQ(preset: 17), noise(frames: 9000)) },
  Configuration(
    component: "iPodEQ", name: "presets changed, twice within a fade, to Disabled and back",
    events: [
      selecting(2000, preset: 17), selecting(2100, preset: 3), selecting(2200, preset: 20), selecting(4000, preset: 0),
      selecting(6000, preset: 12),
    ]
  ) { try fed(IPodEQ(preset: 1), noise(frames: 9000)) },
  Configuration(component: "iPodEQ", name: "Flat to Loudness, mono", events: [selecting(500, preset: 12)]) {
    try fed(IPodEQ(preset: 8), noise(1, frames: 9000))
  },
]

private let distortions: [Configuration] = [
  Configuration(
    component: "distortion", name: "stages that come and go, delays set within a fade, presets, mono",
    events: [
      setting(700, parameter(0), 4), setting(900, parameter(0), 90), setting(1300, parameter(9), 100),
      setting(1300, parameter(7), 6), setting(2001, parameter(13), 60), setting(2600, parameter(5), 0),
      setting(3100, parameter(13), 0), setting(3333, parameter(7), 0), setting(3700, parameter(5), 80),
      setting(4100, parameter(13), 100), setting(4444, parameter(10), 733), bypassing(5000, true),
      bypassing(5200, false),
      selecting(6000, preset: 16), selecting(7000, preset: 3), setting(8000, parameter(15), 0),
    ]
  ) { try fed(Distortion(), noise(1, frames: 9000)) },
  Configuration(component: "distortion", name: "a mix, a frequency, a term and a gain under ramps, three channels") {
    let unit = Distortion()
    try unit.select(preset: 16)
    try unit.setTimeline(.through((1000, 0), (3001, 100), (5003, 0)), for: parameter(13))
    try unit.setTimeline(.through((0, 50), (6007, 3000)), for: parameter(10))
    try unit.setTimeline(.through((2000, 0), (2500, 20), (2999, 0)), for: parameter(7))
    try unit.setTimeline(.through((100, -30), (7000, 20)), for: parameter(14))
    try unit.setTimeline(.through((0, 10), (8000, 90)), for: parameter(3))
    return try fed(unit, noise(3, frames: 9000))
  },
]

// MARK: The mixer

private let volume = MultichannelMixer.Parameter.volume.rawValue
private let enable = MultichannelMixer.Parameter.enable.rawValue
private let pan = MultichannelMixer.Parameter.pan.rawValue

/// A mixer at 48 kHz whose inputs are: 0 stereo, 1 mono, 2 int16 interleaved stereo at 44.1 kHz, 3 nothing,
/// 4 mono at 8 kHz.
private func mixer(outputChannels: Int = 2) throws -> MultichannelMixer {
  let unit = MultichannelMixer(inputs: 5)
  let rate = 48_000.0
  try unit.setStreamFormat(StreamFormat(sampleRate: rate, channelCount: outputChannels), .output)
  try unit.setMaximumFramesPerSlice(4096)
  let sources = [
    0: Source(noise(2, frames: 9000, seed: 1), sampleRate: rate),
    1: Source(noise(1, frames: 9000, seed: 2), sampleRate: rate),
    2: Source(
      noise(2, frames: 8000, seed: 3),
      format: StreamFormat(sampleRate: 44_100, channelCount: 2, encoding: .int16, isInterleaved: true)),
    4: Source(noise(1, frames: 1500, seed: 4), sampleRate: 8000),
  ]
  for (bus, source) in sources {
    try unit.setStreamFormat(source.format, .input, element: bus)
    try unit.setRenderCallback(source.callback, input: bus)
    try unit.setVolume(0.3 + 0.1 * Float(bus), input: bus)
    try unit.setPan(Float(bus) / 4 - 0.5, input: bus)
  }
  return unit
}

private let mixers: [Configuration] = [
  Configuration(component: "multichannelMixer", name: "inputs of other rates and formats, metered") {
    let unit = try mixer()
    for bus in 0..<5 { try unit.setMetering(true, .input, element: bus) }
    try unit.setMetering(true, .output, element: 0)
    try unit.initialize()
    return unit
  },
  Configuration(component: "multichannelMixer", name: "ramps on volumes, pans, a switch and the output") {
    let unit = try mixer()
    try unit.setTimeline(.through((0, 0), (3001, 1)), for: parameter(volume, .input, 0))
    try unit.setTimeline(.through((1000, -1), (4000, 1), (4003, -0.5)), for: parameter(pan, .input, 1))
    try unit.setTimeline(
      .through((0, 1), (2000, 1), (2000, 0), (5000, 0), (5000, 1)), for: parameter(enable, .input, 2))
    try unit.setTimeline(.through((3000, 1), (3000, 0.5), (8000, 0)), for: parameter(volume, .output))
    try unit.setTimeline(.through((500, 0), (700, 0.7), (6000, 0)), for: parameter(volume, .input, 4))
    try unit.initialize()
    return unit
  },
  Configuration(
    component: "multichannelMixer", name: "smoothing; an input of another rate fades out and in again",
    events: [
      setting(700, parameter(volume, .output), 0.5), setting(800, parameter(pan, .input, 1), 1),
      setting(1000, parameter(volume, .input, 2), 0), setting(5000, parameter(volume, .input, 2), 1),
      setting(5500, parameter(volume, .input, 0), 0), setting(8500, parameter(volume, .input, 0), 1),
    ]
  ) {
    let unit = try mixer()
    try unit.setSmoothingFrames(300)
    try unit.initialize()
    return unit
  },
  Configuration(
    component: "multichannelMixer", name: "inputs that are faded out leave plain silence",
    events: [setting(1000, parameter(volume, .input, 0), 0), setting(6000, parameter(volume, .input, 0), 0.5)]
  ) {
    let unit = MultichannelMixer(inputs: 1)
    try unit.setSmoothingFrames(100)
    return try fed(unit, noise(2, frames: 9000))
  },
  Configuration(
    component: "multichannelMixer", name: "set between slices without smoothing: not pulled in between",
    events: [
      setting(1000, parameter(volume, .input, 2), 0), setting(2000, parameter(enable, .input, 0), 0),
      setting(3000, parameter(enable, .input, 0), 1), setting(5000, parameter(volume, .input, 2), 1),
      setting(6000, parameter(pan, .input, 1), 0.9),
    ]
  ) {
    let unit = try mixer()
    try unit.initialize()
    return unit
  },
  Configuration(component: "multichannelMixer", name: "matrices, six output channels") {
    let unit = try mixer(outputChannels: 6)
    try unit.setMatrixLevels([0.1, 0.2, 0.3, 0.4, 0.5, 0.6], input: 1)
    try unit.setMatrixLevels((0..<12).map { Float($0) / 20 - 0.2 }, input: 2)
    try unit.setTimeline(.through((0, 0), (7000, 1)), for: parameter(volume, .input, 2))
    try unit.initialize()
    return unit
  },
  Configuration(component: "multichannelMixer", name: "into mono") {
    let unit = try mixer(outputChannels: 1)
    try unit.initialize()
    return unit
  },
]

/// A matrix mixer at 48 kHz of a stereo input, one of int16 at 44.1 kHz and an empty one, into three and one channels.
private func matrixMixer() throws -> MatrixMixer {
  let unit = MatrixMixer(inputs: 3, outputs: 2)
  for (bus, count) in [3, 1].enumerated() {
    try unit.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: count), .output, element: bus)
  }
  try unit.setMaximumFramesPerSlice(4096)
  let sources = [
    Source(noise(2, frames: 9000, seed: 1), sampleRate: 48_000),
    Source(
      noise(2, frames: 8000, seed: 3),
      format: StreamFormat(sampleRate: 44_100, channelCount: 2, encoding: .int16, isInterleaved: true)),
  ]
  for (bus, source) in sources.enumerated() {
    try unit.setStreamFormat(source.format, .input, element: bus)
    try unit.setRenderCallback(source.callback, input: bus)
  }
  try unit.setMatrixLevels((0..<7 * 5).map { Float(($0 * 37) % 23) / 20 - 0.4 })
  return unit
}

private let matrixMixers: [Configuration] = [
  Configuration(component: "matrixMixer", name: "inputs of other rates and formats, metered") {
    let unit = try matrixMixer()
    try unit.setMetering(true, .global, element: 0)
    try unit.initialize()
    return unit
  },
  Configuration(component: "matrixMixer", name: "ramps on levels of every kind and on switches") {
    let unit = try matrixMixer()
    try unit.setTimeline(.through((0, 0), (3001, 1)), for: MatrixMixer.masterAddress)
    try unit.setTimeline(.through((1000, -1), (4000, 1)), for: MatrixMixer.crosspointAddress(input: 1, output: 0))
    try unit.setTimeline(.through((500, 0), (700, 0.7), (6000, 0)), for: MatrixMixer.channelAddress(.input, 2))
    try unit.setTimeline(.through((3000, 1), (3000, 0.5), (8000, 0)), for: MatrixMixer.channelAddress(.output, 1))
    try unit.setTimeline(.through((0, 1), (2000, 1), (2000, 0), (5000, 0), (5000, 1)), for: parameter(1, .input, 1))
    try unit.setTimeline(.through((7000, 1), (7000, 0)), for: parameter(1, .output, 0))
    try unit.initialize()
    return unit
  },
  Configuration(
    component: "matrixMixer", name: "smoothing, levels and switches set between slices",
    events: [
      setting(700, MatrixMixer.masterAddress, 0.5), setting(800, MatrixMixer.crosspointAddress(input: 0, output: 1), 1),
      setting(1000, MatrixMixer.channelAddress(.input, 0), 0), setting(2000, parameter(1, .input, 1), 0),
      setting(4000, parameter(1, .input, 1), 1), setting(6000, MatrixMixer.channelAddress(.output, 2), -1),
    ]
  ) {
    let unit = try matrixMixer()
    try unit.setSmoothingFrames(300)
    try unit.initialize()
    return unit
  },
]

// MARK: Converters

private func converting(
  _ unit: Unit, from input: StreamFormat, to output: StreamFormat
) throws -> Unit {
  try unit.setStreamFormat(input, .input)
  try unit.setStreamFormat(output, .output)
  try unit.setMaximumFramesPerSlice(4096)
  let frames = Int(clamping: (9000 * input.sampleRate / output.sampleRate).rounded())
  try unit.setRenderCallback(Source(noise(input.channelCount, frames: frames), format: input).callback, input: 0)
  try unit.initialize()
  return unit
}

private let cd = StreamFormat(sampleRate: 44_100, channelCount: 2, encoding: .int16, isInterleaved: true)
private let studio = StreamFormat(sampleRate: 48_000, channelCount: 2)

private func converter(
  _ name: String, from input: StreamFormat, to output: StreamFormat, options: FormatConverter.Options = .init()
) -> Configuration {
  Configuration(component: "formatConverter", name: name) {
    let unit = FormatConverterUnit()
    unit.options = options
    return try converting(unit, from: input, to: output)
  }
}

private let converters: [Configuration] = [
  converter("int16 to float, the same rate", from: cd, to: cd.floatPlanar),
  converter("int16 44.1 kHz to float 48 kHz", from: cd, to: studio),
  converter(
    "float 48 kHz to dithered int16 44.1 kHz", from: studio, to: cd, options: .init(quality: .fast, ditherSeed: 7)),
  converter(
    "dither without a change of rate", from: studio, to: cd.at(sampleRate: 48_000), options: .init(ditherSeed: 7)),
  converter("int32 to int32", from: wide, to: wide),
  converter(
    "mono 8 kHz to six channels at 192 kHz", from: StreamFormat(sampleRate: 8000, channelCount: 1),
    to: StreamFormat(sampleRate: 192_000, channelCount: 6),
    options: .init(quality: .linear, channels: .conventional(inputCount: 1, outputCount: 6))),
  converter(
    "192 kHz stereo to mono 24-bit big-endian at 8 kHz", from: studio.at(sampleRate: 192_000),
    to: StreamFormat(sampleRate: 8000, channelCount: 1, encoding: .int24.bigEndian),
    options: .init(quality: .best, channels: .conventional(inputCount: 2, outputCount: 1))),
  converter("zero-order hold", from: studio, to: cd.floatPlanar, options: .init(quality: .zeroOrderHold)),
  converter("mastering", from: cd, to: studio, options: .init(quality: .mastering)),
  converter("minimum phase", from: studio, to: cd.floatPlanar, options: .init(quality: .minimumPhase)),
]

private let wide = StreamFormat(sampleRate: 44_100, channelCount: 2, encoding: .int32)

private let genericOutputs: [Configuration] = [
  Configuration(component: "genericOutput", name: "float through") {
    try converting(GenericOutput(), from: studio, to: studio)
  },
  Configuration(component: "genericOutput", name: "to int16 interleaved at another rate") {
    try converting(GenericOutput(), from: studio, to: cd)
  },
]

private let varispeeds: [Configuration] = [
  Configuration(component: "varispeed", name: "the rate falls and rises through 1, and holds in between") {
    let unit = Varispeed()
    try unit.setTimeline(.through((0, 4), (1001, 0.25), (3003, 1), (5000, 1), (6007, 2.5)), for: parameter(0))
    return try fed(unit, noise(2, frames: 20_000))
  },
  Configuration(
    component: "varispeed", name: "set by turns, one smoothed rate after the other, six channels",
    events: [
      setting(1001, parameter(0), 1.7), setting(1500, parameter(1), -900), setting(3003, parameter(0), 1),
      bypassing(4001, true), bypassing(5003, false), setting(6000, parameter(1), 2400),
    ]
  ) {
    let unit = Varispeed()
    try unit.setSmoothingFrames(700)
    return try fed(unit, noise(6, frames: 20_000))
  },
]

private let timePitches: [Configuration] =
  !TimeStretcher.isAvailable
  ? []
  : [
    Configuration(
      component: "timePitch", name: "passes, then stretches, then blends, is bypassed and goes on",
      events: [
        setting(1001, parameter(1), 300), setting(2503, parameter(2), 30), setting(4001, parameter(0), 1.4),
        bypassing(5501, true), bypassing(5903, false), setting(7001, parameter(1), -1300),
      ]
    ) { try fed(TimePitch(), noise(2, frames: 20_000)) },
    Configuration(component: "newTimePitch", name: "rate and pitch under timelines, short and long pieces") {
      let unit = NewTimePitch()
      try unit.setTimeline(.through((777, 1), (4001, 0.3), (7000, 3)), for: parameter(0))
      try unit.setTimeline(.through((2001, 0), (2001, 700), (6001, -1200)), for: parameter(1))
      try unit.setParameter(parameter(4), to: 3)
      return try fed(unit, noise(2, frames: 20_000))
    },
  ]

// MARK: The file player

private func player(_ name: String, configure: @escaping @Sendable (FilePlayer) throws -> Void) -> Configuration {
  Configuration(component: "filePlayer", name: name) {
    let unit = FilePlayer()
    try configure(unit)
    try unit.setMaximumFramesPerSlice(4096)
    try unit.initialize()
    return unit
  }
}

private let filePlayers: [Configuration] = [
  player("a file that ends") { try $0.open(SoundFiles.stereo) },
  player("a region, from frame 777 on, in loops") { unit in
    try unit.open(SoundFiles.stereo)
    unit.region = 100..<1101
    unit.startFrame = 777
    unit.loops = 3
  },
  player("endless loops at another rate") { unit in
    try unit.open(SoundFiles.mono)
    try unit.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: 1), .output)
    unit.region = 50..<1050
    unit.loops = -1
    unit.startFrame = 33
  },
  player("FLAC, converted by libsoxr") { unit in
    try unit.open(SoundFiles.fixture("tabla-48000.flac"))
    unit.quality = .mastering
  },
]

private func generator(
  _ make: @escaping @Sendable () -> GeneratorUnit, _ name: String,
  configure: @escaping @Sendable (GeneratorUnit) throws -> Void
) -> Configuration {
  Configuration(component: make().component.shortName, name: name) {
    let unit = make()
    try unit.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: 2), .output)
    try configure(unit)
    try unit.setMaximumFramesPerSlice(4096)
    try unit.initialize()
    return unit
  }
}

private let generators: [Configuration] = [
  generator({ ToneGenerator() }, "a tone that ends") { try $0.setLength(frames: 7777) },
  generator({ ToneGenerator() }, "a sweep that fades") { unit in
    try unit.setTimeline(.through((100, 200), (8000, 5000)), for: parameter(0))
    try unit.setTimeline(.through((0, -30), (4001, 0), (6000, -12)), for: parameter(1))
  },
  generator({ NoiseGenerator() }, "white, under a timeline") { unit in
    try unit.setTimeline(.through((333, -30), (4001, 0)), for: parameter(0))
  },
  generator({ NoiseGenerator() }, "pink, with an end") { unit in
    try unit.setParameter(parameter(1), to: 1)
    try unit.setLength(frames: 8000)
  },
]

// MARK: Offline effects

private let normalizers: [Configuration] = [
  Configuration(
    component: "normalizer", name: "loudness, level under a ramp, peak from a frame on",
    events: [setting(6000, parameter(0), 1), bypassing(7000, true), bypassing(7500, false)]
  ) {
    let unit = Normalizer()
    try unit.setTimeline(.through((1003, -30), (5001, -10)), for: parameter(1))
    return try measured(fed(unit, noise(frames: 9000)), frames: 44_100)
  },
  Configuration(component: "normalizer", name: "loudness, held down by the ceiling, six channels") {
    let unit = Normalizer()
    try unit.set(.level, to: 0)
    try unit.set(.ceiling, to: -3)
    return try measured(fed(unit, noise(6, frames: 44_100)), frames: 44_100)
  },
]

/// The unit after a preflight over the first frames of its source.
private func measured(_ unit: Normalizer, frames: Int) throws -> Normalizer {
  unit.beginPreflight()
  var time = 0
  while time < frames {
    let count = min(frames - time, 1000)
    _ = try unit.render(sampleTime: Int64(time), frames: count)
    time += count
  }
  unit.endPreflight()
  unit.reset()
  return unit
}
