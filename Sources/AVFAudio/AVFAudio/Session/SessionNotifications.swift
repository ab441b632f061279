import AVFAudioFiles
import AudioCore
import Foundation
import Hardware

/// In an interruption's dictionary: ``AVAudioSession/InterruptionType``, as its number.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// At the end of an interruption: ``AVAudioSession/InterruptionOptions``, as its number.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
/// At the beginning of an interruption: ``AVAudioSession/InterruptionReason``, as its number.
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"
/// At the beginning of an interruption: true where the program was suspended. Never there.
public let AVAudioSessionInterruptionWasSuspendedKey = "AVAudioSessionInterruptionWasSuspendedKey"
/// With a change of route: ``AVAudioSession/RouteChangeReason``, as its number.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
/// With a change of route: the ``AVAudioSessionRouteDescription`` of before.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"
/// With the advice of silence: ``AVAudioSession/SilenceSecondaryAudioHintType``, as its number.
public let AVAudioSessionSilenceSecondaryAudioHintTypeKey = "AVAudioSessionSilenceSecondaryAudioHintTypeKey"
/// With a change of what can play spatial sound: whether it is enabled.
public let AVAudioSessionSpatialAudioEnabledKey = "AVAudioSessionSpatialAudioEnabledKey"
/// With another rendering mode: ``AVAudioSession/RenderingMode``, as its number.
public let AVAudioSessionRenderingModeNewRenderingModeKey = "AVAudioSessionRenderingModeNewRenderingModeKey"

extension AVAudioSession {
  /// An interruption has begun: the session is inactive, and what ran has stopped. Or it has ended.
  public static let interruptionNotification = NSNotification.Name("AVAudioSessionInterruptionNotification")
  /// The route has changed, or the category.
  public static let routeChangeNotification = NSNotification.Name("AVAudioSessionRouteChangeNotification")
  /// The system's audio has ended. Never posted: the simulated hardware stays.
  public static let mediaServicesWereLostNotification = NSNotification.Name(
    "AVAudioSessionMediaServicesWereLostNotification")
  /// The system's audio is there again. Never posted: the simulated hardware stays.
  public static let mediaServicesWereResetNotification = NSNotification.Name(
    "AVAudioSessionMediaServicesWereResetNotification")
  /// Another program's sound has begun or ended while the session is active.
  public static let silenceSecondaryAudioHintNotification = NSNotification.Name(
    "AVAudioSessionSilenceSecondaryAudioHintNotification")

  /// A port can play spatial sound, or cannot any more. Never posted: none of the simulated hardware can.
  public static let spatialPlaybackCapabilitiesChangedNotification = NSNotification.Name(
    "AVAudioSessionSpatialPlaybackCapabilitiesChangedNotification")
  /// Another ``renderingMode``. Never posted: it stays.
  public static let renderingModeChangeNotification = NSNotification.Name(
    "AVAudioSessionRenderingModeChangeNotification")
  /// Other ``supportedOutputChannelLayouts``. Never posted: changes of route leave the channels as they are.
  public static let renderingCapabilitiesChangeNotification = NSNotification.Name(
    "AVAudioSessionRenderingCapabilitiesChangeNotification")

  /// Posts what an event of the model is to the program.
  func post(_ event: AudioSessionModel.Event) {
    switch event {
    case .interruptionBegan:
      post(
        Self.interruptionNotification,
        [
          AVAudioSessionInterruptionTypeKey: InterruptionType.began.rawValue,
          AVAudioSessionInterruptionReasonKey: InterruptionReason.default.rawValue,
        ])
    case .interruptionEnded(let resumes):
      let options: InterruptionOptions = resumes ? .shouldResume : []
      post(
        Self.interruptionNotification,
        [
          AVAudioSessionInterruptionTypeKey: InterruptionType.ended.rawValue,
          AVAudioSessionInterruptionOptionKey: options.rawValue,
        ])
    case .routeChanged(let former, let reason):
      post(
        Self.routeChangeNotification,
        [
          AVAudioSessionRouteChangeReasonKey: UInt(reason.rawValue),
          AVAudioSessionRouteChangePreviousRouteKey: description(of: former),
        ])
    case .otherAudioChanged:
      guard model.state.isActive else { return }
      let type: SilenceSecondaryAudioHintType = hardware.otherAudio == .none ? .end : .begin
      post(
        Self.silenceSecondaryAudioHintNotification, [AVAudioSessionSilenceSecondaryAudioHintTypeKey: type.rawValue])
    case .sampleRateChanged, .microphoneAppeared, .volumeChanged: break
    }
  }

  private func post(_ name: NSNotification.Name, _ userInfo: [String: Any]) {
    choices.notifications.run { NotificationCenter.default.post(name: name, object: self, userInfo: userInfo) }
  }
}
