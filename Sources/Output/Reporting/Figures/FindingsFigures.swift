import AudioCore
import Measurement
import Plotting

/// Figures of what measurements found: a main one, and others with a name of their own.
///
/// Curves are known by their ids. A curve with another id still gets a panel: curves whose axes are alike share one.
public struct FindingsFigures: Sendable {
  /// A figure, and what tells it from the others of the same findings.
  public struct Named: Sendable {
    /// `impulse`, `harmonics`; empty: the main figure.
    public var name: String
    /// As it is to be drawn: nothing is drawn or written yet.
    public var figure: Figure
  }

  /// The device under test, for titles.
  public var device: String
  /// Hertz.
  public var sampleRate: Double
  /// Drawn over what was measured, in the panels whose axes and curves are theirs.
  public var references: [ReferenceCurve]

  /// Figures of a device at a sample rate in hertz, with curves to lay over what was measured.
  public init(device: String, sampleRate: Double, references: [ReferenceCurve] = []) {
    self.device = device
    self.sampleRate = sampleRate
    self.references = references
  }

  /// No figure where nothing was found that can be drawn.
  public func figures(of findings: Findings) -> [Named] {
    // Channels that are like channel 0 are drawn with it.
    let alike = findings.curves.filter { $0.channel == 0 }
    var curves = RemainingCurves(
      findings.curves
        + findings.channelsLikeFirst.sorted().flatMap { channel in
          alike.changed { ($0.channel, $0.inputChannel) = (channel, channel) }
        })
    var main: [Panel] = []
    var title = "Measurement"
    func add(_ panels: [Panel], _ name: String) {
      if main.isEmpty, !panels.isEmpty { title = name }
      main += panels
    }
    add(responsePanels(&curves), "Response")
    add(distortionPanels(&curves), "Distortion")
    add(noisePanels(&curves), "Noise at rest")
    add(dynamicsPanels(&curves, findings.readings), "Dynamics")
    add(crosstalkPanels(&curves), "Crosstalk")
    add(resamplerPanels(&curves), "Sample rate conversion")
    add(voicePanels(&curves), "Voice processing")
    let impulse = impulsePanels(&curves)
    let harmonics = sweptHarmonics(&curves)
    add(curves.takeRest().flatMap { single($0) }, "Measurement")

    // A fact that a remark begins with is not repeated.
    let facts =
      ["\(NumberText.short(sampleRate)) Hz"] + (findings.remarks.first?.split(separator: "; ").map(String.init) ?? [])
    let subtitle = facts.indices.filter { !facts[..<$0].contains(facts[$0]) }.map { facts[$0] }.joined(separator: "; ")
    var figures: [Named] = []
    for (name, heading, panels) in [
      ("", title, main), ("impulse", "Impulse and step response", impulse), ("harmonics", "Harmonics", harmonics),
    ] where !panels.isEmpty {
      figures.append(
        Named(
          name: figures.isEmpty ? "" : name,
          figure: Figure("\(heading) of \(device)", subtitle: subtitle, panels: panels)))
    }
    return figures
  }

  /// True when a reference is drawn in one of these figures.
  public static func hasDrawn(_ reference: ReferenceCurve, in figures: [Named]) -> Bool {
    figures.contains { named in
      named.figure.panels.contains { $0.series.contains { $0.role == .expected && $0.name == reference.name } }
    }
  }

  // MARK: Panels

  /// One quantity: a line for each channel, channels that are the same in one line; below it, where a file has what it
  /// should be, the difference from that.
  /// - Parameter adapted: a reference in the form of the curves, where these are not drawn as they were found; nil: as
  ///   it is.
  func single(
    _ curves: [Curve], title: String = "", height: Double = 1, adapted: ((ReferenceCurve) -> ReferenceCurve?)? = nil
  ) -> [Panel] {
    guard let first = curves.first else { return [] }
    var panel = Panel(title, x: .init(first.x), y: .init(first.y), relativeHeight: height)
    let all = named(curves)
    let heard = all.filter(\.curve.hasNumbers)
    // Curves without points are named in a remark if others have points.
    for (name, curve) in heard.isEmpty ? all : heard {
      panel.series.append(PlotSeries(name, curve))
      if let band = curve.errorBand(name) { panel.bands.append(band) }
    }
    let silent = all.filter { !$0.curve.hasNumbers && $0.curve.points.contains { $0.y == -.infinity } }.map(\.name)
    if !heard.isEmpty, !silent.isEmpty { panel.remark = "nothing in " + silent.joined(separator: ", ") }
    let laid = laid(over: curves, adapted)
    panel.series += laid.map { PlotSeries($0.reference.name, x: $0.reference.x, y: $0.reference.y, role: .expected) }
    return [panel] + differences(heard, laid.filter(\.reference.isFromFile), title: title, height: height)
  }

  /// Several quantities: a line for each, and a panel for each channel, or one for all where these are the same.
  func several(_ curves: [Curve], title: String, _ remark: String = "") -> [Panel] {
    var channels: [(channels: [Int], curves: [Curve])] = []
    let numbers = Set(curves.map { $0.channel ?? 0 }).sorted()
    for channel in numbers {
      let own = curves.filter { ($0.channel ?? 0) == channel }
      let twin = channels.firstIndex { other in
        other.curves.map(\.id) == own.map(\.id) && zip(other.curves, own).allSatisfy { $0.hasPoints(of: $1) }
      }
      if let twin { channels[twin].channels.append(channel) } else { channels.append(([channel], own)) }
    }
    return channels.prefix(Self.mostChannels).compactMap { channels, curves in
      guard let first = curves.first else { return nil }
      let (shown, silent) = (curves.filter(\.hasNumbers), curves.filter { !$0.hasNumbers })
      let place = numbers.count == 1 ? "" : ", " + Self.text(channels)
      var axis = PlotAxis(first.y)
      var what = ""
      // Too long a label for a panel of many.
      if axis.label.hasPrefix("relative to") {
        what = ", \(axis.label)"
        axis.label = "relative level"
      }
      var panel = Panel(
        title + what + place, x: .init(first.x), y: axis,
        series: (shown.isEmpty ? curves : shown).map { PlotSeries(shown.isEmpty ? "" : Self.short($0.name), $0) }
          + expected(curves))
      panel.remark =
        ([remark] + (shown.isEmpty ? ["at the floor"] : silent.map { "\(Self.short($0.name)) at the floor" })
        + (shown.contains(where: \.hasGaps) ? ["gaps at the floor"] : [])).filter { !$0.isEmpty }
        .joined(separator: "; ")
      return panel
    }
  }

  private static let mostChannels = 4

  /// With the channels as names. A pair of input and output channels is named as such where it is no straight way.
  private func named(_ curves: [Curve]) -> [(name: String, curve: Curve)] {
    var groups: [(curve: Curve, members: [Curve])] = []
    for curve in curves {
      let twin = groups.firstIndex { $0.curve.id == curve.id && $0.curve.hasPoints(of: curve) }
      if let twin { groups[twin].members.append(curve) } else { groups.append((curve, [curve])) }
    }
    let hasSeveralIDs = Set(curves.map(\.id)).count > 1
    return groups.map { group in
      let what = hasSeveralIDs ? Self.short(group.curve.name) : ""
      let crossed = group.members.first { ($0.inputChannel ?? $0.channel) != $0.channel }
      let place =
        crossed.map { "input \($0.inputChannel ?? 0) to channel \($0.channel ?? 0)" }
        ?? Self.text(group.members.compactMap(\.channel))
      return ([what, place].filter { !$0.isEmpty }.joined(separator: ", "), group.curve)
    }
  }

  /// `channel 0`, `channels 0, 1`.
  static func text(_ channels: [Int]) -> String {
    guard let first = channels.first else { return "" }
    return channels.count == 1 ? "channel \(first)" : "channels " + channels.map(String.init).joined(separator: ", ")
  }

  /// Without what the axis says.
  private static func short(_ name: String) -> String {
    name.replacing(" by level", with: "").replacing(" by frequency", with: "")
  }

  /// References that belong over these curves.
  func expected(_ curves: [Curve]) -> [PlotSeries] {
    references.filter { reference in curves.contains { reference.belongs(to: $0) } }
      .map { PlotSeries($0.name, x: $0.x, y: $0.y, role: .expected) }
  }
}

/// Curves that are not drawn yet: each is taken out when it is drawn.
struct RemainingCurves {
  private var curves: [Curve]

  init(_ curves: [Curve]) { self.curves = curves.filter { !$0.points.isEmpty } }

  mutating func take(_ isWanted: (_ id: String) -> Bool) -> [Curve] {
    let taken = curves.filter { isWanted($0.id) }
    curves.removeAll { isWanted($0.id) }
    return taken
  }

  /// Takes the rest, grouped by axes.
  mutating func takeRest() -> [[Curve]] {
    var groups: [[Curve]] = []
    for curve in curves {
      if let index = groups.firstIndex(where: { $0[0].x == curve.x && $0[0].y == curve.y }) {
        groups[index].append(curve)
      } else {
        groups.append([curve])
      }
    }
    curves = []
    return groups
  }
}
