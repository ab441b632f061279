import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import UnitTestSupport

/// The latency of the spatial mixers, and their tail.
@Suite("Latency and tail of the spatial mixer") struct SpatialMixerTimesTests {
  private static let rate = 48_000.0

  @Test("a room rings as long as the reverb of its preset; only two ears have a way to the middle of the head")
  func times() throws {
    func tail(_ preset: UInt32?) throws -> Int64 {
      try #require(
        try spatialMixer(impulse(frames: 10)) {
          try $0.setProperty(.usesInternalReverb, to: .uint32(preset == nil ? 0 : 1))
          if let preset { try $0.setProperty(.reverbRoomType, to: .uint32(preset)) }
        }.tailFrames)
    }
    for preset in [0, 4, 11] as [UInt32] {
      let reverb = Reverb()
      try reverb.setStreamFormat(StreamFormat(sampleRate: Self.rate, channelCount: 2), .output)
      try reverb.select(preset: Int32(preset))
      #expect(try tail(preset) - tail(nil) == reverb.tailFrames)
    }
    func latency(_ outputs: Int) throws -> Int {
      try spatialMixer(impulse(frames: 10), outputs: outputs) { try $0.setAlgorithm(.sphericalHead, input: 0) }
        .latencyFrames
    }
    #expect(try latency(1) == 0 && latency(2) > 0)
  }

  /// Frames in which a filter of one pole that attenuates 5 kHz by so many decibels decays by 120 dB. The pole is
  /// searched for in its own response: it falls as the pole rises.
  private func ringing(_ decibels: Double) -> Double {
    func response(_ pole: Double) -> Double {
      let angle = 2 * .pi * 5000 / Self.rate
      return 20 * log10((1 - pole) / hypot(1 - pole * cos(angle), pole * sin(angle)))
    }
    var (low, high) = (0.0, 1.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if response(middle) > decibels { low = middle } else { high = middle }
    }
    return 6 * log(10) / -log(low)
  }

  private func tail(_ prepare: (SpatialMixer) throws -> Void) throws -> Double {
    Double(try #require(try spatialMixer(impulse(frames: 10), prepare).tailFrames))
  }

  @Test("a muffled source rings as long as its filters, at the darkest that it becomes; one that is off does not")
  func muffled() throws {
    let open = try tail { _ in }
    let rows: [(ringing: Double, prepare: (SpatialMixer) throws -> Void)] = [
      (ringing(-40), { try $0.set(.occlusionAttenuation, input: 0, to: -40) }),
      (ringing(-12.5), { try $0.set(.obstructionAttenuation, input: 0, to: -12.5) }),
      (
        ringing(-30) + ringing(-20),
        {
          try $0.set(.occlusionAttenuation, input: 0, to: -30)
          try $0.set(.obstructionAttenuation, input: 0, to: -20)
        }
      ),
      // 0.04 dB a metre, beside the walls.
      (
        ringing(-30),
        {
          try $0.set(.occlusionAttenuation, input: 0, to: -10)
          try $0.set(.distance, input: 0, to: 500)
          try $0.setProperty(.spatialRenderingFlags, .input, to: .uint32(8))
        }
      ),
      (0, { try $0.set(.distance, input: 0, to: 500) }),
      (
        ringing(-25),
        {
          try $0.setTimeline(
            .through((0, 0), (1000, -25), (2000, -3)), for: $0.address(.occlusionAttenuation, input: 0))
        }
      ),
      (
        0,
        {
          try $0.set(.occlusionAttenuation, input: 0, to: -40)
          try $0.set(.enable, input: 0, to: 0)
        }
      ),
      // 45 s each.
      (
        60 * Self.rate,
        {
          try $0.set(.occlusionAttenuation, input: 0, to: -100)
          try $0.set(.obstructionAttenuation, input: 0, to: -100)
        }
      ),
    ]
    for (index, row) in rows.enumerated() {
      let added = try tail(row.prepare) - open
      // The mixer counts in whole frames, and has ln 10⁶ to six digits.
      #expect(abs(added - row.ringing) <= 1 + 1e-5 * row.ringing, "row \(index): \(added), not \(row.ringing)")
    }
  }

  @Test("behind the tail a muffled source is 120 dB below its loudest frame, and not long before")
  func end() throws {
    let prepare: (SpatialMixer) throws -> Void = {
      try $0.set(.occlusionAttenuation, input: 0, to: -40)
      try $0.setAlgorithm(.sphericalHead, input: 0)
      try $0.set(.azimuth, input: 0, to: 50)
    }
    let frames = Int(clamping: try tail(prepare))
    let mixer = try spatialMixer(impulse(frames: 1), prepare)
    let end = 1 + mixer.latencyFrames + frames
    let output = try renderedSignal(mixer, total: end + 1000)
    for ear in output {
      let loudest = try #require(ear.map(abs).max())
      #expect(loudest > 1e-4)
      #expect(ear[end...].allSatisfy { abs($0) < 1e-6 * loudest })
      #expect(ear[(end - frames / 2)...].contains { abs($0) > 1e-6 * loudest })
    }
  }
}
