import Measurement
import Plotting
import Verification

extension FindingsFigures {
  /// Figures of several devices, or of one with several settings, over each other: the panels of the first, in each of
  /// which the curves carry their labels.
  public func figures(of parts: [(label: String, findings: Findings)]) -> [Named] {
    var all: [Named] = []
    for (label, findings) in parts {
      for var named in figures(of: findings) {
        for index in named.figure.panels.indices { named.figure.panels[index].prefixNames(label) }
        if let index = all.firstIndex(where: { $0.name == named.name }) {
          all[index].figure.lay(named.figure)
        } else {
          // Remarks are of one of them.
          named.figure.subtitle = Self.hertz(sampleRate)
          all.append(named)
        }
      }
    }
    return all
  }
}

extension Panel {
  fileprivate mutating func prefixNames(_ label: String) {
    let isAlone = series.count { $0.role == .actual } == 1
    for index in series.indices where series[index].role == .actual {
      series[index].name = isAlone ? label : "\(label), \(series[index].name)"
    }
    // Bounds of many would hide each other.
    bands = bands.filter { $0.role != .actual }
  }
}

extension Figure {
  /// Puts the curves of a figure of the same kind over these. Where a range was chosen for one, it grows.
  fileprivate mutating func lay(_ other: Figure) {
    for panel in other.panels {
      guard let index = panels.firstIndex(where: { $0.title == panel.title && $0.y.label == panel.y.label }) else {
        panels.append(panel)
        continue
      }
      panels[index].series += panel.series.filter { !panels[index].series.contains($0) }
      panels[index].x.grow(to: panel.x.range)
      panels[index].y.grow(to: panel.y.range)
    }
  }
}

extension PlotAxis {
  fileprivate mutating func grow(to other: ClosedRange<Double>?) {
    guard let own = range, let other else { return }
    range = min(own.lowerBound, other.lowerBound)...max(own.upperBound, other.upperBound)
  }
}
