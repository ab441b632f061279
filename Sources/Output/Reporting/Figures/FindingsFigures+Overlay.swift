import AudioCore
import Measurement
import Plotting

extension FindingsFigures {
  /// Figures of several devices, or of one with several settings, over each other: the panels of the first, in each of
  /// which a colour is a label's.
  public func figures(of parts: [(label: String, findings: Findings)]) -> [Named] {
    var all: [Named] = []
    var remarks: [[[(label: String, remark: String)]]] = []
    let drawn = parts.map { (label: $0.label, figures: figures(of: $0.findings)) }
    for (label, figures) in drawn {
      for var named in figures {
        // A label alone says enough where it has one curve in each panel.
        let alike = drawn.flatMap(\.figures).filter { $0.name == named.name }.flatMap(\.figure.panels)
        let isAlone = alike.allSatisfy { $0.series.count { $0.role == .actual } == 1 }
        let own = named.figure.panels.map { [(label: label, remark: $0.remark)] }
        for index in named.figure.panels.indices { named.figure.panels[index].become(label, isAlone) }
        if let index = all.firstIndex(where: { $0.name == named.name }) {
          for (place, panel) in zip(all[index].figure.lay(named.figure), own) {
            if place < remarks[index].count { remarks[index][place] += panel } else { remarks[index].append(panel) }
          }
        } else {
          // Remarks are of one of them.
          named.figure.subtitle = "\(NumberText.short(sampleRate)) Hz"
          all.append(named)
          remarks.append(own)
        }
      }
    }
    for index in all.indices {
      for (place, own) in remarks[index].enumerated() { all[index].figure.panels[place].remark = Self.joined(own) }
    }
    return all
  }

  /// Remarks of one panel for several labels: those in the same words once, without labels where all have them. Labels
  /// that begin alike (`threshold = −20 dB`) are shortened to their ends.
  private static func joined(_ remarks: [(label: String, remark: String)]) -> String {
    let starts = Set(remarks.map { $0.label.split(separator: " = ", maxSplits: 1).first ?? "" })
    func short(_ label: String) -> String {
      starts.count == 1 ? label.split(separator: " = ", maxSplits: 1).last.map(String.init) ?? label : label
    }
    var groups: [(labels: [String], remark: String)] = []
    for (label, remark) in remarks where !remark.isEmpty {
      if let index = groups.firstIndex(where: { $0.remark == remark }) {
        groups[index].labels.append(short(label))
      } else {
        groups.append(([short(label)], remark))
      }
    }
    return groups.map { group in
      group.labels.count == remarks.count ? group.remark : "\(group.labels.joined(separator: ", ")): \(group.remark)"
    }.joined(separator: "; ")
  }

  /// The gain of a device by an angle that was varied: a panel for each frequency of some, a line for each channel. Nil
  /// where no magnitudes were measured.
  package func polarFigure(of parts: [(degrees: Double, findings: Findings)]) -> Named? {
    let parts = parts.sorted { $0.degrees < $1.degrees }
    let channels = Set(parts.flatMap { $0.findings.curves.filter { $0.id == "magnitude" }.compactMap(\.channel) })
      .sorted()
    guard !channels.isEmpty else { return nil }
    let panels = Self.polarHertz.filter { $0 < 0.45 * sampleRate }.map { hertz in
      var levels = PlotAxis.decibels("magnitude")
      levels.largestSpan = 40
      var panel = Panel(
        "\(NumberText.short(hertz)) Hz", x: PlotAxis("angle", unit: "°", ticks: .degrees, range: 0...360), y: levels)
      panel.isPolar = true
      for channel in channels {
        var (angles, gains): ([Double], [Double]) = ([], [])
        for (degrees, findings) in parts {
          let points = findings.curves.first { $0.id == "magnitude" && $0.channel == channel }?.points ?? []
          let gain = Interpolation(points).value(at: hertz) ?? .nan
          // A whole turn is closed; 0 … 180 and −180 … 0 make one.
          angles.append(degrees - 360 * (degrees / 360).rounded(.down))
          gains.append(gain)
        }
        let order = angles.indices.sorted { angles[$0] < angles[$1] }
        var (x, y) = (order.map { angles[$0] }, order.map { gains[$0] })
        if let first = x.first, let last = x.last, let gain = y.first, first + 360 - last <= Self.largestGap {
          x.append(first + 360)
          y.append(gain)
        }
        panel.series.append(PlotSeries("channel \(channel)", x: x, y: y))
      }
      return panel
    }
    return Named(
      name: "polar",
      figure: Figure("Gain by angle of \(device)", subtitle: "\(NumberText.short(sampleRate)) Hz", panels: panels))
  }

  private static let polarHertz = [250.0, 1000, 4000]
  /// Degrees between the last angle and the first that a line still closes.
  private static let largestGap = 45.0
}

extension Panel {
  fileprivate mutating func become(_ label: String, _ isAlone: Bool) {
    for index in series.indices where series[index].role == .actual {
      if isAlone { series[index].name = label } else { series[index].family = label }
    }
    for index in markers.indices where !markers[index].label.isEmpty {
      let value = label.split(separator: " = ", maxSplits: 1).last.map(String.init) ?? label
      markers[index].label = "\(value): \(markers[index].label)"
    }
    // Bounds of many would hide each other.
    bands = bands.filter { $0.role != .actual }
  }
}

extension Figure {
  /// Puts the curves of a figure of the same kind over these. A range that was set for one grows. Returns the places of
  /// the panels that were laid over these.
  fileprivate mutating func lay(_ other: Figure) -> [Int] {
    other.panels.map { panel in
      guard let index = panels.firstIndex(where: { $0.title == panel.title && $0.y.title == panel.y.title }) else {
        panels.append(panel)
        return panels.count - 1
      }
      panels[index].series += panel.series.filter { !panels[index].series.contains($0) }
      panels[index].markers += panel.markers.filter { !panels[index].markers.contains($0) }
      panels[index].x.grow(to: panel.x.range)
      panels[index].y.grow(to: panel.y.range)
      return index
    }
  }
}

extension PlotAxis {
  fileprivate mutating func grow(to other: ClosedRange<Double>?) {
    guard let own = range, let other else { return }
    range = min(own.lowerBound, other.lowerBound)...max(own.upperBound, other.upperBound)
  }
}
