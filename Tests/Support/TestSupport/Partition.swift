/// The division of a stream into slices.
public enum Partition: CustomStringConvertible, Sendable {
  case slices(of: Int)
  case random(seed: UInt64)

  /// The divisions that must not change the output of any unit or graph.
  public static let all: [Partition] =
    [1, 7, 64, 137, 512, 4096].map { .slices(of: $0) } + [.random(seed: 1), .random(seed: 2)]
  /// The division that they are compared with.
  public static let reference = Partition.slices(of: 1000)

  public var description: String {
    switch self {
    case .slices(let frames): "slices of \(frames)"
    case .random(let seed): "random slices, seed \(seed)"
    }
  }

  /// The lengths of the slices of `total` frames, with a cut at each of `bounds`.
  public func lengths(total: Int, bounds: [Int] = []) -> [Int] {
    var generator = SeededGenerator(seed: 77)
    if case .random(let seed) = self { generator = SeededGenerator(seed: seed) }
    var lengths: [Int] = []
    var at = 0
    while at < total {
      let wanted: Int
      switch self {
      case .slices(let frames): wanted = frames
      case .random: wanted = Int.random(in: 1...700, using: &generator)
      }
      let limit = bounds.filter { $0 > at }.min() ?? total
      let length = min(wanted, limit - at, total - at)
      lengths.append(length)
      at += length
    }
    return lengths
  }
}
