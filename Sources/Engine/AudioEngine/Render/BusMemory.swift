import AudioCore

/// A node's memory for each of its buses while it renders.
///
/// Most nodes have one input and one output. Theirs lies side by side, as the states of nodes do.
struct BusMemory: ~Copyable {
  package let slots: UnsafeMutablePointer<InputSlot>
  let inputBuffers: UnsafeMutablePointer<BusBuffer>
  let outputBuffers: UnsafeMutablePointer<BusBuffer>
  /// The buffers of a bus without a source: none.
  let nothing: UnsafeMutablePointer<UnsafeMutableRawPointer>
  private let inputCount: Int
  private let outputCount: Int
  private let single: UnsafeMutablePointer<Single>?

  /// Room for one bus on either side. The address in ``nothing`` is never read.
  private struct Single {
    static let pool = SlabPool<Single>()

    let slot: InputSlot
    let input: BusBuffer
    let output: BusBuffer
    let nothing: UnsafeMutableRawPointer
  }

  init(_ inputFormats: [StreamFormat], outputs: [StreamBuffer]) {
    inputCount = inputFormats.count
    outputCount = outputs.count
    if inputCount <= 1 && outputCount <= 1 {
      let single = Single.pool.take()
      self.single = single
      slots = Self.part(of: single, \.slot)
      inputBuffers = Self.part(of: single, \.input)
      outputBuffers = Self.part(of: single, \.output)
      nothing = Self.part(of: single, \.nothing)
    } else {
      single = nil
      slots = .allocate(capacity: max(1, inputCount))
      inputBuffers = .allocate(capacity: max(1, inputCount))
      outputBuffers = .allocate(capacity: max(1, outputCount))
      nothing = .allocate(capacity: 1)
    }
    for (bus, format) in inputFormats.enumerated() {
      (slots + bus).initialize(to: InputSlot(format))
      (inputBuffers + bus).initialize(to: BusBuffer(buffers: nothing, count: 0))
    }
    for (bus, buffer) in outputs.enumerated() { (outputBuffers + bus).initialize(to: buffer.bus) }
  }

  deinit {
    for bus in 0..<inputCount { slots[bus].view.buffers.deallocate() }
    slots.deinitialize(count: inputCount)
    inputBuffers.deinitialize(count: inputCount)
    outputBuffers.deinitialize(count: outputCount)
    if let single { return Single.pool.giveBack(single) }
    slots.deallocate()
    inputBuffers.deallocate()
    outputBuffers.deallocate()
    nothing.deallocate()
  }

  private static func part<Part>(
    of single: UnsafeMutablePointer<Single>, _ part: KeyPath<Single, Part>
  ) -> UnsafeMutablePointer<Part> {
    guard let offset = MemoryLayout<Single>.offset(of: part) else { preconditionFailure("a stored property") }
    return (UnsafeMutableRawPointer(single) + offset).assumingMemoryBound(to: Part.self)
  }
}
