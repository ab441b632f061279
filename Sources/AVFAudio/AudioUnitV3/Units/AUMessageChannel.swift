import Foundation

/// A host's function that a unit sends messages to: a dictionary of property-list values, which is answered by another.
public typealias CallHostBlock = ([AnyHashable: Any]) -> [AnyHashable: Any]

/// A way for messages between a unit and its host, of which both know the meaning: what ``AUAudioUnit/messageChannel(for:)``
/// returns. It may outlive its unit.
///
/// On Apple's systems both members are optional: here they are there without being written.
public protocol AUMessageChannel: AnyObject {
  /// Takes a message of the host; an empty dictionary, unless the unit answers.
  func callAudioUnit(_ message: [AnyHashable: Any]) -> [AnyHashable: Any]
  /// The host's function for messages of the unit; nil: none. Not kept, unless the unit does so.
  var callHostBlock: CallHostBlock? { get set }
}

extension AUMessageChannel {
  /// Answers with nothing.
  public func callAudioUnit(_ message: [AnyHashable: Any]) -> [AnyHashable: Any] { [:] }
  /// Not kept.
  public var callHostBlock: CallHostBlock? {
    get { nil }
    set {}
  }
}

/// The channel of units that have none of their own: it answers with nothing, and never calls.
final class SilentMessageChannel: AUMessageChannel {
  var callHostBlock: CallHostBlock?
}
