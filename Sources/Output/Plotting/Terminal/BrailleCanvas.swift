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
  private var owners: [Int]
  /// Bits of the curves that share a cell; 0: it belongs to its owner alone.
  private var sharers: [UInt64]

  init(columns: Int, rows: Int, isBraille: Bool) {
    self.columns = columns
    self.rows = rows
    self.isBraille = isBraille
    dots = Array(repeating: 0, count: columns * rows)
    marks = Array(repeating: nil, count: columns * rows)
    owners = Array(repeating: -1, count: columns * rows)
    sharers = Array(repeating: 0, count: columns * rows)
  }

  /// Sets a dot; 0, 0 is the upper left one. Outside: nothing.
  /// - Parameter shares: false for what hides the curves that were there.
  mutating func set(_ x: Int, _ y: Int, owner: Int, shares: Bool = false) {
    guard x >= 0, x < width, y >= 0, y < height else { return }
    let cell = isBraille ? y / 4 * columns + x / 2 : y * columns + x
    // Unicode numbers the dots down the left column, then down the right one, then the bottom row.
    let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]
    dots[cell] |= isBraille ? bits[y % 4][x % 2] : 1
    marks[cell] = nil
    take(cell, owner, shares)
  }

  private mutating func take(_ cell: Int, _ owner: Int, _ shares: Bool) {
    owners[cell] = owner
    sharers[cell] = shares && owner < UInt64.bitWidth ? sharers[cell] | 1 << UInt64(owner) : 0
  }

  /// The curve that a cell shows: curves that lie upon each other take turns along their way, whichever its slope.
  func owner(column: Int, row: Int) -> Int {
    let cell = row * columns + column
    let count = sharers[cell].nonzeroBitCount
    guard count > 1 else { return owners[cell] }
    var rest = sharers[cell]
    for _ in 0..<((2 * column + 5 * row) / 2 % count) { rest &= rest - 1 }
    return rest.trailingZeroBitCount
  }

  /// A line between two dots.
  mutating func line(_ start: (x: Int, y: Int), _ end: (x: Int, y: Int), owner: Int, shares: Bool = false) {
    let (across, down) = (end.x - start.x, end.y - start.y)
    let steps = max(abs(across), abs(down), 1)
    for step in 0...steps {
      let part = Double(step) / Double(steps)
      set(
        start.x + Int(clamping: (Double(across) * part).rounded()),
        start.y + Int(clamping: (Double(down) * part).rounded()), owner: owner, shares: shares)
    }
  }

  /// Puts a character into a cell.
  mutating func mark(column: Int, row: Int, _ character: Character, owner: Int) {
    put(column, row, character, owner, isShared: false)
  }

  /// Lets a curve that has a mark in place of dots share a cell.
  mutating func share(column: Int, row: Int, owner: Int) {
    put(column, row, nil, owner, isShared: true)
  }

  private mutating func put(_ column: Int, _ row: Int, _ character: Character?, _ owner: Int, isShared: Bool) {
    guard column >= 0, column < columns, row >= 0, row < rows else { return }
    let cell = row * columns + column
    (dots[cell], marks[cell]) = (0, character)
    take(cell, owner, isShared)
  }

  /// The character of a cell; nil: none.
  /// - Parameters:
  ///   - mark: the mark of a curve in place of dots.
  ///   - hasDots: true for curves that have no mark where dots can be shown.
  func character(column: Int, row: Int, mark: (Int) -> Character, hasDots: (Int) -> Bool) -> Character? {
    let cell = row * columns + column
    if let mark = marks[cell] { return mark }
    guard dots[cell] != 0 || sharers[cell] != 0 else { return nil }
    let owner = owner(column: column, row: row)
    if !isBraille || sharers[cell] != 0 && !hasDots(owner) { return mark(owner) }
    guard dots[cell] != 0, let scalar = Unicode.Scalar(0x2800 + UInt32(dots[cell])) else { return nil }
    return Character(scalar)
  }
}
