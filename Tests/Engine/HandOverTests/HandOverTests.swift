import HandOver
import Testing

/// The promises with one thread; those with several are tested by `Tests/Stress/hand-over-stress`, which
/// ThreadSanitizer watches.
@Suite("What is handed over arrives in order and whole, and is freed where it may be")
struct HandOverTests {
  final class Note: Parcel {
    let text: String
    private let onEnd: () -> Void
    init(_ text: String, onEnd: @escaping () -> Void = {}) {
      self.text = text
      self.onEnd = onEnd
    }
    deinit { onEnd() }
  }

  private func texts(_ chain: borrowing ParcelChain) -> [String] {
    var texts: [String] = []
    chain.forEach { texts.append(($0 as? Note)?.text ?? "?") }
    return texts
  }

  @Test("A queue gives back what was put down, first things first, rows undivided")
  func queueOrder() {
    let queue = ParcelQueue()
    func isEmpty() -> Bool { queue.isEmpty }
    #expect(isEmpty())
    #expect(texts(queue.takeAll()) == [])
    queue.put(Note("a"))
    queue.put(ParcelChain([Note("b"), Note("c"), Note("d")]))
    queue.put(ParcelChain())
    queue.put(Note("e"))
    #expect(!isEmpty())
    #expect(texts(queue.takeAll()) == ["a", "b", "c", "d", "e"])
    #expect(isEmpty())
    queue.put(Note("f"))
    #expect(texts(queue.takeAll()) == ["f"])
  }

  @Test("A chain grows at its end and shrinks at its front; chains can be joined")
  func chains() {
    var chain = ParcelChain([Note("a"), Note("b")])
    chain.append(ParcelChain([Note("c")]))
    chain.append(ParcelChain())
    #expect(texts(chain) == ["a", "b", "c"])
    let first = chain.removeFirst()
    #expect((first?.takeRetainedValue() as? Note)?.text == "a")
    var empty = ParcelChain()
    let nothing = empty.removeFirst()
    #expect(nothing == nil)
    empty.append(chain)
    #expect(texts(empty) == ["b", "c"])
    while let parcel = empty.removeFirst() { parcel.release() }
    empty.append(.passRetained(Note("d")))
    #expect(texts(empty) == ["d"])
  }

  @Test("Whoever drops a chain, a queue or a mailbox frees what lies in it, once")
  func freeing() {
    var freed = 0
    func note() -> Note { Note("") { freed += 1 } }
    do {
      let queue = ParcelQueue()
      queue.put(note())
      queue.put(ParcelChain([note(), note()]))
      _ = queue.takeAll()
      #expect(freed == 3)
      queue.put(note())
    }
    #expect(freed == 4)
    do {
      let mailbox = Mailbox(note())
      mailbox.send(note())
      // Never taken over: the next frees it.
      mailbox.send(note())
      #expect(freed == 5)
      #expect(mailbox.adopt())
      // The first has been returned, before any collection.
      #expect(freed == 5)
      mailbox.collect()
      #expect(freed == 6)
      mailbox.send(note())
    }
    #expect(freed == 8)
  }

  @Test("A mailbox holds what was sent last, from the moment at which it is taken over")
  func mailbox() {
    let mailbox = Mailbox(Note("a"))
    var present: String? { mailbox.present._withUnsafeGuaranteedRef { ($0 as? Note)?.text } }
    #expect(!mailbox.adopt() && present == "a")
    mailbox.send(Note("b"))
    #expect(present == "a")
    mailbox.send(Note("c"))
    #expect(mailbox.adopt() && present == "c")
    #expect(!mailbox.adopt() && present == "c")
    // However often the edit side fails to fetch what has come home.
    for text in ["d", "e", "f"] {
      mailbox.send(Note(text))
      #expect(mailbox.adopt() && present == text)
    }
  }

  @Test("A ring gives back whole batches in the order of their claims, and refuses what does not fit")
  func ring() {
    let ring = BatchRing(capacity: 8)
    var values = [Int](repeating: 0, count: 8)
    func write(_ numbers: [Int], at first: UInt64) {
      for (index, number) in numbers.enumerated() { values[ring.place(of: first + UInt64(index))] = number }
      ring.publish(first, count: numbers.count)
    }
    func drained() -> [Int] {
      var found: [Int] = []
      ring.drain { found.append(values[$0]) }
      return found
    }
    #expect(!ring.isInUse && !ring.hasBatches && drained() == [])
    #expect(ring.claim(9) == nil)
    for round in 0..<5 {
      let first = ring.claim(3)
      let second = ring.claim(4)
      #expect(first == UInt64(7 * round) && second == UInt64(7 * round + 3))
      #expect(ring.claim(2) == nil)
      guard let first, let second else { return }
      // The later batch is whole first: it waits for the one before it.
      write([4, 5, 6, 7], at: second)
      #expect(ring.isInUse && !ring.hasBatches && drained() == [])
      write([1, 2, 3], at: first)
      #expect(ring.hasBatches)
      #expect(drained() == [1, 2, 3, 4, 5, 6, 7])
      #expect(!ring.isInUse)
    }
  }
}
