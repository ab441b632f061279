import AVFAudioFiles
import AudioCore
import AudioUnitV3
import Foundation

extension AVFAudioChoices: CustomStringConvertible {
  /// A choice by its name: for texts, and for the table of the guide.
  package struct Row: Sendable {
    package let name: String
    /// The texts of the alternatives, the default first; of a number its default and range.
    package let alternatives: [String]
    package let text: @Sendable (AVFAudioChoices) -> String
    /// - Returns: false for a text that is none of the alternatives.
    package let set: @Sendable (inout AVFAudioChoices, String) -> Bool
  }

  private static func row<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ path: WritableKeyPath<AVFAudioChoices, Value> & Sendable
  ) -> Row {
    Row(name: name, alternatives: Value.allCases.map(\.rawValue)) {
      $0[keyPath: path].rawValue
    } set: {
      guard let value = Value(rawValue: $1) else { return false }
      $0[keyPath: path] = value
      return true
    }
  }

  private static func row<Value: BinaryFloatingPoint & LosslessStringConvertible & Sendable>(
    _ name: String, _ path: WritableKeyPath<AVFAudioChoices, Value> & Sendable, in range: ClosedRange<Double>
  ) -> Row {
    func short(_ value: Double) -> String { NumberText.short(value) }
    return Row(
      name: name,
      alternatives: [
        short(Double(AVFAudioChoices()[keyPath: path])), "\(short(range.lowerBound)) to \(short(range.upperBound))",
      ]
    ) {
      NumberText.short(Double($0[keyPath: path]))
    } set: {
      guard let value = Value($1), range.contains(Double(value)) else { return false }
      $0[keyPath: path] = value
      return true
    }
  }

  /// All choices.
  package static let rows = [
    row("tapBuffers", \.tapBuffers), row("monoPan", \.monoPan), row("offlineCalls", \.offlineCalls),
    row("completionTypes", \.completionTypes), row("lateFrames", \.lateFrames),
    row("interruptions", \.interruptions), row("timeAtEnd", \.timeAtEnd),
    row("runningDeactivation", \.runningDeactivation), row("delegateCalls", \.delegateCalls),
    row("notifications", \.notifications), row("lostDevice", \.lostDevice),
    row("reverbWetDryMix", \.reverbWetDryMix, in: 0...100), row("playerStartDelay", \.playerStartDelay, in: 0...10),
  ]

  /// The choices of a text such as `tapBuffers=device, lateFrames=playedLate`; those that it does not name are the
  /// defaults.
  /// - Throws: `NSError` −50 for a name or a value that there is not, with those that there are.
  public init(_ text: String) throws {
    self.init()
    for word in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let row = Self.rows.first(where: { $0.name == parts[0] }) else {
        throw NSError(
          .parameterError, "'\(parts[0])' is no choice: there are \(Self.rows.map(\.name).joined(separator: ", "))")
      }
      guard parts.count == 2, row.set(&self, parts[1]) else {
        throw NSError(
          .parameterError, "'\(word)': \(row.name) is one of \(row.alternatives.joined(separator: ", "))")
      }
    }
  }

  /// All choices, as ``init(_:)`` reads them.
  public var description: String { Self.rows.map { "\($0.name)=\($0.text(self))" }.joined(separator: ", ") }
}

extension AVFAudioChoices.CallThread {
  /// Calls a function here, or lets the main queue do so.
  func run(_ body: @escaping () -> Void) {
    switch self {
    case .hardware: body()
    case .mainQueue:
      let call = HandedOver(value: body)
      // An operation: Foundation has observers on the main queue run at once within one, and waits for them else.
      OperationQueue.main.addOperation { call.value() }
    }
  }
}
