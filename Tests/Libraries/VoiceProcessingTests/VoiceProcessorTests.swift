import AudioCore
import CAllocationCounter
import Glibc
import Testing
import VoiceProcessing

/// The canceller behind our own queues: how much echo it takes, and what does not depend on how the stream is cut.
@Suite struct VoiceProcessorTests {
  /// Noise as the far end, −23 dBFS.
  static func noise(_ seed: UInt64, frames: Int) -> [Float] {
    var generator = SplitMix64(seed: seed)
    return (0..<frames).map { _ in Float((2 * generator.unit() - 1) * 0.1226) }
  }

  /// An echo of 100 ms: 20 ms of delay, then noise that falls by 60 dB, 6 dB below the far end.
  static func echo(of signal: [Float], rate: Double, seed: UInt64) -> [Float] {
    var generator = SplitMix64(seed: seed)
    let delay = Int(clamping: rate * 0.02)
    // A sparse response: convolving 80 ms of it would take the test's time.
    let taps: [(Int, Double)] = (0..<120).map { index in
      let place = Double(index) / 120
      return (delay + Int(clamping: place * rate * 0.08), (2 * generator.unit() - 1) * pow(10, -3 * place))
    }
    let power = taps.reduce(0) { $0 + $1.1 * $1.1 }
    let gain = 0.5 / power.squareRoot()
    return signal.indices.map { frame in
      var sum = 0.0
      for (tap, weight) in taps where tap <= frame { sum += Double(signal[frame - tap]) * weight }
      return Float(sum * gain)
    }
  }

  static func process(
    _ processor: VoiceProcessor, _ microphone: [Float], _ played: [Float], slices: [Int], bypasses: Bool = false
  ) -> [Float] {
    var output = [Float](repeating: 0, count: microphone.count)
    var (done, index) = (0, 0)
    while done < microphone.count {
      let frames = min(slices[index % slices.count], microphone.count - done)
      microphone.withUnsafeBufferPointer { microphone in
        played.withUnsafeBufferPointer { played in
          output.withUnsafeMutableBufferPointer { output in
            let (from, reference, to) = (
              Plane(UnsafeMutableBufferPointer(mutating: microphone)),
              Plane(UnsafeMutableBufferPointer(mutating: played)), Plane(output)
            )
            processor.process(
              from + done, reference: reference + done, output: to + done, frames: frames, bypasses: bypasses)
          }
        }
      }
      done += frames
      index += 1
    }
    return output
  }

  @Test("what is no number is silence, at the microphone and at the loudspeaker")
  func notANumber() throws {
    let far = Self.noise(7, frames: 16_000)
    let (none, silence) = ([Float](repeating: .nan, count: 16_000), [Float](repeating: 0, count: 16_000))
    func output(_ microphone: [Float], _ played: [Float]) throws -> [Float] {
      Self.process(try VoiceProcessor(sampleRate: 16_000), microphone, played, slices: [160])
    }
    #expect(try output(none, far) == output(silence, far))
    #expect(try output(far, none) == output(far, silence))
  }

  @Test("of an echo of 100 ms at least 30 dB are gone in seconds 3 to 8", arguments: [16_000.0, 48_000])
  func echoReturnLoss(_ rate: Double) throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      let far = Self.noise(seed, frames: Int(clamping: 8 * rate))
      let near = Self.echo(of: far, rate: rate, seed: seed + 100)
      let output = Self.process(try VoiceProcessor(sampleRate: rate), near, far, slices: [512])
      let range = Int(clamping: 3 * rate)..<Int(clamping: 8 * rate)
      func power(_ signal: [Float]) -> Double { range.reduce(0) { $0 + Double(signal[$1] * signal[$1]) } }
      let loss = 10 * log10(power(near) / max(power(output), 1e-12))
      #expect(loss > 30, "\(loss) dB at \(rate) Hz with seed \(seed)")
    }
  }

  @Test("the bits do not depend on slices, and a reset is as new")
  func slices() throws {
    let far = Self.noise(3, frames: 16_000)
    let near = Self.echo(of: far, rate: 16_000, seed: 4)
    let processor = try VoiceProcessor(sampleRate: 16_000)
    let whole = Self.process(processor, near, far, slices: [16_000])
    #expect(whole.contains { $0 != 0 })
    for slices in [[93, 93, 92], [1], [320], [4096, 7]] {
      #expect(processor.reset())
      #expect(Self.process(processor, near, far, slices: slices) == whole, "\(slices)")
    }
  }

  @Test("bypassed, the microphone comes as it was, as late as otherwise")
  func bypass() throws {
    let near = Self.noise(5, frames: 8_000)
    let processor = try VoiceProcessor(sampleRate: 8_000)
    let output = Self.process(processor, near, near, slices: [100], bypasses: true)
    let latency = processor.latencyFrames
    #expect(latency == 320)
    #expect(Array(output[latency...]) == Array(near[..<(near.count - latency)]))
  }

  @Test("processing allocates nothing")
  func allocations() throws {
    let far = Self.noise(6, frames: 4_800)
    var output = far
    let processor = try VoiceProcessor(sampleRate: 48_000)
    far.withUnsafeBufferPointer { far in
      output.withUnsafeMutableBufferPointer { output in
        let (from, to) = (Plane(UnsafeMutableBufferPointer(mutating: far)), Plane(output))
        allocation_counter_start()
        processor.process(from, reference: from, output: to, frames: 4_800)
        processor.controlsGain = true
      }
    }
    #expect(allocation_counter_stop() == 0)
  }

  @Test("rates and echoes that it does not take are told", arguments: [(4_000.0, 0.1), (192_000, 0.1), (48_000, 2)])
  func ranges(_ rate: Double, _ tail: Double) {
    #expect(throws: BenchError.self) { try VoiceProcessor(sampleRate: rate, tailSeconds: tail) }
  }
}
