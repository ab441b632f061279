import AudioCore
import Measurement

/// The amount that a check examined. A check that looked at nothing cannot pass.
public struct Examined: Hashable, Sendable, Codable {
  /// Frames of each channel.
  public var frames: Int64?
  /// Channels that were looked at; nil: it does not count them.
  public var channels: Int?
  /// Renders that were compared with another one.
  public var renders: Int?
  /// Points of curves that were compared with a limit, and where they lie, hertz.
  public var points: Int?
  /// Hertz; nil without points, or where they lie on no axis of frequency.
  public var lowestHertz: Double?
  /// Hertz; nil as ``lowestHertz``.
  public var highestHertz: Double?
  /// Single values: readings, numbers of frames or channels, a rate.
  public var values: Int?

  /// Sets the counts; nil: not counted.
  public init(
    frames: Int64? = nil, channels: Int? = nil, renders: Int? = nil, points: Int? = nil, lowestHertz: Double? = nil,
    highestHertz: Double? = nil, values: Int? = nil
  ) {
    self.frames = frames
    self.channels = channels
    self.renders = renders
    self.points = points
    self.lowestHertz = lowestHertz
    self.highestHertz = highestHertz
    self.values = values
  }

  /// Nothing: none of what it counts, or none of something without which the rest is nothing.
  public var isNothing: Bool {
    let counts = [frames.map { Int(clamping: $0) }, channels, renders, points, values].compactMap { $0 }
    return counts.isEmpty || counts.contains { $0 <= 0 }
  }

  /// For people: "24000 frames of 2 channels", "167 points from 20 Hz to 19.84 kHz".
  public var text: String {
    var parts: [String] = []
    if let renders { parts.append(NumberText.count(renders, "render")) }
    if let frames {
      parts.append(
        NumberText.count(frames, "frame") + (channels.map { " of \(NumberText.count($0, "channel"))" } ?? ""))
    }
    if let points {
      var text = NumberText.count(points, "point")
      if let lowestHertz, let highestHertz, points > 0 {
        text += " from \(FrequencyMask.hertz(lowestHertz)) to \(FrequencyMask.hertz(highestHertz))"
      }
      parts.append(text)
    }
    if let values { parts.append(NumberText.count(values, "value")) }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }
}

extension CheckOutcome {
  /// The outcome of a check that has found nothing to judge.
  /// - Parameter reason: "the output has no frames".
  static func nothingChecked(_ id: String, _ reason: String, expected: String) -> CheckOutcome {
    var outcome = CheckOutcome(id, .failed, found: "nothing was checked: \(reason)", expected: expected)
    outcome.examined = Examined()
    return outcome
  }

  /// With how much was looked at.
  func examining(_ examined: Examined) -> CheckOutcome {
    var outcome = self
    outcome.examined = examined
    return outcome
  }

  func examining(_ signal: AudioSignal, renders: Int? = nil) -> CheckOutcome {
    examining(Examined(frames: Int64(signal.frameCount), channels: signal.channelCount, renders: renders))
  }

  /// As it counts: what passed without having looked at anything failed.
  var judged: CheckOutcome {
    guard verdict == .passed, examined?.isNothing ?? true else { return self }
    var outcome = self
    outcome.verdict = .failed
    outcome.found = "nothing was checked" + (examined.map { " (\($0.text))" } ?? "") + ": \(found)"
    return outcome
  }
}
