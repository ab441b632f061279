import AudioCore
import DSPKernels
import Glibc
import TestSupport
import Testing

/// Kernels of effects against their formulas, with each instruction set.
@Suite(.serialized) struct EffectKernelTests {
  /// The result of a body with each instruction set: it has to be the same bits.
  private func withEachSet(_ body: () -> [Float]) -> [Float] {
    let before = InstructionSet.active
    defer { InstructionSet.use(before) }
    var results: [[Float]] = []
    for set in InstructionSet.available {
      InstructionSet.use(set)
      results.append(body())
    }
    for other in results.dropFirst() { #expect(other.map(\.bitPattern) == results[0].map(\.bitPattern)) }
    return results[0]
  }

  private func noise(_ count: Int, seed: UInt64) -> [Float] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
  }

  @Test("a sine is that of the C library to the last bit but one, for any number of frames", arguments: [1, 7, 8, 100])
  func sines(frames: Int) throws {
    var random = SplitMix64(seed: UInt64(frames))
    let turns = (0..<frames).map { (frame: Int) -> Double in
      frame % 3 == 0 ? Double(frame) / 8 : Double.random(in: -1e6...1e6, using: &random)
    }
    let gains = (0..<frames).map { _ in Double.random(in: -2...2, using: &random) }
    let output = withEachSet {
      var output = [Float](repeating: .nan, count: frames + 1)
      output.withUnsafeMutableBufferPointer { output in
        let start = Plane(output)
        SineKernels.process(turns: turns.plane, gains: gains.plane, output: start, frames: frames)
      }
      return output
    }
    for frame in 0..<frames {
      let place = turns[frame] - turns[frame].rounded()
      let expected = gains[frame] * sin(2 * .pi * place)
      #expect(abs(Double(output[frame]) - expected) <= abs(expected) * 1.2e-7 + 1e-15, "\(frame): \(turns[frame])")
    }
    #expect(output[frames].isNaN)
  }

  @Test("gains in front of a peak are lowered to the line, and none behind the place where one lies on it already")
  func lowering() {
    let frames = 600
    for (index, range) in [1..<577, 1..<17, 1..<16, 3..<200, 5..<5].enumerated() {
      let (needed, rise): (Float, Float) = (0.3, 0.7 / 600)
      // An older line, lower from some place on.
      let crossing = [1000, 4, 1000, 120, 0][index]
      let before = (0..<frames).map { $0 >= crossing ? 0.1 + 0.0001 * Float($0) : 1 }
      let after = withEachSet {
        var gains = Array(before.reversed())
        gains.withUnsafeMutableBufferPointer { gains in
          let start = Plane(gains)
          let isDone = LimiterKernels.lower(start, before: frames - 1, range, needed: needed, rise: rise)
          #expect(isDone == range.contains(crossing))
        }
        return gains.reversed()
      }
      for k in 0..<frames {
        #expect(after[k] == (range.contains(k) ? min(before[k], needed + rise * Float(k)) : before[k]), "\(range) \(k)")
      }
    }
  }

  @Test("lines are mixed by a Hadamard matrix as its definition has it", arguments: [1, 2])
  func network(channels: Int) {
    let (frames, count) = (23, FeedbackNetwork.lineCount)
    let sounds = (0..<count + channels).map { noise(40, seed: UInt64($0 + 1)) }
    let weights = noise(2 * count, seed: 99)
    let found = withEachSet {
      // Lines, their outputs, inputs, outputs.
      let rows = PlanarBuffer(channelCount: 2 * count + 2 * channels, frameCapacity: 40)
      func row(_ index: Int) -> Plane<Float> { rows[index] }
      for index in sounds.indices { row(index < count ? index : count + index).update(from: sounds[index]) }
      let network = FeedbackNetwork(rows: rows.planes[2 * count..<2 * (count + channels)])
      for line in 0..<count {
        network.setWeights(line, present: weights[2 * line], former: weights[2 * line + 1])
        network.setPlace(line, read: row(line), write: row(count + line), frames: frames)
      }
      network.process(frames: frames)
      return (0..<frames).flatMap { frame in
        (0..<count).map { row(count + $0)[frame] } + (0..<channels).map { row(2 * count + channels + $0)[frame] }
      }
    }
    func sign(_ row: Int, _ column: Int) -> Double { (row & column).nonzeroBitCount % 2 == 1 ? -1 : 1 }
    for frame in 0..<frames {
      let u = (0..<count).map { line -> Double in
        let (present, former) = (Double(weights[2 * line]), Double(weights[2 * line + 1]))
        return present * Double(sounds[line][frame + 1]) + former * Double(sounds[line][frame])
      }
      let row = Array(found[frame * (count + channels)..<(frame + 1) * (count + channels)])
      for line in 0..<count {
        var sum = (0..<count).reduce(0) { $0 + sign(line, $1) * u[$1] }
        for channel in 0..<channels { sum += sign(1 + channel, line) * Double(sounds[count + channel][frame]) }
        #expect(abs(Double(row[line]) - 0.25 * sum) < 2e-6, "line \(line), frame \(frame)")
      }
      for channel in 0..<channels {
        let sum = (0..<count).reduce(0) { $0 + sign(5 + 5 * channel, $1) * u[$1] }
        #expect(abs(Double(row[count + channel]) - sum) < 4e-6, "channel \(channel), frame \(frame)")
      }
    }
  }

  @Test("up eight times and back gives the same bits with each instruction set, for any number of frames")
  func oversampling() {
    let signal = noise(301, seed: 5)
    let output = withEachSet {
      let oversampler = Oversampler()
      var output = [Float](repeating: 0, count: signal.count)
      var (done, length) = (0, 1)
      while done < signal.count {
        let count = min(length, 64, signal.count - done)
        output.withUnsafeMutableBufferPointer { output in
          let start = Plane(output)
          signal.withUnsafeBufferPointer { signal in
            oversampler.up(Plane(signal) + done, frames: count)
          }
          oversampler.down(to: start + done, frames: count)
        }
        done += count
        length += 9
      }
      return output
    }
    #expect(output.contains { abs($0) > 0.5 })
  }

  @Test("true peaks above a floor are those that are found without one, and the same bits with each instruction set")
  func truePeaks() {
    // Loud in the middle alone.
    let signal = noise(2000, seed: 6).enumerated().map { abs($0.offset - 1000) < 150 ? $0.element : 0.3 * $0.element }
    func peaks(above floor: Float) -> [Float] {
      let detector = TruePeakDetector()
      var peaks = [Float](repeating: 0, count: signal.count)
      for first in stride(from: 0, to: signal.count, by: 250) {
        peaks.withUnsafeMutableBufferPointer { peaks in
          signal.withUnsafeBufferPointer { signal in
            let (to, from) = (Plane(peaks), Plane(signal))
            detector.addPeaks(of: from + first, to: to + first, frames: 250, above: floor)
          }
        }
      }
      return peaks
    }
    let all = withEachSet { peaks(above: 0) }
    let (floor, found) = (Float(1), withEachSet { peaks(above: 1) })
    #expect(found.contains(0))
    for frame in all.indices where max(all[frame], found[frame]) > floor { #expect(all[frame] == found[frame]) }
  }

  @Test("gains of levels are those of the curve's formula, and numbers for any level", arguments: [1, 8, 33])
  func dynamics(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    let levels = (0..<count).map { _ in pow(10, Double.random(in: -12...8, using: &random)) }
    let curve = DynamicsCurve(
      thresholdDecibels: -23, headRoomDecibels: 4, expansionThresholdDecibels: -50, expansionSlope: 3, gainDecibels: 2)
    var compressions: [Double] = []
    func gains(_ levels: [Double]) -> [Double] {
      compressions = Array(repeating: 0, count: levels.count)
      var gains = [Double](repeating: 0, count: levels.count)
      gains.withUnsafeMutableBufferPointer { gains in
        compressions.withUnsafeMutableBufferPointer { compressions in
          let (first, second) = (Plane(gains), Plane(compressions))
          curve.findGains(levels.plane, gains: first, compressions: second, count: levels.count)
        }
      }
      return gains
    }
    _ = withEachSet { gains(levels).flatMap { [Float($0), Float(($0 - Double(Float($0))) * 0x1p40)] } }
    for (index, gain) in gains(levels).enumerated() {
      let decibels = 20 * log10(max(1e-9, levels[index]))
      let above = max(0, decibels + 23)
      let compression = 4 * (1 - exp(-above / 4)) - above
      let expected = compression + max(-120, 3 * min(0, decibels + 50)) + 2
      #expect(abs(20 * log10(gain) - expected) < 1e-11, "\(levels[index])")
      #expect(abs(compressions[index] - compression) < 1e-11)
    }
    for gain in gains([.nan, 0, -1, .infinity, 1e308, .leastNonzeroMagnitude]) { #expect(gain.isFinite && gain >= 0) }
  }

  @Test("a distortion's curves are those of their formulas, for any number of frames", arguments: [1, 8, 61])
  func shapes(frames: Int) {
    let input = noise(frames, seed: 1).map { 3 * $0 }
    let rows = (0..<8).map { noise(frames, seed: UInt64(10 + $0)) }
    func shaped(_ shape: (Plane<Float>) -> Void) -> [Double] {
      withEachSet {
        var samples = input
        samples.withUnsafeMutableBufferPointer { shape(Plane($0)) }
        return samples
      }.map(Double.init)
    }
    for hasMeans in [false, true] {
      let found = shaped { samples in
        rows[4].withUnsafeBufferPointer { former in
          rows[5].withUnsafeBufferPointer { present in
            let (one, other) = (Plane(former), Plane(present))
            ShaperKernels.polynomial(
              samples, linear: rows[0].plane, squared: rows[1].plane, cubic: rows[2].plane, mix: rows[3].plane,
              means: hasMeans ? (one, other) : nil, part: 0.25, frames: frames)
          }
        }
      }
      for n in 0..<frames {
        let (x, r) = (Double(input[n]), rows.map { Double($0[n]) })
        let square = hasMeans ? r[1] * (x * x - (0.75 * r[4] + 0.25 * r[5])) : 0
        let expected = (1 - r[3]) * x + r[3] * (r[0] * x + r[2] * x * x * x + square)
        #expect(abs(found[n] - expected) < 1e-5 * (1 + abs(expected)), "\(n)")
      }
    }
    let modulated = shaped { samples in
      rows[0].withUnsafeBufferPointer { sines in
        rows[1].withUnsafeBufferPointer { cosines in
          let (one, other) = (Plane(sines), Plane(cosines))
          ShaperKernels.modulate(
            samples, (one, other, 0.6, 0.8), (other, one, 0.8, 0.6), balance: rows[2].plane, mix: rows[3].plane,
            frames: frames)
        }
      }
    }
    let clipped = shaped { ShaperKernels.clip($0, gain: rows[4].plane, frames: frames) }
    for n in 0..<frames {
      let (x, r) = (Double(input[n]), rows.map { Double($0[n]) })
      let ring = (1 - r[2]) * (r[0] * 0.8 + r[1] * 0.6) + r[2] * (r[1] * 0.6 + r[0] * 0.8)
      let expected = (1 - r[3]) * x + r[3] * x * ring
      #expect(abs(modulated[n] - expected) < 1e-5 * (1 + abs(expected)), "\(n)")
      let u = max(-3, min(3, r[4] * x))
      #expect(abs(clipped[n] - u * (27 + u * u) / (27 + 9 * u * u)) < 1e-6, "\(n)")
    }
  }

  @Test("an echo comes back by its formula, and lets neither infinities nor NaN in")
  func echo() {
    let frames = 37
    var input = noise(frames, seed: 2)
    (input[3], input[4], input[5], input[6]) = (.nan, .infinity, -.infinity, 1e9)
    let rows = (0..<5).map { noise(frames, seed: UInt64(20 + $0)) }
    let (from, to, share, feedback, mix) = (rows[0], rows[1], rows[2], rows[3], rows[4])
    for isFading in [false, true] {
      let found = withEachSet {
        var results = [Float](repeating: 0, count: 2 * frames)
        results.withUnsafeMutableBufferPointer { results in
          share.withUnsafeBufferPointer { share in
            let start = Plane(results)
            ShaperKernels.echo(
              input.plane, output: start, write: start + frames, from: from.plane, to: to.plane,
              share: isFading ? Plane(share) : nil, feedback: feedback.plane, mix: mix.plane, most: 1e6, frames: frames)
          }
        }
        return results
      }
      for n in 0..<frames {
        let sound: Float = n == 3 ? 0 : n == 4 || n == 6 ? 1e6 : n == 5 ? -1e6 : input[n]
        let heard = isFading ? from[n] + (to[n] - from[n]) * share[n] : from[n]
        #expect(found[n] == (1 - mix[n]) * sound + mix[n] * heard, "\(n)")
        #expect(found[frames + n] == sound + feedback[n] * heard, "\(n)")
      }
    }
  }

  @Test("a gain and a sum round each product once, in place too", arguments: [0, 1, 7, 64, 133])
  func gains(frames: Int) {
    // (1 + 2⁻²³)² rounds to 1 + 2⁻²²; fused with −(1 + 2⁻²²) it would leave 2⁻⁴⁶.
    let gain: Float = 1 + 0x1p-23
    let firstInput: [Float] = [1 + 0x1p-23, .infinity, -0.0]
    let firstOutput: [Float] = [-1 - 0x1p-22, 1, 0]
    let input = firstInput + noise(130, seed: 5)
    let start = firstOutput + noise(130, seed: 6)
    for isInPlace in [false, true] {
      let found = withEachSet {
        var results = isInPlace ? input + input : start + start
        results.withUnsafeMutableBufferPointer { results in
          let (scaled, mixed) = (Plane(results), Plane(results) + 133)
          MixKernels.scale(scaled, isInPlace ? scaled : input.plane, gain: gain, frames: frames)
          MixKernels.accumulate(mixed, isInPlace ? mixed : input.plane, gain: gain, frames: frames)
        }
        return results
      }
      for n in 0..<133 {
        let before = isInPlace ? input[n] : start[n]
        let product = input[n] * gain
        #expect(found[n] == (n < frames ? product : before), "\(n)")
        #expect(found[133 + n] == (n < frames ? before + product : before), "\(n)")
      }
    }
  }
}
