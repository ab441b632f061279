// Frames that the microphone has recorded, between the hardware's cycle and the pull of the graph. The hardware's thread alone;
// nothing is allocated after init.

import AudioCore
import AudioEngine

/// The last frames of the microphone, by their time.
///
/// A reader on the hardware's clock gets the frames of the present cycle. A conversion of rates reads ahead of it: then
/// all frames come later by as much, from the first pull on.
final class MicrophoneQueue {
  private static let capacity = 4 * 4096
  /// Frames of a delay beyond what was missing: conversions do not always read equally far.
  private static let reserve: Int64 = 32
  private let channels: PlanarBuffer
  /// The frame behind the last one that was recorded; nil: none was.
  private var end: Int64?
  private var delay: Int64 = 0

  init(channelCount: Int) { channels = PlanarBuffer(channelCount: channelCount, frameCapacity: Self.capacity) }

  /// Takes the frames of a cycle. Time that the hardware has left out is silent.
  func append(_ samples: BusBuffer, sampleTime: Int64, frames: Int) {
    if let end, sampleTime > end {
      for frame in max(end, sampleTime - Int64(Self.capacity))..<sampleTime {
        for channel in 0..<channels.channelCount { channels[channel][place(frame)] = 0 }
      }
    }
    for channel in 0..<min(channels.channelCount, samples.count) {
      let (from, to) = (samples.planes[channel], channels[channel])
      for frame in 0..<frames { to[place(sampleTime + Int64(frame))] = from[frame] }
    }
    end = sampleTime + Int64(frames)
  }

  private func place(_ frame: Int64) -> Int {
    let rest = Int(frame % Int64(Self.capacity))
    return rest < 0 ? rest + Self.capacity : rest
  }

  /// Gives frames of a time on the hardware's clock; mono goes to all channels, and channels that are not there are
  /// silent.
  func take(into slice: BlockSlice) {
    guard let end else { return slice.silence() }
    let last = slice.sampleTime + Int64(slice.frames)
    if last - delay > end { delay = last - end + Self.reserve }
    let first = slice.sampleTime - delay
    let oldest = end - Int64(Self.capacity)
    for channel in 0..<slice.channelCount {
      let output = slice.channel(channel)
      let source = channels.channelCount == 1 ? 0 : channel
      for frame in 0..<slice.frames {
        let wanted = first + Int64(frame)
        output[frame] =
          source < channels.channelCount && wanted >= oldest && wanted < end ? channels[source][place(wanted)] : 0
      }
    }
  }
}
