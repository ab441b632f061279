import AudioCore
import DSPKernels
import TestSupport
import Testing

@Suite("Mix kernels")
struct MixKernelsTests {
  let input: [Float]
  let other: [Float]

  init() {
    var random = SeededGenerator(seed: 21)
    input = random.noise(frames: 1000)
    other = random.noise(frames: 1000)
  }

  /// Calls `kernel` with consecutive slices of the output and their first frame.
  func sliced(
    by lengths: [Int], over start: [Float], _ kernel: (Plane<Float>, Int, Int) -> Void
  ) -> [Float] {
    var output = start
    output.withUnsafeMutableBufferPointer { buffer in
      let base = Plane(buffer)
      var done = 0
      var turn = 0
      while done < buffer.count {
        let count = min(lengths[turn % lengths.count], buffer.count - done)
        kernel(base + done, done, count)
        done += count
        turn += 1
      }
    }
    return output
  }

  static let partitions = [[1000], [1], [7], [32], [64, 1, 137], [333, 0, 5]]

  @Test("scale and accumulate round the product once, then the sum")
  func scaleAndAccumulate() {
    let scaled = sliced(by: [1000], over: other) { MixKernels.scale($0, input.plane, gain: 0.3, frames: $2) }
    #expect(scaled == input.map { $0 * 0.3 })
    let mixed = sliced(by: [1000], over: other) { MixKernels.accumulate($0, input.plane, gain: 0.3, frames: $2) }
    #expect(
      mixed
        == zip(other, input).map {
          let product = $1 * 0.3
          return $0 + product
        })
  }

  @Test("accumulate is not fused: a product that rounds away leaves the sum alone")
  func notFused() {
    // (1 + 2⁻²³)² rounds to 1 + 2⁻²²; fused with −(1 + 2⁻²²) it would leave 2⁻⁴⁶.
    var output: [Float] = [-(1 + 0x1p-22)]
    MixKernels.accumulate(&output, [1 + 0x1p-23], gain: 1 + 0x1p-23, frames: 1)
    #expect(output == [0])
  }

  @Test("ramps are the stated line at every frame, before, on and after, however the stream is cut")
  func ramps() {
    let ramp = LinearRamp(from: 0.2, to: -1.3, durationFrames: 611)
    let first: Int64 = -100
    let gains = (0..<1000).map { index -> Float in
      let position = Double(Int64(index) + first)
      return Float(position < 0 ? 0.2 : position >= 611 ? -1.3 : 0.2 + (-1.3 - 0.2) * position / 611)
    }
    #expect(gains == (0..<1000).map { ramp.value(at: Int64($0) + first) })
    for lengths in Self.partitions {
      let scaled = sliced(by: lengths, over: other) { pointer, done, count in
        input.withUnsafeBufferPointer {
          let base = Plane($0)
          MixKernels.scaleRamp(pointer, base + done, ramp: ramp, position: first + Int64(done), frames: count)
        }
      }
      #expect(scaled == zip(input, gains).map { $0 * $1 })
      let mixed = sliced(by: lengths, over: other) { pointer, done, count in
        input.withUnsafeBufferPointer {
          let base = Plane($0)
          MixKernels.accumulateRamp(pointer, base + done, ramp: ramp, position: first + Int64(done), frames: count)
        }
      }
      #expect(mixed == zip(other, scaled).map { $0 + $1 })
    }
  }

  @Test("a ramp of no frames is at its end at once")
  func emptyRamp() {
    let ramp = LinearRamp(from: 0, to: 0.5, durationFrames: 0)
    #expect(ramp.value(at: 0) == 0.5)
    #expect(ramp.value(at: -1) == 0)
    let scaled = sliced(by: [3], over: other) {
      MixKernels.scaleRamp($0, input.plane, ramp: ramp, position: 0, frames: $2)
    }
    #expect(scaled[0] == input[0] * 0.5)
  }

  @Test("a crossfade goes from exactly the old to exactly the new, however the stream is cut")
  func crossfade() {
    let expected = (0..<1000).map { index -> Float in
      let position = Double(index - 50)
      if position < 0 { return input[index] }
      if position >= 441 { return other[index] }
      return input[index] * Float(1 - position / 441) + other[index] * Float(position / 441)
    }
    for lengths in Self.partitions {
      let found = sliced(by: lengths, over: other) { pointer, done, count in
        input.withUnsafeBufferPointer { old in
          other.withUnsafeBufferPointer { new in
            let (old, new) = (Plane(old), Plane(new))
            MixKernels.crossfade(
              pointer, from: old + done, to: new + done, durationFrames: 441, position: Int64(done) - 50,
              frames: count)
          }
        }
      }
      #expect(found == expected)
    }
  }

  @Test("copy copies, clear clears")
  func copyAndClear() {
    var output = other
    MixKernels.copy(&output, input, frames: 1000)
    #expect(output == input)
    MixKernels.clear(&output, frames: 999)
    #expect(output == Array(repeating: 0, count: 999) + [input[999]])
  }

  @Test("no kernel touches what lies beside its frames, wherever a ramp begins or ends in them")
  func neighbours() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<300 {
      let (frames, lead) = (Int.random(in: 0...70, using: &random), Int.random(in: 1...9, using: &random))
      let duration = Int64.random(in: 0...60, using: &random)
      let position = Int64.random(in: -50...70, using: &random)
      let ramp = LinearRamp(from: 0.25, to: -1.5, durationFrames: duration)
      let gains = (0..<frames).map { ramp.value(at: position + Int64($0)) }
      let (one, two) = (Array(input[lead..<lead + frames]), Array(other[lead..<lead + frames]))
      func expect(_ name: String, _ expected: [Float], _ kernel: (Plane<Float>) -> Void) {
        var output = [Float](repeating: 77, count: lead) + two + [Float](repeating: 99, count: 9)
        output.withUnsafeMutableBufferPointer { buffer in
          kernel(Plane(buffer) + lead)
        }
        let wanted = [Float](repeating: 77, count: lead) + expected + [Float](repeating: 99, count: 9)
        #expect(output == wanted, "\(name), \(frames) frames from \(position) of \(duration)")
      }
      expect("scaleRamp", zip(one, gains).map { $0 * $1 }) {
        MixKernels.scaleRamp($0, one.plane, ramp: ramp, position: position, frames: frames)
      }
      expect("accumulateRamp", zip(two, zip(one, gains)).map { $0 + $1.0 * $1.1 }) {
        MixKernels.accumulateRamp($0, one.plane, ramp: ramp, position: position, frames: frames)
      }
      let weights = (0..<frames).map { index -> (Float, Float) in
        let place = position + Int64(index)
        if place < 0 { return (1, 0) }
        return place >= duration
          ? (0, 1) : (Float(1 - Double(place) / Double(duration)), Float(Double(place) / Double(duration)))
      }
      expect("crossfade", (0..<frames).map { one[$0] * weights[$0].0 + two[$0] * weights[$0].1 }) {
        MixKernels.crossfade(
          $0, from: one.plane, to: two.plane, durationFrames: duration, position: position, frames: frames)
      }
      expect("scale", one.map { $0 * 0.3 }) { MixKernels.scale($0, one.plane, gain: 0.3, frames: frames) }
      expect("accumulate", zip(two, one).map { $0 + $1 * 0.3 }) {
        MixKernels.accumulate($0, one.plane, gain: 0.3, frames: frames)
      }
      expect("clear", [Float](repeating: 0, count: frames)) { MixKernels.clear($0, frames: frames) }
      expect("copy", one) { MixKernels.copy($0, one.plane, frames: frames) }
    }
  }
}
