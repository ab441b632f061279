/// A walk against the direction of sound that meets every node once: what a graph renders, in which order, and whether
/// it runs in a circle. Whose nodes they are, and what feeds them, is the caller's matter.
public struct UpstreamWalk<Node: Hashable> {
  /// The nodes that were met, each behind all that feed it, but for circles.
  public private(set) var order: [Node] = []
  /// The first circle that was found, along with the sound, from a node to that node again; nil: there was none.
  public private(set) var circle: [Node]?
  private var isDone: [Node: Bool] = [:]

  /// A walk that has met no node yet and may enter all.
  public init() {}

  /// - Parameter known: nodes that are not entered.
  public init(except known: some Sequence<Node>) { for node in known { isDone[node] = true } }

  /// Meets a node and all that feeds it, unless that was done before.
  ///
  /// - Parameters:
  ///   - start: the node to begin at.
  ///   - feeders: the nodes that feed a node; asked once for each, and met in this order.
  public mutating func visit(_ start: Node, feeders: (Node) -> some Collection<Node>) {
    guard isDone[start] == nil else { return }
    // A stack of its own: the thread's may be short.
    var open: [(node: Node, feeders: ArraySlice<Node>)] = []
    func enter(_ node: Node) {
      isDone[node] = false
      open.append((node, Array(feeders(node))[...]))
    }
    enter(start)
    while let node = open.last?.node {
      guard let feeder = open[open.count - 1].feeders.popFirst() else {
        isDone[node] = true
        order.append(node)
        open.removeLast()
        continue
      }
      switch isDone[feeder] {
      case nil: enter(feeder)
      case true: break
      default:
        guard circle == nil, let first = open.firstIndex(where: { $0.node == feeder }) else { continue }
        circle = [feeder] + open[first...].reversed().map(\.node)
      }
    }
  }

  /// True when a node was met.
  public func hasMet(_ node: Node) -> Bool { isDone[node] != nil }
}
