import AVFAudioFiles
import AudioCore
import Foundation
import Hardware

/// The requests of the process to the audio hardware, and what happens to the process: one session, on the simulated
/// hardware. The functions of `AudioSession` in C have settings of their own.
///
/// Requests are wishes: the hardware's `sampleRate`, `ioBufferDuration` and numbers of channels say what has become of
/// them. Under a scenario its events are notifications, posted on the hardware's thread while its time stands still.
open class AVAudioSession: NSObject, @unchecked Sendable {
  private static let shared = AVAudioSession(hardware: .shared)

  /// The session of the process.
  public class func sharedInstance() -> AVAudioSession { shared }

  let hardware: SimulatedHardware
  let choices: AVFAudioChoices
  var model: AudioSessionModel { hardware.session }

  /// Settings that the model of the session does not know: kept, and without effect on the simulated hardware.
  struct Kept {
    var otherOptions: CategoryOptions = []
    var policy = RouteSharingPolicy.default
    var inputChannels = 0
    var outputChannels = 0
    var inputOrientation = StereoOrientation.none
    var allowsHaptics = false
    var prefersNoAlerts = false
    var prefersInterruptionOnDisconnect = false
    var supportsMultichannel = false
    var prefersEchoCancelledInput = false
    var permission = RecordPermission.undetermined
  }
  let kept = Locked(Kept())

  /// A session of other hardware than the process's own.
  package init(hardware: SimulatedHardware, choices: AVFAudioChoices = .standard) {
    self.hardware = hardware
    self.choices = choices
    super.init()
    model.use()
    model.observe { [weak self] in self?.post($0) }
  }

  static func error(_ code: ErrorCode, _ text: String) -> NSError {
    NSError(domain: NSOSStatusErrorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: text])
  }

  // MARK: Category and mode

  /// The categories that there are.
  public var availableCategories: [Category] { Category.known.map(\.category) }

  /// The category; `soloAmbient` at first.
  public var category: Category {
    let present = model.state.category
    // Those of former interfaces have no name here.
    return Category.known.first { $0.state == present }?.category ?? .ambient
  }

  /// The options of the category.
  public var categoryOptions: CategoryOptions {
    let known = CategoryOptions(rawValue: model.state.options.rawValue).intersection(.modelled)
    return known.union(kept.withLock { $0.otherOptions })
  }

  /// The policy that was set with the category.
  public var routeSharingPolicy: RouteSharingPolicy { kept.withLock { $0.policy } }

  /// The modes that the category can have.
  public var availableModes: [Mode] {
    let category = model.state.category
    return Mode.known.filter { $0.state.isAllowed(in: category) }.map(\.mode)
  }

  /// The mode; `default` at first.
  public var mode: Mode {
    let present = model.state.mode
    return Mode.known.first { $0.state == present }?.mode ?? .default
  }

  /// Sets the category, without options; a mode that it has not becomes the default one.
  /// - Throws: −50 for a category that is not known.
  public func setCategory(_ category: Category) throws { try setCategory(category, options: []) }

  /// Sets category and options; a mode that the category has not becomes the default one.
  /// - Throws: −50 for a category that is not known, or options that it cannot have.
  public func setCategory(_ category: Category, options: CategoryOptions = []) throws {
    try set(category, mode: nil, policy: nil, options)
  }

  /// Sets category, mode and options at once.
  /// - Throws: −50 for what is not known, or options that the category cannot have; '!cat' for a mode that it has not.
  public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
    try set(category, mode: mode, policy: nil, options)
  }

  /// Sets category, mode, policy and options at once. The policy is kept, and changes nothing.
  /// - Throws: as ``setCategory(_:mode:options:)``.
  public func setCategory(
    _ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = []
  ) throws { try set(category, mode: mode, policy: policy, options) }

  private func set(
    _ category: Category, mode: Mode?, policy: RouteSharingPolicy?, _ options: CategoryOptions
  ) throws {
    guard let wanted = Category.known.first(where: { $0.category == category })?.state else {
      throw Self.error(.badParam, "\(category.rawValue): no category of a session")
    }
    let refused = options.subtracting(CategoryOptions.allowed(in: wanted))
    guard refused.isEmpty else {
      throw Self.error(.badParam, "\(category.rawValue) has no options of the number \(refused.rawValue)")
    }
    let wantedMode = try mode.map { try state(of: $0, in: wanted) }
    kept.withLock { kept in
      kept.otherOptions = options.subtracting(.modelled)
      kept.policy = policy ?? .default
    }
    model.change(.categoryChange, alwaysTells: model.state.category != wanted) { session in
      session.category = wanted
      session.options = SessionState.Options(rawValue: options.intersection(.modelled).rawValue)
      session.overridesWithSpeaker = false
      session.mode = wantedMode ?? (session.mode.isAllowed(in: wanted) ? session.mode : .standard)
    }
  }

  /// Sets the mode.
  /// - Throws: −50 for one that is not known, '!cat' for one that the category has not.
  public func setMode(_ mode: Mode) throws {
    let wanted = try state(of: mode, in: model.state.category)
    model.change(.categoryChange) { $0.mode = wanted }
  }

  private func state(of mode: Mode, in category: SessionState.Category) throws -> SessionState.Mode {
    guard let state = Mode.known.first(where: { $0.mode == mode })?.state else {
      throw Self.error(.badParam, "\(mode.rawValue): no mode of a session")
    }
    guard state.isAllowed(in: category) else {
      throw Self.error(.incompatibleCategory, "\(mode.rawValue): the category \(category) has no such mode")
    }
    return state
  }

  // MARK: Activation

  /// Activates the session, or ends that.
  /// - Throws: '!pri' while the hardware is interrupted, '!rec' for a category that only records where there is no
  ///   microphone; '!act' where it is deactivated while something plays or records: engines, players and recorders are
  ///   paused, and the session is inactive all the same, unless ``AVFAudioChoices/runningDeactivation`` says otherwise.
  public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
    let isBusy = !active && hardware.runningDevices > 0
    if isBusy, choices.runningDeactivation == .refused { throw Self.busy }
    do throws(AudioSessionModel.Refusal) {
      try model.setActive(active)
    } catch {
      switch error {
      case .interrupted: throw Self.error(.insufficientPriority, "the hardware is interrupted: activate when that ends")
      case .noMicrophone: throw Self.error(.cannotStartRecording, "there is no microphone to record with")
      }
    }
    guard isBusy else { return }
    if choices.runningDeactivation == .stops { SessionClients.of(hardware).deactivate() }
    throw Self.busy
  }

  private static var busy: NSError {
    error(.isBusy, "something plays or records: stop it in front of deactivation")
  }

  /// As ``setActive(_:options:)`` with true, with the answer for a function, which is called before this returns.
  public func activate(options: ActivationOptions, completionHandler handler: @escaping (Bool, (any Error)?) -> Void) {
    do {
      try setActive(true)
      handler(true, nil)
    } catch { handler(false, error) }
  }

  /// As ``setActive(_:options:)`` with true.
  public func activate(options: ActivationOptions) async throws -> Bool {
    try setActive(true)
    return true
  }

  // MARK: Permission

  /// The user's answer: not asked at first. There is nobody to say no: a request is granted.
  public var recordPermission: RecordPermission { kept.withLock { $0.permission } }

  /// Asks for the microphone. The function is called before this returns.
  public func requestRecordPermission(_ response: @escaping (Bool) -> Void) {
    let isGranted = kept.withLock { kept in
      if kept.permission == .undetermined { kept.permission = .granted }
      return kept.permission == .granted
    }
    response(isGranted)
  }

  /// Sets the answer, for tests of what a program does without the microphone. Not part of Apple's interface.
  public func simulateRecordPermission(_ permission: RecordPermission) { kept.withLock { $0.permission = permission } }
}
