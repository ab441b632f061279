// The spatial mixers in the states that matter for time: moving sources, jumps, rooms, loudspeakers, converted inputs.

import AudioCore
import AudioEngine
import BuiltInUnits
import UnitTestSupport

extension Configuration {
  static let spatialMixers: [Configuration] = [SpatialMixer.Layout.spatial, .legacy].flatMap { layout in
    let component = layout == .spatial ? SpatialMixer.component : SpatialMixer.legacyComponent
    return [
      Configuration(component: component.shortName, name: "sources on their way, in a room") {
        let mixer = try mixer(layout)
        try mixer.setProperty(.usesInternalReverb, to: .uint32(1))
        try mixer.setProperty(.reverbRoomType, to: .uint32(3))
        for bus in 0..<4 {
          try mixer.setProperty(.spatialRenderingFlags, .input, element: bus, to: .uint32(0x7D))
          try mixer.setTimeline(
            .through((Int64(500 * bus), -170), (8000, Float(170 - 50 * bus))), for: mixer.address(.azimuth, input: bus))
          try mixer.setTimeline(
            .through((1003, 1), (5000, 30), (5000, 3)), for: mixer.address(.distance, input: bus))
        }
        try mixer.setTimeline(.through((0, 0), (4000, -30)), for: mixer.address(.occlusionAttenuation, input: 1))
        try mixer.setTimeline(.through((2000, -20), (3000, 0)), for: mixer.address(.obstructionAttenuation, input: 2))
        try mixer.setTimeline(.through((0, 100), (7777, 0)), for: mixer.address(.reverbBlend, input: 3))
        try mixer.setTimeline(.through((100, -60), (6000, 60)), for: mixer.address(.elevation, input: 0))
        try mixer.initialize()
        return mixer
      },
      Configuration(
        component: component.shortName, name: "jumps of place, level, algorithm and switch, metered",
        events: [
          HostEvent(frame: 700) { try $0.setParameter(ParameterAddress(0, scope: .input, element: 1), to: 120) },
          HostEvent(frame: 900) { try $0.setParameter(ParameterAddress(0, scope: .input, element: 1), to: -20) },
          HostEvent(frame: 2000) { try $0.setParameter(ParameterAddress(3, scope: .input, element: 0), to: -50) },
          HostEvent(frame: 2300) { try $0.setProperty(.spatializationAlgorithm, .input, element: 0, to: .uint32(1)) },
          HostEvent(frame: 4100) { unit in
            guard let mixer = unit as? SpatialMixer else { return }
            try mixer.set(.enable, input: 2, to: 0)
          },
          HostEvent(frame: 6100) { unit in
            guard let mixer = unit as? SpatialMixer else { return }
            try mixer.set(.enable, input: 2, to: 1)
            try mixer.setProperty(.spatialAttenuationCurve, .input, element: 3, to: .uint32(3))
          },
        ]
      ) {
        let mixer = try mixer(layout)
        for bus in 0..<4 { try mixer.setMetering(true, .input, element: bus) }
        try mixer.setMetering(true, .output, element: 0)
        try mixer.initialize()
        return mixer
      },
      Configuration(
        component: component.shortName, name: "played at other speeds, by rate and by movement",
        events: [
          HostEvent(frame: 1500) { unit in
            guard let mixer = unit as? SpatialMixer else { return }
            try mixer.set(.playbackRate, input: 2, to: 0.5)
          },
          HostEvent(frame: 4000) { try $0.setProperty(.spatialRenderingFlags, .input, element: 3, to: .uint32(0x07)) },
        ]
      ) {
        let mixer = try mixer(layout)
        try mixer.setProperty(.spatialRenderingFlags, .input, element: 1, to: .uint32(0x07))
        try mixer.setTimeline(.through((0, 0.5), (3000, 1.7), (3000, 1)), for: mixer.address(.playbackRate, input: 0))
        try mixer.setTimeline(.through((500, 40), (5000, 1), (8000, 60)), for: mixer.address(.distance, input: 1))
        try mixer.setTimeline(.through((500, 1.1), (7000, 1.3)), for: mixer.address(.playbackRate, input: 1))
        try mixer.setTimeline(.through((0, 30), (9000, 10)), for: mixer.address(.distance, input: 3))
        try mixer.initialize()
        return mixer
      },
      Configuration(
        component: component.shortName, name: "into five loudspeakers, smoothing",
        events: [
          HostEvent(frame: 1000) { try $0.setParameter(ParameterAddress(0, scope: .input, element: 2), to: 100) },
          HostEvent(frame: 3000) { try $0.setParameter(ParameterAddress(3, scope: .output), to: -20) },
        ]
      ) {
        let mixer = try mixer(layout, outputs: 5)
        try mixer.setSmoothingFrames(700)
        for (bus, algorithm) in [SpatializationAlgorithm.vectorBasedPanning, .soundField, .vectorBasedPanning]
          .enumerated()
        {
          try mixer.setAlgorithm(algorithm, input: bus)
          try mixer.set(.azimuth, input: bus, to: Float(70 * bus))
        }
        try mixer.initialize()
        return mixer
      },
    ]
  }

  /// Four inputs, of other channel counts, rates and encodings, by four algorithms.
  private static func mixer(_ layout: SpatialMixer.Layout, outputs: Int = 2) throws -> SpatialMixer {
    let mixer = SpatialMixer(layout, inputs: 4)
    try mixer.setMaximumFramesPerSlice(4096)
    try mixer.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: outputs), .output)
    let formats = [
      StreamFormat(sampleRate: 44_100, channelCount: 1), StreamFormat(sampleRate: 48_000, channelCount: 1),
      StreamFormat(sampleRate: 44_100, channelCount: 2, encoding: .int16, isInterleaved: true),
      StreamFormat(sampleRate: 44_100, channelCount: 1),
    ]
    let algorithms: [SpatializationAlgorithm] = [
      .equalPowerPanning, .sphericalHead, .soundField, SpatialMixer.hasHeadResponses ? .hrtf : .sphericalHead,
    ]
    for (bus, format) in formats.enumerated() {
      let signal = noise(format.channelCount, frames: 9000, seed: UInt64(bus + 1))
      try mixer.setStreamFormat(format, .input, element: bus)
      try mixer.setRenderCallback(Source(signal, format: format).callback, input: bus)
      try mixer.setAlgorithm(algorithms[bus], input: bus)
    }
    return mixer
  }
}
