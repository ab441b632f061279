import AudioCore
import TestSupport
import Testing

/// A walk against the direction of sound.
@Suite struct UpstreamWalkTests {
  /// The sources of each node in random graphs, with and without circles.
  private static func randomFeeders(_ generator: inout SeededGenerator, isAcyclic: Bool) -> [[Int]] {
    let count = Int.random(in: 1...12, using: &generator)
    return (0..<count).map { node in
      (0..<Int.random(in: 0...3, using: &generator)).compactMap { _ in
        let feeder = Int.random(in: 0..<count, using: &generator)
        return isAcyclic && feeder >= node ? nil : feeder
      }
    }
  }

  /// The nodes that frames of each node reach, by the definition: over any number of steps.
  private func reaches(_ feeders: [[Int]]) -> [[Bool]] {
    var reach = feeders.indices.map { node in feeders.indices.map { $0 == node || feeders[node].contains($0) } }
    for middle in reach.indices {
      for node in reach.indices where reach[node][middle] {
        for far in reach.indices where reach[middle][far] { reach[node][far] = true }
      }
    }
    return reach
  }

  @Test("Each node that feeds the start is met once, behind all that feed it", arguments: 0..<50)
  func order(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let feeders = Self.randomFeeders(&generator, isAcyclic: true)
    let start = feeders.count - 1
    var walk = UpstreamWalk<Int>()
    walk.visit(start) { feeders[$0] }
    let reach = reaches(feeders)
    #expect(Set(walk.order) == Set(feeders.indices.filter { reach[start][$0] }))
    #expect(Set(walk.order).count == walk.order.count)
    for (place, node) in walk.order.enumerated() {
      #expect(Set(feeders[node]).isSubset(of: walk.order[..<place]))
    }
    #expect(walk.circle == nil)
    #expect(feeders.indices.allSatisfy { walk.hasMet($0) == reach[start][$0] })
  }

  @Test("A circle is found where there is one, and is one", arguments: 0..<50)
  func circles(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let feeders = Self.randomFeeders(&generator, isAcyclic: false)
    var walk = UpstreamWalk<Int>()
    for node in feeders.indices { walk.visit(node) { feeders[$0] } }
    #expect(Set(walk.order) == Set(feeders.indices))
    let reach = reaches(feeders)
    let isCircular = feeders.indices.contains { node in feeders[node].contains { reach[$0][node] } }
    #expect((walk.circle != nil) == isCircular)
    if let circle = walk.circle {
      #expect(circle.count > 1 && circle.first == circle.last)
      // Along with the sound: each feeds the next.
      #expect(zip(circle, circle.dropFirst()).allSatisfy { feeders[$1].contains($0) })
    }
  }

  @Test("What is known is not entered")
  func known() {
    var walk = UpstreamWalk(except: [1])
    walk.visit(0) { [[1, 2], [3], [], []][$0] }
    #expect(walk.order == [2, 0])
    #expect(walk.hasMet(1) && !walk.hasMet(3))
  }

  @Test("A chain of 100,000 nodes needs no deep stack")
  func deep() {
    var walk = UpstreamWalk<Int>()
    walk.visit(100_000) { $0 == 0 ? [] : [$0 - 1] }
    #expect(walk.order == Array(0...100_000))
  }
}
