import AudioCore
import FoundationEssentials

/// Events over time, in lanes one below the other: spans of time, and moments that are marked in all of them.
package struct Timeline: Hashable, Sendable {
  package struct Span: Hashable, Sendable {
    package var from: Double
    /// Not before ``from``: where it is the same, a tick is drawn.
    package var to: Double
    /// The text that a viewer shows over it.
    package var text: String
    package var hasFailed: Bool

    package init(from: Double, to: Double, text: String, hasFailed: Bool = false) {
      (self.from, self.to, self.text, self.hasFailed) = (from, to, text, hasFailed)
    }
  }

  package struct Lane: Hashable, Sendable {
    package var name: String
    /// In any order.
    package var spans: [Span]

    package init(_ name: String, spans: [Span] = []) { (self.name, self.spans) = (name, spans) }
  }

  package struct Mark: Hashable, Sendable {
    package var at: Double
    package var text: String

    package init(at: Double, text: String) { (self.at, self.text) = (at, text) }
  }

  package var title: String
  package var subtitle: String
  /// The quantity on the axis: `frames of the device`.
  package var axis: String
  package var lanes: [Lane]
  package var marks: [Mark]

  package init(_ title: String, subtitle: String = "", axis: String, lanes: [Lane], marks: [Mark] = []) {
    (self.title, self.subtitle, self.axis, self.lanes, self.marks) = (title, subtitle, axis, lanes, marks)
  }

  private static let width = 1200.0
  private static let laneHeight = 26.0
  private static let top = 76.0
  private static let margin = 20.0

  private var names: Double {
    let widest = lanes.map { TextMetrics.width($0.name, size: 12.5) }.max() ?? 0
    return min(360, widest) + Self.margin + 12
  }
  private var bottom: Double { Self.top + Double(lanes.count) * Self.laneHeight }
  private var height: Double { bottom + 56 + Double(marks.count) * 18 + Self.margin }

  private var range: ClosedRange<Double> {
    let spans = lanes.flatMap(\.spans)
    let times = spans.flatMap { [$0.from, $0.to] } + marks.map(\.at)
    guard let low = times.min(), let high = times.max() else { return 0...1 }
    return high > low ? low...high : low...low + 1
  }

  private var ticks: [Double] {
    let range = range
    let step = AxisTicks.linearStep(.plain, span: range.upperBound - range.lowerBound, count: 8)
    return Array(stride(from: (range.lowerBound / step).rounded(.up) * step, through: range.upperBound, by: step))
  }

  private var content: Markup {
    let (names, range) = (names, range)
    let scale = (Self.width - names - Self.margin) / (range.upperBound - range.lowerBound)
    func x(_ time: Double) -> Double { names + (time - range.lowerBound) * scale }
    var content: Markup = """
      <text class="title" x="\(Self.margin)" y="34">\(title)</text>
      <text class="dim small" x="\(Self.margin)" y="56">\(subtitle)</text>

      """
    for tick in ticks {
      let label = NumberText.withoutZeros(NumberText.fixed(tick, 9))
      let place = min(x(tick), Self.width - TextMetrics.width(label, size: 12.5) / 2)
      content += """
        <path class="grid" d="M\(x(tick)),\(Self.top)V\(bottom)"/>\
        <text class="small middle" x="\(place)" y="\(bottom + 18)">\(label)</text>

        """
    }
    content += """
      <text class="small middle" x="\((names + Self.width - Self.margin) / 2)" y="\(bottom + 40)">\(axis)</text>

      """
    for (index, lane) in lanes.enumerated() {
      let y = Self.top + Double(index) * Self.laneHeight
      content += """
        <path class="minor" d="M\(Self.margin),\(y + Self.laneHeight)H\(Self.width - Self.margin)"/>\
        <text class="small end" x="\(names - 10)" y="\(y + 17)">\(TextMetrics.fitting(lane.name, 330, size: 12.5) ?? "")</text>

        """
      let colour = Markup(trusted: "c\(index % FigureColours.curves.count)")
      for span in Self.merged(lane.spans, scale: scale) {
        let left = x(span.from)
        // A gap between two is seen, where there is one: they end a little early.
        let width = max(1, x(span.to) - left - (x(span.to) - left > 4 ? 1 : 0))
        content += """
          <g><title>\(span.text)</title><rect class="area \(span.hasFailed ? Markup("v") : colour)" opacity="0.75" x="\(left)" \
          y="\(y + 5)" width="\(width)" height="\(Self.laneHeight - 10)"/></g>

          """
      }
    }
    var numbers: [Double] = []
    for (index, mark) in marks.enumerated() {
      let y = bottom + 56 + Double(index) * 18
      // Numbers of marks that lie against each other stand beside each other.
      let place = x(mark.at)
      let left = numbers.last.map { max(place, $0 + 16) } ?? place
      numbers.append(left)
      content += """
        <path class="marker" d="M\(place),\(Self.top - 6)V\(bottom)"/>\
        <text class="small middle" x="\(left)" y="\(Self.top - 8)">\(index + 1)</text>\
        <text class="small" x="\(names)" y="\(y + 10)">\(index + 1)  \(mark.text)</text>

        """
    }
    return content
  }

  /// Spans that touch, and are too narrow to be distinguished, as one.
  private static func merged(_ spans: [Span], scale: Double) -> [Span] {
    var merged: [Span] = []
    for span in spans.sorted(by: { $0.from < $1.from }) {
      let isNarrow = (span.to - span.from) * scale < 3
      if let last = merged.last, isNarrow, span.hasFailed == last.hasFailed, span.from <= last.to + 0.5 / scale {
        merged[merged.count - 1].to = max(last.to, span.to)
        merged[merged.count - 1].text = "several"
      } else {
        merged.append(span)
      }
    }
    return merged
  }

  private var document: Data {
    SVGDocument.file(content, title: title, width: Int(clamping: Self.width), height: Int(clamping: height))
  }

  /// - Parameter path: its extension says the format: svg, png or pdf.
  /// - Throws: `.usage` for another extension, `.output` where the picture cannot be made or written.
  package func write(to path: String, in outputs: OutputFiles? = nil) throws(BenchError) {
    let format = try PictureFormat(path: path)
    let picture = format == .svg ? document : try PictureConverter().picture(document, as: format)
    try AtomicFile.write(Array(picture), to: path, in: outputs)
  }
}
