// Second-order sections in series: coefficients, state, and the way into the C kernel.
// `process` runs on the render thread: it neither allocates, locks nor throws. The arithmetic is that of
// `biquad_cascade.h` in CKernels: transposed direct form II in double, no fused operation, the same bits everywhere.

import AudioCore
import CKernels

/// A cascade of biquads over any number of channels. All channels share the sections; each has its own state.
///
/// The output does not depend on how a stream is cut into calls, nor on the machine. One thread at a time.
public final class BiquadCascade {
  /// The most sections that can be in use, 0 or more.
  public let sectionCapacity: Int
  /// Planes of each ``process(input:output:offset:frames:)``, 0 or more.
  public let channelCount: Int
  /// Linear, multiplies the last section's output in double before the one rounding to Float. 1 changes nothing.
  public var outputGain = 1.0

  private let sections: FlatMemory<biquad_coefficients>
  private let state: FlatMemory<biquad_state>

  /// `sectionCapacity` identity sections at rest, all of them in use.
  /// - Parameters:
  ///   - sectionCapacity: 0 or more.
  ///   - channelCount: 0 or more.
  public init(sectionCapacity: Int, channelCount: Int) {
    precondition(sectionCapacity >= 0 && channelCount >= 0)
    self.sectionCapacity = sectionCapacity
    self.channelCount = channelCount
    sectionCount = sectionCapacity
    sections = FlatMemory(
      repeating: biquad_coefficients(b0: 1, b1: 0, b2: 0, a1: 0, a2: 0), count: sectionCapacity)
    // At least a cache line: two cascades' states in one would be written by two threads.
    state = FlatMemory(repeating: biquad_state(), count: max(4, sectionCapacity * channelCount))
    // The environment is read here, once in a process, and not while rendering.
    _ = kernels_active_instruction_set()
  }

  /// Sections in use, from the first: 0 to ``sectionCapacity``. Sections that come into use begin at rest.
  public var sectionCount: Int {
    didSet {
      precondition(sectionCount >= 0 && sectionCount <= sectionCapacity)
      guard sectionCount > oldValue else { return }
      for channel in 0..<channelCount {
        (state.all + channel * sectionCapacity + oldValue).update(
          repeating: biquad_state(), count: sectionCount - oldValue)
      }
    }
  }

  /// The coefficients of a section, 0 up to ``sectionCapacity``. Setting them keeps the state and allocates nothing.
  public subscript(section: Int) -> BiquadCoefficients {
    get {
      precondition(section >= 0 && section < sectionCapacity)
      let c = sections[section]
      return BiquadCoefficients(b0: c.b0, b1: c.b1, b2: c.b2, a1: c.a1, a2: c.a2)
    }
    set {
      precondition(section >= 0 && section < sectionCapacity)
      sections[section] = biquad_coefficients(
        b0: newValue.b0, b1: newValue.b1, b2: newValue.b2, a1: newValue.a1, a2: newValue.a2)
    }
  }

  /// Filters `frames` frames, from frame `offset` of each plane, and keeps the state for the frames that follow.
  ///
  /// With no section in use the output is the input times ``outputGain``.
  /// - Parameters:
  ///   - input: ``channelCount`` planes of Float.
  ///   - output: as many planes. Each is the input plane of the same channel (in place) or overlaps no input plane.
  public func process(
    input: FloatPlanes, output: FloatPlanes, offset: Int = 0, frames: Int
  ) {
    precondition(offset >= 0 && frames >= 0)
    biquad_cascade_process(
      sections.all.start, sectionCount, state.all.start, sectionCapacity, outputGain,
      input.starts(of: channelCount, frames: offset + frames), output.starts(of: channelCount, frames: offset + frames),
      channelCount, offset, frames)
  }

  /// Puts all sections at rest; coefficients and gain stay.
  public func reset() { state.all.fill(biquad_state()) }

  /// Takes over the state of one section of another cascade, for a section that has moved.
  /// - Parameter other: has the same number of channels, and is not this cascade.
  public func copyState(ofSection source: Int, of other: BiquadCascade, to section: Int) {
    precondition(other.channelCount == channelCount && source < other.sectionCapacity && section < sectionCapacity)
    for channel in 0..<channelCount {
      state[channel * sectionCapacity + section] = other.state[channel * other.sectionCapacity + source]
    }
  }
}
