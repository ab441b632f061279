import AVFAudioFiles
import AudioCore
import Foundation

/// The program as the user sees it: its permission to record, and whether its input is muted.
public final class AVAudioApplication: NSObject, @unchecked Sendable {
  /// The answer of the user to a request for the microphone.
  public enum RecordPermission: Int, Sendable {
    /// Not asked yet.
    case undetermined = 0x756E_6474
    case denied = 0x6465_6E79
    case granted = 0x6772_6E74
  }

  /// The key of the new state, a `Bool`, in ``inputMuteStateChangeNotification``.
  public static let muteStateKey = "AVAudioApplicationMuteStateKey"
  /// Posted when ``isInputMuted`` changes.
  public static let inputMuteStateChangeNotification =
    NSNotification.Name("AVAudioApplicationInputMuteStateChangeNotification")

  /// The program.
  public static let shared = AVAudioApplication()
  private override init() {}

  private let isMuted = Locked(false)
  private let handler = Locked<((Bool) -> Bool)?>(nil)

  /// The answer, which ``AVAudioSession`` keeps.
  public var recordPermission: RecordPermission {
    switch AVAudioSession.sharedInstance().recordPermission {
    case .undetermined: .undetermined
    case .denied: .denied
    case .granted: .granted
    }
  }

  /// Asks for the microphone, as `AVAudioSession.requestRecordPermission(_:)` does.
  public class func requestRecordPermission(completionHandler response: @escaping (Bool) -> Void) {
    AVAudioSession.sharedInstance().requestRecordPermission(response)
  }

  /// Asks for the microphone.
  public class func requestRecordPermission() async -> Bool {
    await withCheckedContinuation { continuation in
      requestRecordPermission { continuation.resume(returning: $0) }
    }
  }

  /// The state that was set last. It is a note for other parts of the program: sound is not changed.
  public var isInputMuted: Bool { isMuted.withLock { $0 } }

  /// Sets a function that mutes and unmutes in place of the system, and says whether it has; nil: none.
  public func setInputMuteStateChangeHandler(_ inputMuteHandler: ((Bool) -> Bool)?) throws {
    handler.withLock { $0 = inputMuteHandler }
  }

  /// Sets the state, and posts ``inputMuteStateChangeNotification`` where it changes.
  /// - Throws: `NSError` −50 where the program's function says that it has not muted or unmuted.
  public func setInputMuted(_ muted: Bool) throws {
    if isInputMuted != muted, let change = handler.withLock({ $0 }), !change(muted) {
      throw NSError(.parameterError, "the program's function has not \(muted ? "muted" : "unmuted") the input")
    }
    let changes = isMuted.withLock { isMuted in
      defer { isMuted = muted }
      return isMuted != muted
    }
    guard changes else { return }
    NotificationCenter.default.post(
      name: Self.inputMuteStateChangeNotification, object: self, userInfo: [Self.muteStateKey: muted])
  }
}
