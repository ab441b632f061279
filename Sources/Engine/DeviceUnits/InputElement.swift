// The input element of an output unit, between the hardware's cycle and the app's pull. The hardware's thread appends a
// cycle and renders the node; nothing is allocated there.

import AudioCore
import AudioEngine
import Hardware

/// Element 1 of an output unit: from the microphone to the app.
final class InputElement {
  /// True where the element takes part. While open only.
  var isEnabled = false
  /// True where the host has switched the element by its property.
  var wasSwitched = false
  /// For each channel that the app receives, the hardware's channel that it comes from, −1 for none; nil: the
  /// conventional ones.
  var map: [Int32]?
  /// The samples of the microphone, in the hardware's format and on its clock; nil is silence. While open only.
  var microphone: RenderCallback?

  /// The render half, while initialized.
  private(set) var node: RenderNode?
  /// The frames that the microphone has recorded, under a scenario and while initialized.
  private var feed: MicrophoneFeed?

  /// Connects the render half to the microphone.
  /// - Parameters:
  ///   - node: the conversion to the app's format, with one input.
  ///   - feed: takes the frames of each cycle; nil: without a scenario.
  func prepare(
    _ node: RenderNode, _ feed: MicrophoneFeed?, from format: StreamFormat, voice: DeviceVoice, maximumFrames: Int
  ) {
    let microphone = microphone
    let source = RenderCallback { time, bus, frames, buffer in
      if !voice.mutesInput {
        if let microphone { return microphone.body(time, bus, frames, buffer) }
        if let feed {
          feed.take(into: buffer.interleaved(format.channelCount), frames: frames, at: time)
          return .noError
        }
      }
      buffer.fillWithSilence(format, frames: frames)
      return .noError
    }
    node.slots[0].source = .callback(
      CallbackSource(source, StreamBuffer(format: format, frameCapacity: maximumFrames), bus: 0))
    self.node = node
    self.feed = feed
  }

  func discard() {
    node = nil
    feed = nil
  }

  /// Forgets what was recorded before. While nothing runs.
  func restart() {
    feed?.reset()
    node?.reset()
  }

  /// Takes the frames that the microphone has recorded in a cycle.
  func append(_ samples: Plane<Float>, frames: Int) { feed?.append(samples, frames: frames) }
}
