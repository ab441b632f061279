// A link that plays to the simulated hardware, and records from it: an engine, a player. `render` and `hear` are called on the
// hardware's thread: they neither allocate, lock nor wait.

import AVFAudioFiles
import AudioCore
import AudioEngine
import DeviceUnits
import Foundation
import Hardware

/// A client's hold on the hardware, from its start to its stop: an output unit that asks for one slice after another.
///
/// The formats are those that the hardware had when the hold began. A change of the hardware's rate or channels ends it:
/// the client begins another.
final class HardwareLink: @unchecked Sendable {
  /// The functions of a client.
  struct Client {
    /// Renders frames, which will be heard from the time on, into a buffer of all channels, interleaved.
    let render: (_ time: DeviceTime, _ frames: Int, _ output: Plane<Float>) -> AudioStatus
    /// Takes what the microphone has recorded from the time on, in front of the same cycle's ``render``.
    var hear: ((_ time: DeviceTime, _ frames: Int, _ input: BusBuffer) -> Void)?
    /// Makes the calls of the program's functions that are due behind a cycle, on a thread beside the hardware's.
    var makeCalls: (() -> Void)?
    /// The hardware has stopped it by itself.
    var wasStopped: (() -> Void)?
  }

  let hardware: SimulatedHardware
  let output: DeviceOutput
  /// The formats between client and hardware: Float32, a buffer for each channel.
  let format: AVAudioFormat
  let inputFormat: AVAudioFormat
  private let client: Client

  /// Takes hold of the hardware.
  /// - Parameters:
  ///   - records: true to hear the microphone.
  ///   - voice: true for a unit that takes the echo of its output out of what it hears.
  /// - Throws: `NSError`: −10875 where there is no microphone to hear, or another unit has the hardware; '!pla' or '!rec'
  ///   while it is interrupted.
  init(_ hardware: SimulatedHardware, records: Bool, voice: Bool = false, _ client: Client) throws {
    self.hardware = hardware
    self.client = client
    output = DeviceOutput(voice ? .voiceProcessing : .remoteIO, hardware: hardware, refusesFormats: false)
    format = hardware.outputFormat
    inputFormat = AVAudioFormat(planar: hardware.configuration.inputFormat)
    guard !hardware.isInterrupted else { throw Self.interrupted(records: records) }
    if records, !hardware.hasMicrophone {
      throw NSError(.failedInitialization, "the hardware has no microphone: inputNode.inputFormat has no channels")
    }
    do {
      if records { try output.setProperty(.enableIO, .input, element: 1, to: .uint32(1)) }
      output.startsTimestampsAtZero = false
      try output.initialize()
    } catch {
      throw NSError(error, output.renderFailure?.description)
    }
    guard records, let hear = client.hear else { return }
    output.inputAvailable = { [unowned output] time, frames in
      do throws(AudioStatus) {
        hear(time, frames, try output.render(output: 1, sampleTime: time.sampleTime, frames: frames))
      } catch {}
    }
  }

  /// Begins, or goes on after ``pause()``: the clock of frames goes on too.
  /// - Throws: as ``init(_:records:voice:_:)``.
  func start() throws {
    guard !hardware.isInterrupted else { throw Self.interrupted(records: output.isInputEnabled) }
    do throws(AudioStatus) {
      // A change of format ends the hold: nothing is to be set up anew.
      try output.start(
        render: client.render, formatDidChange: {}, wasStopped: client.wasStopped, afterCycle: client.makeCalls)
    } catch {
      throw NSError(error, "the hardware does not start")
    }
  }

  /// Stops for now. Not with a lock that the hardware's thread may want.
  func pause() { output.stop() }

  /// Stops, and gives the hardware back. Not with a lock that the hardware's thread may want.
  func end() { output.uninitialize() }

  /// '!rec' and '!pla'.
  private static func interrupted(records: Bool) -> NSError {
    NSError(AudioStatus(records ? 0x2172_6563 : 0x2170_6C61), "the hardware is interrupted: start when that has ended")
  }

  /// Copies channels into a cycle's buffer, each into its own place or as a map says: for each place the channel that it
  /// takes. A place that has none, or one that is not there, is silent.
  static func interleave(_ source: BusBuffer, into output: Plane<Float>, offset: Int, frames: Int, map: [Int]? = nil) {
    let channels = source.count
    for channel in 0..<channels {
      let from = map.map { channel < $0.count ? $0[channel] : -1 } ?? channel
      guard (0..<channels).contains(from) else {
        for frame in 0..<frames { output[(offset + frame) * channels + channel] = 0 }
        continue
      }
      let plane = source.planes[from]
      for frame in 0..<frames { output[(offset + frame) * channels + channel] = plane[frame] }
    }
  }
}

extension SimulatedHardware {
  /// The format in which programs play: Float32, a buffer for each channel.
  var outputFormat: AVAudioFormat { AVAudioFormat(planar: configuration.streamFormat) }
}

extension AVAudioFormat {
  /// The standard format of a stream's rate and channels; more than two have numbers for loudspeakers.
  convenience init(planar stream: StreamFormat) {
    let count = UInt32(clamping: stream.channelCount)
    self.init(
      stream.floatPlanar,
      layout: count > 2 ? AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | count) : nil)
  }
}
