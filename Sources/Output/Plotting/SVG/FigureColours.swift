/// The colours of figures, by the classes of their elements: on white, and on dark ground in a page.
///
/// Those of curves are Okabe and Ito's ("Color Universal Design", 2008), which people with any kind of colour vision
/// tell apart, but for black, which is what is expected; and a brown and three of Tol's muted ones where these do not
/// reach. On dark ground they are lighter.
package struct FigureColours {
  private let paper: String
  private let text: String
  private let dim: String
  private let frame: String
  private let grid: String
  private let minor: String
  private let curves: [String]
  private let expected: [String]
  private let limits: [String]
  private let allowed: String
  private let auxiliary: String
  private let notice: String
  private let violation: String

  static let curves = light.curves

  package static let light = FigureColours(
    paper: "#FFFFFF", text: "#101010", dim: "#505050", frame: "#606060", grid: "#D2D2D2", minor: "#EEEEEE",
    curves: [
      "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C564B", "#882255", "#332288", "#999933",
    ],
    expected: ["#000000", "#7A7A7A"], limits: ["#7A6A00", "#606060"], allowed: "#F0E442", auxiliary: "#808080",
    notice: "#A000C8", violation: "#C40000")

  package static let dark = FigureColours(
    paper: "#101317", text: "#E4E8EE", dim: "#9AA5B3", frame: "#9AA5B3", grid: "#3A434E", minor: "#242B33",
    curves: [
      "#4FB3F6", "#FF8A50", "#3FC79F", "#E8A5CC", "#F2B93B", "#A5DBF7", "#C49C94", "#D47FA6", "#9D8CF0", "#C9C96A",
    ],
    expected: ["#FFFFFF", "#A0A8B0"], limits: ["#D8CC4A", "#9AA5B3"], allowed: "#F0E442", auxiliary: "#8A94A0",
    notice: "#E08CFF", violation: "#FF6B6B")

  /// Rules for a style sheet, all below the class of a figure.
  package var styleSheet: String {
    var rules = [
      "text{fill:\(text);font-size:14px}", ".title{font-size:18px;font-weight:bold}", ".dim{fill:\(dim)}",
      ".small{font-size:12.5px}", ".end{text-anchor:end}", ".middle{text-anchor:middle}", ".paper{fill:\(paper)}",
      ".grid{fill:none;stroke:\(grid);stroke-width:.9}", ".minor{fill:none;stroke:\(minor);stroke-width:.8}",
      ".frame{fill:none;stroke:\(frame)}",
      ".line{fill:none;stroke-linejoin:round;stroke-linecap:round}",
      ".note{paint-order:stroke;stroke:\(paper);stroke-width:3}", ".ring{fill:none;stroke:\(text);stroke-width:1.6}",
      ".halo{stroke:\(allowed);stroke-width:7}",
      ".marker{fill:none;stroke:\(dim);stroke-width:1.1;stroke-dasharray:6 5}",
    ]
    func colour(_ name: String, _ line: String, _ area: String? = nil) {
      rules += [".line.\(name){stroke:\(line)}", ".area.\(name){fill:\(area ?? line)}"]
    }
    for (index, line) in curves.enumerated() { colour("c\(index)", line) }
    for (index, line) in expected.enumerated() { colour("e\(index)", line) }
    colour("l0", limits[0], allowed)
    colour("l1", limits[1])
    colour("x", auxiliary)
    colour("k", dim)
    colour("n", notice)
    colour("v", violation)
    return rules.map { ".figure \($0)" }.joined(separator: "\n") + "\n"
  }
}
