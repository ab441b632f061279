import AudioCore
/// Character cells with 2 × 4 dots each, as Unicode's Braille patterns have them, or with one mark each where only
/// ASCII can be shown.
struct BrailleCanvas {
  let columns: Int
  let rows: Int
  let isBraille: Bool
  /// Dots across and down.
  var width: Int { columns * (isBraille ? 2 : 1) }
  var height: Int { rows * (isBraille ? 4 : 1) }

  private var dots: [UInt8]
  /// The characters that cells show in place of their dots.
  private var marks: [Character?]
  /// The number of the curve that wrote into a cell last, from 0; -1: none.
  private(set) var owners: [Int]

  init(columns: Int, rows: Int, isBraille: Bool) {
    self.columns = columns
    self.rows = rows
    self.isBraille = isBraille
    dots = Array(repeating: 0, count: columns * rows)
    marks = Array(repeating: nil, count: columns * rows)
    owners = Array(repeating: -1, count: columns * rows)
  }

  /// Sets a dot; 0, 0 is the upper left one. Outside: nothing.
  mutating func set(_ x: Int, _ y: Int, owner: Int) {
    guard x >= 0, x < width, y >= 0, y < height else { return }
    let cell = isBraille ? y / 4 * columns + x / 2 : y * columns + x
    // Unicode numbers the dots down the left column, then down the right one, then the bottom row.
    let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]
    dots[cell] |= isBraille ? bits[y % 4][x % 2] : 1
    marks[cell] = nil
    owners[cell] = owner
  }

  /// A line between two dots.
  mutating func line(_ start: (x: Int, y: Int), _ end: (x: Int, y: Int), owner: Int) {
    let (across, down) = (end.x - start.x, end.y - start.y)
    let steps = max(abs(across), abs(down), 1)
    for step in 0...steps {
      let part = Double(step) / Double(steps)
      set(
        start.x + Int(clamping: (Double(across) * part).rounded()),
        start.y + Int(clamping: (Double(down) * part).rounded()), owner: owner)
    }
  }

  /// Puts a character into a cell.
  mutating func mark(column: Int, row: Int, _ character: Character, owner: Int) {
    guard column >= 0, column < columns, row >= 0, row < rows else { return }
    dots[row * columns + column] = 0
    marks[row * columns + column] = character
    owners[row * columns + column] = owner
  }

  /// The character of a cell; nil: none. - Parameter ascii: the mark of the curve that it belongs to.
  func character(column: Int, row: Int, ascii: (Int) -> Character) -> Character? {
    let cell = row * columns + column
    if let mark = marks[cell] { return mark }
    guard dots[cell] != 0 else { return nil }
    guard isBraille, let scalar = Unicode.Scalar(0x2800 + UInt32(dots[cell])) else { return ascii(owners[cell]) }
    return Character(scalar)
  }
}
