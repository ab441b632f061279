import AudioCore
import DSPKernels
import Glibc
import TestSupport
import Testing

/// A windowed sinc of a given reach, at every L-th part of an input frame.
private func prototype(outputs: Int, inputs: Int, reach: Int) -> [Float] {
  let half = reach * outputs
  let stretch = Double(max(outputs, inputs))
  return (-half...half).map { place in
    let x = Double(place) / stretch
    let sinc = place == 0 ? 1 : sin(.pi * x) / (.pi * x)
    return Float(sinc * (0.5 + 0.5 * cos(.pi * Double(place) / Double(half + 1))) * Double(outputs) / stretch)
  }
}

/// Some channels through a bank, output frames `first` on, in calls of so many frames.
private func run(
  _ bank: FilterBank, _ signals: [[Float]], first: Int = 0, frames: Int, calls: [Int] = [], channels: Int? = nil
) -> [[Float]] {
  let range = bank.inputRange(of: Int64(first)..<Int64(first + frames))
  let input = PlanarBuffer(channelCount: signals.count, frameCapacity: range.count)
  for (channel, signal) in signals.enumerated() {
    for (place, frame) in range.enumerated() where signal.indices.contains(Int(frame)) {
      input[channel][place] = signal[Int(frame)]
    }
  }
  let output = PlanarBuffer(channelCount: signals.count, frameCapacity: frames + 8)
  for channel in signals.indices { output[channel].update(repeating: 9, count: frames + 8) }
  var done = 0
  var lengths = calls.makeIterator()
  while done < frames {
    let count = min(lengths.next() ?? frames, frames - done)
    bank.process(
      input: input.planes, inputOrigin: range.lowerBound, output: output.planes, channelCount: signals.count,
      offset: done, first: Int64(first + done), frames: count)
    done += count
  }
  return signals.indices.map { channel in
    #expect((frames..<frames + 8).allSatisfy { output[channel][$0] == 9 }, "wrote behind its frames")
    return (0..<frames).map { output[channel][$0] }
  }
}

@Suite("Filter bank")
struct FilterBankTests {
  static let ratios = [
    (160, 147), (147, 160), (2, 1), (1, 2), (1, 1), (3, 2), (1, 24), (24, 1), (5, 7), (441, 320), (10, 3), (63, 64),
    (64, 63),
  ]

  /// Expected: the same sum in Double, each frame by itself. Rounding leaves −138 dB at the most.
  @Test("is the sum of the input times the filter at each distance", arguments: ratios)
  func sums(outputs: Int, inputs: Int) {
    var random = SeededGenerator(seed: UInt64(outputs * 1000 + inputs))
    for reach in [3, 8 * max(1, inputs / outputs), 150] {
      let filter = prototype(outputs: outputs, inputs: inputs, reach: reach)
      let bank = FilterBank(outputs: outputs, inputs: inputs, prototype: filter)
      let signal = random.noise(frames: 2000)
      let frames = min(900, 1500 * outputs / inputs)
      let found = run(bank, [signal], frames: frames)[0]
      var (error, power) = (0.0, 0.0)
      for frame in 0..<frames {
        var exact = 0.0
        for (place, sample) in signal.enumerated() {
          let distance = place * outputs - frame * inputs + reach * outputs
          if filter.indices.contains(distance) { exact += Double(sample) * Double(filter[distance]) }
        }
        error += pow(Double(found[frame]) - exact, 2)
        power += exact * exact
      }
      #expect(10 * log10(error / power) < -138, "\(outputs) for \(inputs), reach \(reach)")
    }
  }

  @Test("gives the same bits in calls of any length, from any frame on, in any company, with any instruction set")
  func sameBits() {
    var random = SeededGenerator(seed: 21)
    let before = InstructionSet.active
    defer { InstructionSet.use(before) }
    for (outputs, inputs) in Self.ratios {
      let bank = FilterBank(
        outputs: outputs, inputs: inputs, prototype: prototype(outputs: outputs, inputs: inputs, reach: 40))
      let frames = min(1000, 1500 * outputs / inputs)
      let signals = (0..<5).map { _ in random.noise(frames: 2000) }
      let expected = run(bank, signals, frames: frames)
      for set in InstructionSet.available {
        InstructionSet.use(set)
        for calls in [
          [1, 2, 3, 4, 5, 6, 7, 8, 9, 64], Array(repeating: 1, count: frames), Array(repeating: 37, count: 99),
        ] {
          #expect(run(bank, signals, frames: frames, calls: calls) == expected, "\(set), \(outputs) for \(inputs)")
        }
        for channels in 1...4 {
          #expect(run(bank, Array(signals[..<channels]), frames: frames) == Array(expected[..<channels]))
        }
        let later = frames / 3
        #expect(
          run(bank, signals, first: later, frames: frames - later) == expected.map { Array($0[later...]) })
      }
    }
  }

  @Test("reads no frame that it does not say it reads")
  func range() {
    for (outputs, inputs) in Self.ratios {
      let bank = FilterBank(
        outputs: outputs, inputs: inputs, prototype: prototype(outputs: outputs, inputs: inputs, reach: 30))
      let first = Int64(3 * outputs + 1)
      let range = bank.inputRange(of: first..<first + 7)
      // The values around the range are not numbers: if they were read, the output would show it.
      let input = PlanarBuffer(channelCount: 1, frameCapacity: range.count + 64)
      input[0].update(repeating: .nan, count: range.count + 64)
      (input[0] + 32).update(repeating: 0.5, count: range.count)
      let output = PlanarBuffer(channelCount: 1, frameCapacity: 7)
      bank.process(
        input: input.planes, inputOrigin: range.lowerBound - 32, output: output.planes, channelCount: 1, first: first,
        frames: 7)
      #expect((0..<7).allSatisfy { output[0][$0].isFinite }, "\(outputs) for \(inputs)")
      #expect(bank.inputRange(of: 5..<5).isEmpty)
    }
  }

  /// Expected by hand: floor(n × M ÷ L).
  @Test("knows the input frame under an output frame, after hours too")
  func positions() {
    let bank = FilterBank(outputs: 160, inputs: 147, prototype: prototype(outputs: 160, inputs: 147, reach: 2))
    for (output, input): (Int64, Int64) in [
      (0, 0), (1, 0), (2, 1), (159, 146), (160, 147), (48000 * 86400 * 365, 44100 * 86400 * 365),
    ] {
      #expect(bank.inputFrame(under: output) == input)
    }
  }
}
