import AudioCore

/// Reasons, in words, why a stream format was refused: the channels and samples expected, and those found.
extension Unit {
  /// The channel counts that the unit takes and gives: `1 in and 1 out, or 2 in and 2 out`.
  package var channelCountsInWords: String {
    knownCapabilities.map { pair in
      switch (pair.inputChannels, pair.outputChannels) {
      case (-1, -1): "as many channels out as in"
      case (..<0, ..<0): "any number of channels in and out"
      case (..<0, let out): "any number of channels in and \(out) out"
      case (let into, ..<0): "\(into) in and any number of channels out"
      case (let into, let out): "\(into) in and \(out) out"
      }
    }.joined(separator: ", or ")
  }

  /// ``channelCapabilities``, also where these are left empty.
  final var knownCapabilities: [ChannelCapability] { channelCapabilities.isEmpty ? [.equal] : channelCapabilities }

  /// The channel counts of one bus.
  private func channelCounts(_ scope: Scope) -> String {
    let counts = channelCapabilities.map { scope == .input ? $0.inputChannels : $0.outputChannels }
    guard !counts.isEmpty, counts.allSatisfy({ $0 >= 0 }) else {
      return "\(StreamFormat.channelCountRange.lowerBound) to \(StreamFormat.channelCountRange.upperBound)"
    }
    return Set(counts).sorted().map(String.init).joined(separator: " or ")
  }

  /// The formats that a bus takes: `1 or 2 channels of 32-bit float, a buffer for each`.
  /// - Parameter format: the format that was refused, if known.
  package func expectation(insteadOf format: StreamFormat? = nil, _ scope: Scope, element: Int) -> String {
    if let format, let unit = self as? any FormatExplainingUnit,
      let own = unit.ownExpectation(insteadOf: format, scope, element: element)
    {
      return own
    }
    let counts = NumberText.count(channelCounts(scope), "channel")
    return takesOnlyFloatPlanar(scope, element: element) ? counts + " of 32-bit float, a buffer for each" : counts
  }

  /// The reason why a bus does not take `format`, which is nil where it is no linear PCM that can be read at all.
  package func refusal(of format: StreamFormat?, _ scope: Scope, element: Int) -> String {
    let found = format.map { "\($0)" } ?? "a description of no PCM that can be read"
    let hardware = self as? any HardwareUnit
    if let format, let (refusal, expected) = hardware?.hardwareRefusal(of: format) {
      return "found \(found), expected \(expected): the scenario's device refuses \"\(refusal)\""
    }
    let refused = (hardware?.hardwareRefusals ?? []).map { "\"\($0)\"" }
    let device = refused.isEmpty ? "" : "; the scenario's device refuses \(refused.joined(separator: ", "))"
    return "found \(found), expected \(expectation(insteadOf: format, scope, element: element))\(device)"
  }

  /// True when samples of another kind than the unit computes in are refused. Not asked of third-party units: to be
  /// asked is to be set, for them.
  private func takesOnlyFloatPlanar(_ scope: Scope, element: Int) -> Bool {
    guard !runsForeignCode else { return false }
    let integers = StreamFormat(sampleRate: 44_100, channelCount: 1, encoding: .int16, isInterleaved: true)
    do {
      try check(integers, scope, element: element)
      return false
    } catch { return error == .formatNotSupported }
  }

  /// The reason why the formats of the unit's buses do not go together.
  package var disagreement: String {
    if let renderFailure { return "\(renderFailure)" }
    let input = inputs.first.map { "\($0.format)" } ?? "nothing"
    let output = outputs.first.map { "\($0.format)" } ?? "nothing"
    let rule = component.description.type == .effect ? "the same format on both sides, " : ""
    return "found \(input) in and \(output) out, expected \(rule)\(channelCountsInWords)"
  }
}

/// A unit that says in words which formats it takes, where its ``Unit/channelCapabilities`` cannot.
package protocol FormatExplainingUnit: Unit {
  /// The formats that a bus takes in place of one that was refused; nil: those of the capabilities.
  func ownExpectation(insteadOf format: StreamFormat, _ scope: Scope, element: Int) -> String?
  /// The formats that an input takes, for the advice to convert what comes in; nil: any number of channels.
  var inputInWords: String? { get }
}

extension FormatExplainingUnit {
  package func ownExpectation(insteadOf format: StreamFormat, _ scope: Scope, element: Int) -> String? { nil }
  package var inputInWords: String? { nil }
}
