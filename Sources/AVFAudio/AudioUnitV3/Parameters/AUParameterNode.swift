import AVFAudioFiles
import AudioCore
import Foundation

/// Calls of an observer: the address of a parameter, and its new value.
public typealias AUParameterObserver = (AUParameterAddress, AUValue) -> Void
/// Calls of an observer that records: a number of changes with their host times.
public typealias AUParameterRecordingObserver = (Int, UnsafePointer<AURecordedParameterEvent>) -> Void
/// Calls of an observer that records automation: changes with host times, and with touches of controls.
public typealias AUParameterAutomationObserver = (Int, UnsafePointer<AUParameterAutomationEvent>) -> Void
/// Stands for an observer when it is removed, and for the origin of a change that it need not hear of.
public typealias AUParameterObserverToken = UnsafeMutableRawPointer

/// Hands a new value to the unit's implementation.
public typealias AUImplementorValueObserver = (AUParameter, AUValue) -> Void
/// Reads the present value from the unit's implementation.
public typealias AUImplementorValueProvider = (AUParameter) -> AUValue
/// A value as text; nil stands for the present value.
public typealias AUImplementorStringFromValueCallback = (AUParameter, UnsafePointer<AUValue>?) -> String
/// The value of a text.
public typealias AUImplementorValueFromStringCallback = (AUParameter, String) -> AUValue
/// A name of at most so many characters.
public typealias AUImplementorDisplayNameWithLengthCallback = (AUParameterNode, Int) -> String

/// A parameter, or a group of them. Any thread may read and set values; trees are built before they are used.
open class AUParameterNode: NSObject, @unchecked Sendable {
  /// A name for programs, unique among the children of a group: letters, digits and underscores.
  public let identifier: String
  /// A name for people.
  public let displayName: String
  /// The group that the node is in; set when the group is made.
  package internal(set) weak var parent: AUParameterGroup?

  private enum Observer {
    case value(AUParameterObserver)
    case recording(AUParameterRecordingObserver)
    case automation(AUParameterAutomationObserver)
  }
  private let observers = Locked<[(token: AUParameterObserverToken, observer: Observer)]>([])

  init(identifier: String, name: String) {
    self.identifier = identifier
    displayName = name
  }

  deinit { for entry in observers.withLock({ $0 }) { entry.token.deallocate() } }

  /// The identifiers from below the root down to here, with dots between them; empty for the root.
  public var keyPath: String {
    guard let parent else { return self is AUParameterTree ? "" : identifier }
    let path = parent.keyPath
    return path.isEmpty ? identifier : "\(path).\(identifier)"
  }

  /// A name of at most so many characters: the implementation's, or the beginning of ``displayName``.
  public func displayName(withLength maximumLength: Int) -> String {
    if let callback = nearest(\.implementorDisplayNameWithLengthCallback) { return callback(self, maximumLength) }
    return String(displayName.prefix(max(0, maximumLength)))
  }

  // MARK: Observers

  /// Has a function called for each change of a parameter at or below this node, on the thread that makes the change,
  /// before the setter returns. Changes that events bring while sound is rendered call nothing.
  public func token(byAddingParameterObserver observer: @escaping AUParameterObserver) -> AUParameterObserverToken {
    add(.value(observer))
  }

  /// The same with the host time of the change.
  public func token(
    byAddingParameterRecordingObserver observer: @escaping AUParameterRecordingObserver
  ) -> AUParameterObserverToken {
    add(.recording(observer))
  }

  /// The same with the host time, and the kind of touch.
  public func token(
    byAddingParameterAutomationObserver observer: @escaping AUParameterAutomationObserver
  ) -> AUParameterObserverToken {
    add(.automation(observer))
  }

  private func add(_ observer: Observer) -> AUParameterObserverToken {
    // An address of its own, which lives as long as the observer does.
    let token = AUParameterObserverToken.allocate(byteCount: 1, alignment: 1)
    observers.withLock { $0.append((token, observer)) }
    return token
  }

  /// Ends an observer. A token that is none of this node's is left alone.
  public func removeParameterObserver(_ token: AUParameterObserverToken) {
    let removed = observers.withLock { list -> Bool in
      guard let index = list.firstIndex(where: { $0.token == token }) else { return false }
      list.remove(at: index)
      return true
    }
    if removed { token.deallocate() }
  }

  /// Calls the observers of this node and of the groups that it is in, without that of the origin.
  func notify(_ event: AUParameterAutomationEvent, originator: AUParameterObserverToken?) {
    for (token, observer) in observers.withLock({ $0 }) where token != originator {
      switch observer {
      case .value(let call): call(event.address, event.value)
      case .recording(let call):
        var recorded = AURecordedParameterEvent(hostTime: event.hostTime, address: event.address, value: event.value)
        call(1, &recorded)
      case .automation(let call):
        var recorded = event
        call(1, &recorded)
      }
    }
    parent?.notify(event, originator: originator)
  }

  // MARK: The implementation's side

  /// Called with each new value, before the observers. A node without one uses that of the nearest group around it.
  public var implementorValueObserver: AUImplementorValueObserver?
  /// Gives present values, in place of the one that was set last. Inherited in the same way, as are the next three.
  public var implementorValueProvider: AUImplementorValueProvider?
  /// Writes values for people.
  public var implementorStringFromValueCallback: AUImplementorStringFromValueCallback?
  /// Reads values that people have written.
  public var implementorValueFromStringCallback: AUImplementorValueFromStringCallback?
  /// Gives short names.
  public var implementorDisplayNameWithLengthCallback: AUImplementorDisplayNameWithLengthCallback?

  /// The function of this node, or of the nearest group around it that has one.
  func nearest<Function>(_ path: KeyPath<AUParameterNode, Function?>) -> Function? {
    self[keyPath: path] ?? parent?.nearest(path)
  }
}
