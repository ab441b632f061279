// One run of the device that players and recorders share. `pull` runs on the hardware's thread: no allocation, no lock,
// no file. The list of what takes part is handed over whole.

import AudioCore
import Glibc
import HandOver
import Hardware
import Synchronization

/// The cycles from a start of the device to its stop.
final class SharedRun: @unchecked Sendable {
  private final class Parts: Parcel {
    let voices: [PlayerVoice]
    let microphones: [MicrophoneRing]
    init(_ voices: [PlayerVoice], _ microphones: [MicrophoneRing]) {
      self.voices = voices
      self.microphones = microphones
    }
  }

  /// The edit side's.
  var format: PlayerVoice.Format
  private let parts = Mailbox(Parts([], []))
  /// Odd while a pull is under way.
  private let pulls = Atomic<UInt64>(0)

  init(_ format: PlayerVoice.Format) { self.format = format }

  /// Lets others take part from the next cycle on, and returns when no pull works with those before any more.
  func send(_ voices: [PlayerVoice], _ microphones: [MicrophoneRing]) {
    parts.send(Parts(voices, microphones))
    let present = pulls.load(ordering: .sequentiallyConsistent)
    while present & 1 == 1, pulls.load(ordering: .sequentiallyConsistent) == present { usleep(20) }
  }

  /// Frees what has taken part. Edit side.
  func collect() { parts.collect() }

  /// One cycle.
  func pull(_ cycle: DeviceCycle) -> AudioStatus {
    pulls.add(1, ordering: .sequentiallyConsistent)
    defer { pulls.add(1, ordering: .sequentiallyConsistent) }
    _ = parts.adopt()
    parts.present._withUnsafeGuaranteedRef { parcel in
      let parts = unsafeDowncast(parcel, to: Parts.self)
      for microphone in parts.microphones { microphone.take(cycle) }
      for voice in parts.voices {
        voice.render(at: cycle.time.sampleTime, frames: cycle.frames, into: cycle.output)
      }
    }
    return .noError
  }
}
