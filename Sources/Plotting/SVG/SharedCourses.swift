/// Finds curves of one panel that lie upon each other, and gives each a share of the line, so that none hides another.
struct SharedCourses {
  /// The same curves in the same order.
  private(set) var drawn: [SVGPanel.Drawn]
  private let width: Double
  private let height: Double

  /// Pixels that two curves may be apart, and the share of their points of which more must be closer.
  private static let nearPixels = 1.5
  private static let leastShare = 0.5

  /// - Parameters:
  ///   - width: of the panel's frame, pixels.
  ///   - height: of the same.
  init(_ drawn: [SVGPanel.Drawn], width: Double, height: Double) {
    (self.drawn, self.width, self.height) = (drawn, width, height)
    var groups: [[Int]] = []
    for index in drawn.indices where isLine(drawn[index]) {
      if let group = groups.firstIndex(where: { isUpon(drawn[$0[0]], drawn[index]) }) {
        groups[group].append(index)
      } else {
        groups.append([index])
      }
    }
    for group in groups where group.count > 1 {
      // What has one colour cannot be told apart by pieces of it: marks do that.
      let colours = group.map { drawn[$0].style.colour }.uniqued()
      guard colours.count > 1 else { continue }
      for index in group {
        let place = colours.firstIndex(of: drawn[index].style.colour) ?? 0
        self.drawn[index].style = drawn[index].style.sharing(place, of: colours.count)
      }
    }
  }

  private func isLine(_ curve: SVGPanel.Drawn) -> Bool {
    let isWhole = curve.series.mark == .line || curve.series.mark == .markedLine
    return isWhole && curve.series.role == .actual && !curve.series.isFaint && curve.lines.contains { $0.count > 1 }
  }

  private func isUpon(_ one: SVGPanel.Drawn, _ other: SVGPanel.Drawn) -> Bool {
    let (a, b) = (one.lines.joined(), other.lines.joined())
    let count = a.reduce(0) { sum, _ in sum + 1 }
    guard count == b.reduce(0, { sum, _ in sum + 1 }) else { return false }
    let most = Double(count) * (1 - Self.leastShare)
    var apart = 0
    for (p, q) in zip(a, b) {
      let isNear = abs(p.x - q.x) * width < Self.nearPixels && abs(p.y - q.y) * height < Self.nearPixels
      if !isNear { apart += 1 }
      if Double(apart) >= most { return false }
    }
    return true
  }
}

extension Array where Element: Hashable {
  /// Each once, in the order in which they first come.
  func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
