import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import UnitTestSupport

/// Tones and noise against their laws.
@Suite struct ToneGeneratorTests {
  @Test("a sine of the frequency and level, alike on all channels, from phase 0 on or where the time begins")
  func tone() throws {
    let tone = ToneGenerator()
    try tone.set(.frequency, to: 997)
    try tone.set(.level, to: -6)
    let output = try renderedSignal(tone.ready(channels: 3), total: 9000)
    #expect(output[0] == output[1] && output[0] == output[2])
    let expected = (0..<9000).map { (frame: Int) -> Double in
      pow(10, -0.3) * sin(2 * Double.pi * 997 * Double(frame) / 48_000)
    }
    #expect(zip(output[0], expected).allSatisfy { abs(Double($0) - $1) < 1e-6 })
    let later = try renderedSignal(ToneGenerator().ready(), total: 100, from: 12_345)[0]
    #expect(
      later.indices.allSatisfy { (frame: Int) -> Bool in
        let phase = 2 * Double.pi * 1000 * Double(12_345 + frame) / 48_000
        return abs(Double(later[frame]) - pow(10, -0.6) * sin(phase)) < 1e-6
      })
  }

  @Test("a frequency that moves has no steps: the phase is the sum of what it was")
  func sweep() throws {
    let tone = ToneGenerator()
    try tone.setTimeline(.through((1000, 100), (9000, 9000)), for: ParameterAddress(0))
    let output = try renderedSignal(tone.ready(), total: 12_000)[0]
    var phase = 0.0
    for frame in 0..<12_000 {
      #expect(abs(Double(output[frame]) - pow(10, -0.6) * sin(2 * .pi * phase)) < 1e-4, "frame \(frame)")
      phase += (100 + 8900 * min(1, max(0, Double(frame - 1000) / 8000))) / 48_000
    }
  }

  @Test("a tone that jumps in time has the phase that its frequency would have come to; above half the rate it is none")
  func tones() throws {
    let tone = ToneGenerator()
    try tone.set(.frequency, to: 1234.5)
    try tone.set(.level, to: 0)
    let ready = try tone.ready()
    _ = try renderedSignal(ready, total: 500)
    for start: Int64 in [7001, 500, -333] {
      let output = try renderedSignal(ready, total: 300, from: start)[0]
      for frame in 0..<300 {
        let expected = sin(2 * .pi * 1234.5 * Double(start + Int64(frame)) / 48_000)
        guard abs(Double(output[frame]) - expected) > 1e-6 else { continue }
        Issue.record("frame \(frame) from \(start) on: \(output[frame]), not \(expected)")
        return
      }
    }
    let high = ToneGenerator()
    try high.set(.frequency, to: 30_000)
    #expect(try renderedSignal(try high.ready(), total: 1000)[0].allSatisfy { abs($0) < 1e-6 })
  }

  @Test("a tone of half the rate and above begins anywhere as one of half the rate")
  func lateTone() throws {
    func output(_ hertz: Float) throws -> [Float] {
      let unit = ToneGenerator()
      try unit.setParameter(ParameterAddress(0), to: hertz)
      try unit.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: 1), .output)
      try unit.initialize()
      let buffer = try unit.render(sampleTime: 1001, frames: 100)
      return Array(buffer.planes[0].prefix(100).elements)
    }
    #expect(try output(30_000) == output(22_050))
  }
}
