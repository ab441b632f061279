import CKernels
import DSPKernels
import TestSupport
import Testing

/// The variants one by one. The only suite that forces one: it may not run beside itself.
@Suite("Every instruction set", .serialized)
struct BiquadVariantTests {
  static let variants = [KERNELS_BASELINE, KERNELS_AVX2, KERNELS_AVX512].filter {
    $0.rawValue <= kernels_best_instruction_set().rawValue
  }
  static let sectionCounts = Array(0...12) + [20, 31, 64]

  /// Runs `body` with each variant that this machine has, and puts the former one back.
  func withEachVariant(_ body: (kernels_instruction_set) -> Void) {
    let former = kernels_active_instruction_set()
    defer { kernels_force_instruction_set(former) }
    for variant in Self.variants {
      #expect(kernels_force_instruction_set(variant) == variant)
      body(variant)
    }
  }

  @Test("rounds products and sums of segments one by one", arguments: [0, 1, 3, 4, 15, 4097])
  func segments(count: Int) {
    var random = SeededGenerator(seed: UInt64(count) + 7)
    let samples = random.noise(frames: count)
    let doubles = samples.map { Double($0) / 3 }
    let window = random.noise(frames: count).map { Double($0) / 7 }
    let products = zip(samples, window).map { Double($0) * $1 }
    let doubleProducts = zip(doubles, window).map { $0 * $1 }
    let sums = zip(window, doubles).map { sum, part in
      let square = part * part
      return sum + square
    }
    withEachVariant { variant in
      var found = [Double](repeating: .nan, count: count)
      segments_window_f32(samples, window, &found, count)
      #expect(found == products, "variant \(variant.rawValue)")
      segments_window_f64(doubles, window, &found, count)
      #expect(found == doubleProducts, "variant \(variant.rawValue)")
      found = window
      segments_add_squares(doubles, &found, count)
      #expect(found == sums, "variant \(variant.rawValue)")
    }
  }

  @Test("gives the bits of the naive cascade, whatever the sections, channels and blocks", arguments: sectionCounts)
  func equalsReference(sectionCount: Int) {
    var random = SeededGenerator(seed: UInt64(sectionCount) + 1)
    for channels in [1, 2, 3, 4, 6, 7] {
      let sections = (0..<sectionCount).map { _ in random.stableSection() }
      let signals = (0..<channels).map { _ in random.noise(frames: 700) }
      let expected = signals.map { signal in
        var reference = BiquadReference(sections, gain: 0.7)
        return bits(reference.process(signal))
      }
      let randomBlocks = (0..<40).map { _ in Int.random(in: 0...90, using: &random) } + [1]
      withEachVariant { variant in
        for blocks in [[1], [7], [8], [32], [64], [137], [512], [4096], randomBlocks] {
          let cascade = makeCascade(sections, channels: channels, gain: 0.7)
          let found = run(cascade, over: signals, blocks: blocks).map(bits)
          #expect(found == expected, "variant \(variant.rawValue), \(channels) channels, blocks \(blocks)")
        }
      }
    }
  }

  @Test("gives the bits of the naive cascade where the tail decays through the denormals")
  func denormals() {
    let poles = BiquadCoefficients(b0: 1, b1: 0.5, b2: 0.25, a1: -0.9, a2: 0.4)
    let sections = Array(repeating: poles, count: 5)
    var signal = [Float](repeating: 0, count: 6000)
    signal[0] = .leastNonzeroMagnitude
    signal[1] = -.leastNormalMagnitude
    signal[3000] = 1e-30
    var reference = BiquadReference(sections)
    let expected = bits(reference.process(signal))
    withEachVariant { _ in
      let cascade = makeCascade(sections, channels: 2)
      #expect(run(cascade, over: [signal, signal], blocks: [512]).map(bits) == [expected, expected])
    }
  }

  @Test("lets no channel hear the infinities of its neighbour")
  func infinitiesStay() {
    var random = SeededGenerator(seed: 5)
    let sections = (0..<7).map { _ in random.stableSection() }
    let signals = (0..<4).map { _ in random.noise(frames: 300) }
    var poisoned = signals
    poisoned[1][100] = .infinity
    poisoned[2][7] = .nan
    withEachVariant { _ in
      let clean = run(makeCascade(sections, channels: 4), over: signals, blocks: [64])
      let found = run(makeCascade(sections, channels: 4), over: poisoned, blocks: [64])
      #expect(bits(found[0]) == bits(clean[0]))
      #expect(bits(found[3]) == bits(clean[3]))
      #expect(bits(Array(found[1][..<100])) == bits(Array(clean[1][..<100])))
      #expect(found[2].map(\.isNaN) == (0..<300).map { $0 >= 7 })
    }
  }

  @Test("that the machine lacks is never chosen")
  func neverAboveTheBest() {
    let former = kernels_active_instruction_set()
    defer { kernels_force_instruction_set(former) }
    #expect(kernels_force_instruction_set(KERNELS_AVX512) == kernels_best_instruction_set())
  }
}
