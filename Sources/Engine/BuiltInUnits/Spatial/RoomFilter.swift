// The path of one slice: work, in the spatial mixer: the filter behind its room, a section as an equalizer has it. Runs on
// the render thread; allocates nothing after init.

import AudioCore
import DSPKernels

/// A section of second order for the sound of a room, and the place where that sound is collected.
final class RoomFilter {
  private let channelCount: Int
  private let cascade: BiquadCascade
  private let rows: PlanarBuffer
  private var section: BiquadCoefficients?

  init(channelCount: Int, maximumFrames: Int) {
    self.channelCount = channelCount
    cascade = BiquadCascade(sectionCapacity: 1, channelCount: channelCount)
    rows = PlanarBuffer(channelCount: channelCount, frameCapacity: maximumFrames)
  }

  /// Takes over a section, which keeps the state of the one before; nil: none, and the state is forgotten.
  func follow(_ wanted: BiquadCoefficients?) {
    section = wanted
    if let wanted { cascade[0] = wanted } else { cascade.reset() }
  }

  /// Rows of silence, to which the room's sound is added; nil: nothing is filtered.
  func begin(frames: Int) -> FloatPlanes? {
    guard section != nil else { return nil }
    for channel in 0..<channelCount { rows.planes[channel].update(repeating: 0, count: frames) }
    return rows.planes
  }

  /// Filters the rows, and adds them to an output.
  func add(to output: FloatPlanes, offset: Int, frames: Int) {
    cascade.process(input: rows.planes, output: rows.planes, frames: frames)
    for channel in 0..<channelCount {
      MixKernels.accumulate(output[channel] + offset, rows.planes[channel], gain: 1, frames: frames)
    }
  }

  func reset() { cascade.reset() }
}
