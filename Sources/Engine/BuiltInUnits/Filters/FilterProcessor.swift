// The path of one slice: work. The render half of every unit that is a cascade of second-order sections. Runs on the
// render thread: no allocation, no lock. Coefficients are computed in Double when a value has changed; under a ramp
// that is once per cell of 32 absolute frames.

import AudioCore
import AudioEngine
import DSPKernels
import Glibc

/// The design of sections from a unit's parameters.
protocol FilterDesign {
  var sectionCount: Int { get }
  /// The parameter slots that a section depends on.
  func slots(ofSection section: Int) -> Range<Int>
  /// A section's coefficients, nil where it is bypassed. `value` gives the value of a slot.
  func coefficients(ofSection section: Int, sampleRate: Double, value: (Int) -> Double) -> BiquadCoefficients?
  /// The linear gain behind the last section.
  func outputGain(value: (Int) -> Double) -> Double
}

extension FilterDesign {
  func outputGain(value: (Int) -> Double) -> Double { 1 }
}

extension FilterDesign {
  /// Frames until the slowest section has decayed by 120 dB, by its largest pole radius; one minute at most.
  func tailFrames(sampleRate: Double, value: (Int) -> Double) -> Int64 {
    let radius = (0..<sectionCount).reduce(0.0) { radius, section in
      guard let c = coefficients(ofSection: section, sampleRate: sampleRate, value: value) else { return radius }
      return max(radius, c.largestPoleRadius)
    }
    return Int64(
      clamping: min(Decay.steps(factor: radius).rounded(.up), (LongestTail.seconds * sampleRate).rounded(.down)))
  }
}

final class FilterProcessor<Design: FilterDesign>: EffectProcessor {
  private let design: Design
  private let sampleRate: Double
  private let channelCount: Int
  private let sections: Int
  private let slotCount: Int
  /// The active sections, in order, and where each section of the design sits among them (−1: bypassed).
  private var cascade: BiquadCascade { isSwapped ? second : first }
  private var spare: BiquadCascade { isSwapped ? first : second }
  private let first: BiquadCascade
  private let second: BiquadCascade
  private var isSwapped = false
  /// True when the input passes unchanged: no section, and no gain.
  private var passes = false
  private let positions: FlatMemory<Int>
  private let designed: FlatMemory<BiquadCoefficients?>
  /// The values for which the sections were computed.
  private let knownValues: FlatMemory<Double>
  private var knownVersion = -1

  init(_ design: Design, slotCount: Int, format: StreamFormat) {
    self.design = design
    self.slotCount = slotCount
    sampleRate = format.sampleRate
    channelCount = format.channelCount
    sections = design.sectionCount
    first = BiquadCascade(sectionCapacity: sections, channelCount: channelCount)
    second = BiquadCascade(sectionCapacity: sections, channelCount: channelCount)
    positions = FlatMemory(repeating: -1, count: sections)
    designed = FlatMemory(repeating: nil, count: sections)
    knownValues = FlatMemory(repeating: .nan, count: slotCount)
    super.init()
    cascade.sectionCount = 0
  }

  override func render(_ piece: RenderPiece) throws(AudioStatus) {
    if piece.parameters.version != knownVersion { design(for: piece.parameters) }
    if passes { return piece.passInput() }
    cascade.process(
      input: piece.inputs[0].planes, output: piece.outputs[0].planes, offset: piece.offset, frames: piece.frames)
  }

  /// Brings the sections up to the piece's parameter values; does nothing where none has changed.
  @inline(never)
  private func design(for parameters: RenderParameters) {
    knownVersion = parameters.version
    var hasChanged = false
    for slot in 0..<slotCount where parameters.start(slot) != knownValues[slot] { hasChanged = true }
    guard hasChanged else { return }
    func value(_ slot: Int) -> Double { parameters.start(slot) }
    var layoutChanged = false
    for section in 0..<sections {
      let slots = design.slots(ofSection: section)
      guard slots.contains(where: { parameters.start($0) != knownValues[$0] }) else { continue }
      let coefficients = design.coefficients(ofSection: section, sampleRate: sampleRate, value: value)
      designed[section] = coefficients
      if (coefficients == nil) != (positions[section] < 0) {
        layoutChanged = true
      } else if let coefficients {
        cascade[positions[section]] = coefficients
      }
    }
    if layoutChanged { layOut() }
    cascade.outputGain = design.outputGain(value: value)
    passes = cascade.sectionCount == 0 && cascade.outputGain == 1
    for slot in 0..<slotCount { knownValues[slot] = parameters.start(slot) }
  }

  /// Lays the active sections side by side; each keeps its state, new ones start from rest.
  private func layOut() {
    spare.reset()
    spare.sectionCount = sections
    var count = 0
    for section in 0..<sections {
      guard let coefficients = designed[section] else {
        positions[section] = -1
        continue
      }
      spare[count] = coefficients
      if positions[section] >= 0 { spare.copyState(ofSection: positions[section], of: cascade, to: count) }
      positions[section] = count
      count += 1
    }
    spare.sectionCount = count
    isSwapped.toggle()
  }

  override func reset() {
    cascade.reset()
    knownValues.all.update(repeating: .nan, count: slotCount)
    knownVersion = -1
  }
}

extension BiquadCoefficients {
  /// The largest magnitude of the roots of z² + a1·z + a2.
  var largestPoleRadius: Double {
    let discriminant = a1 * a1 / 4 - a2
    if discriminant <= 0 { return a2.squareRoot() }
    return abs(a1 / 2) + discriminant.squareRoot()
  }
}
