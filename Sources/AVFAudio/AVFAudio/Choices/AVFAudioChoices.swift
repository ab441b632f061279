import AudioCore
import BuiltInUnits
import Foundation
import Glibc

/// Behaviour that Apple's documentation leaves open, or in which its systems differ from one another. Not part of Apple's
/// interface.
///
/// A program that is to be tested against another behaviour sets ``standard`` before it makes its objects, or is started
/// with `AUBENCH_AVFAUDIO`: names and values with `=` between them, and commas or blanks in between. An object keeps the
/// choices that were standard when it was made; an engine's hold for all its nodes.
/// So `AVFAudioChoices.standard.tapBuffers = .device` in front of `AVAudioEngine()` does what
/// `AUBENCH_AVFAUDIO="tapBuffers=device, lateFrames=playedLate"` does for tap buffers.
public struct AVFAudioChoices: Hashable, Sendable {
  /// The frames of a tap's buffers.
  public enum TapBuffers: String, CaseIterable, Sendable {
    /// As many as were asked for.
    case exact
    /// As many as were asked for, but at least 100 ms and at most 400 ms of the tap's rate.
    case device
    /// Those of a slice, whatever was asked for.
    case slice
  }

  /// The gains of a mono source at a mixer with two outputs, for a pan p of −1 to 1.
  public enum MonoPan: String, CaseIterable, Sendable {
    /// cos and sin of π/4·(1 + p): −3 dB in the middle.
    case equalPower
    /// (1 − p)/2 and (1 + p)/2: −6 dB in the middle.
    case linear
    /// 1 on both sides in the middle; the far side is 1 − |p|.
    case unityCentre
  }

  /// The place where taps and completion handlers are called in offline manual rendering.
  public enum OfflineCalls: String, CaseIterable, Sendable {
    /// The thread that renders, before the render call returns.
    case renderingThread
    /// A serial queue of the engine, at some time.
    case queue
  }

  /// The moments of the three types of completion handlers of a player node.
  public enum CompletionTypes: String, CaseIterable, Sendable {
    /// All three behind the slice with the last frame.
    case oneMoment
    /// `dataConsumed`, and handlers without a type, behind the slice with the first frame; `dataRendered` behind that with
    /// the last one; `dataPlayedBack` behind that in which the last one has passed all nodes up to the loudspeaker.
    case byType
  }

  /// Frames that a player node is given when their time has passed.
  public enum LateFrames: String, CaseIterable, Sendable {
    /// They are left out: what follows is at its time.
    case leftOut
    /// All are played from now on.
    case playedLate
  }

  /// The engine at the end of an interruption that stopped it.
  public enum Interruptions: String, CaseIterable, Sendable {
    /// It stays paused until the program starts it.
    case stayPaused
    /// It starts by itself, where the system advises to resume.
    case resume
  }

  /// `AVAudioPlayer.currentTime` behind the end of the sound, until the player plays again or is set to another time.
  public enum TimeAtEnd: String, CaseIterable, Sendable {
    case zero, duration
  }

  /// `setActive(false)` of a session while engines, players or recorders run: the error '!act' in each case.
  public enum RunningDeactivation: String, CaseIterable, Sendable {
    /// They are paused, and the session is inactive.
    case stops
    /// They run on, and the session is inactive.
    case keepsRunning
    /// They run on, and the session stays active.
    case refused
  }

  /// The place where delegates and notifications of the hardware's events are called.
  public enum CallThread: String, CaseIterable, Sendable {
    /// The thread on which it happens, while the hardware's time stands still.
    case hardware
    /// The main queue, at some time: the hardware does not wait.
    case mainQueue
  }

  /// An `AVAudioPlayer` whose output is unplugged.
  public enum LostDevice: String, CaseIterable, Sendable {
    /// It goes on by what takes the output's place.
    case continues
    /// It is paused.
    case pauses
  }

  /// The frames of a tap's buffers.
  public var tapBuffers = TapBuffers.exact
  /// The pan law of mono sources at mixer nodes.
  public var monoPan = MonoPan.equalPower
  /// The place of calls in offline manual rendering.
  public var offlineCalls = OfflineCalls.renderingThread
  /// The moments of completion handlers.
  public var completionTypes = CompletionTypes.oneMoment
  /// Late frames of player nodes.
  public var lateFrames = LateFrames.leftOut
  /// The engine behind an interruption.
  public var interruptions = Interruptions.stayPaused
  /// The time of a player that has ended.
  public var timeAtEnd = TimeAtEnd.zero
  /// Deactivation of a session in use.
  public var runningDeactivation = RunningDeactivation.stops
  /// The thread of the delegates of `AVAudioPlayer` and `AVAudioRecorder`.
  public var delegateCalls = CallThread.hardware
  /// The thread of the notifications of sessions and engines.
  public var notifications = CallThread.hardware
  /// A player whose output is unplugged.
  public var lostDevice = LostDevice.continues
  /// Percent, 0 to 100: the mix of an `AVAudioUnitReverb` at first. What lies beyond is the nearer end.
  public var reverbWetDryMix: Float = 100
  /// Seconds, 0 to 10, from the next cycle to the first frame of `AVAudioPlayer.play()`. What lies beyond is the nearer end.
  public var playerStartDelay: TimeInterval = 0

  /// The first alternative of each.
  public init() {}

  private static let present = Locked(ofEnvironment())

  /// The choices of objects that are made from now on. Any thread.
  public static var standard: AVFAudioChoices {
    get { present.withLock { $0 } }
    set { present.withLock { $0 = newValue } }
  }

  /// A program that is to be tested against a choice must not pass without it: a text that names none ends the process.
  private static func ofEnvironment() -> AVFAudioChoices {
    do { return try AVFAudioChoices(FileSystem.environment("AUBENCH_AVFAUDIO") ?? "") } catch {
      ErrorLine.write("AUBENCH_AVFAUDIO: \((error as NSError).localizedDescription)")
      exit(EX_CONFIG)
    }
  }

  /// The unit's name for a pan law.
  var mixerLaw: MonoPanLaw {
    switch monoPan {
    case .equalPower: .equalPower
    case .linear: .linear
    case .unityCentre: .unityCentre
    }
  }
}
