/// Finds curves of one panel that lie upon each other, and gives each a share of the line, so that none hides another.
struct SharedCourses {
  /// The same curves in the same order.
  private(set) var drawn: [SVGPanel.Drawn]
  private let width: Double
  private let height: Double

  /// Pixels that two curves may be apart, and the share of their points of which more must be closer.
  private static let nearPixels = 1.5
  private static let leastShare = 0.25

  /// - Parameters:
  ///   - width: the width of the panel's frame, pixels.
  ///   - height: its height.
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
      let courses = group.map { Array(drawn[$0].lines.joined()) }
      for (member, index) in group.enumerated() {
        self.drawn[index].pieces = pieces(of: member, drawn[index].lines, courses, group.map { drawn[$0].style })
      }
    }
  }

  /// A curve in pieces: each has a share of the line if others lie upon it, and the curve's own style elsewhere. Curves
  /// of one colour are distinguished by marks instead.
  private func pieces(
    of member: Int, _ lines: [[Decimation.Point]], _ courses: [[Decimation.Point]], _ styles: [PlotStyle]
  ) -> [SVGPanel.Piece] {
    func sharers(_ place: Int) -> [String] {
      courses.indices.filter { other in
        isNear(courses[member][place], courses[other][place])
          && isNear(courses[member][place + 1], courses[other][place + 1])
      }.map { styles[$0].colour }.uniqued()
    }
    var pieces: [SVGPanel.Piece] = []
    var last: [String] = []
    var place = 0
    for line in lines {
      for index in 0..<max(0, line.count - 1) {
        let colours = sharers(place + index)
        if index > 0, colours == last {
          pieces[pieces.count - 1].points.append(line[index + 1])
        } else {
          let own = colours.firstIndex(of: styles[member].colour) ?? 0
          let style = colours.count > 1 ? styles[member].sharing(own, of: colours.count) : styles[member]
          pieces.append(SVGPanel.Piece(points: [line[index], line[index + 1]], style: style))
        }
        last = colours
      }
      place += line.count
    }
    return pieces
  }

  private func isLine(_ curve: SVGPanel.Drawn) -> Bool {
    let isWhole = curve.series.mark == .line || curve.series.mark == .markedLine
    return isWhole && curve.series.role == .actual && !curve.series.isFaint && curve.lines.contains { $0.count > 1 }
  }

  private func isNear(_ one: Decimation.Point, _ other: Decimation.Point) -> Bool {
    abs(one.x - other.x) * width < Self.nearPixels && abs(one.y - other.y) * height < Self.nearPixels
  }

  private func isUpon(_ one: SVGPanel.Drawn, _ other: SVGPanel.Drawn) -> Bool {
    let (a, b) = (one.lines.joined(), other.lines.joined())
    let count = a.reduce(0) { sum, _ in sum + 1 }
    guard count == b.reduce(0, { sum, _ in sum + 1 }) else { return false }
    let most = Double(count) * (1 - Self.leastShare)
    var apart = 0
    for (p, q) in zip(a, b) {
      if !isNear(p, q) { apart += 1 }
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
