import AudioCore

/// A node's memory for each of its buses while it renders.
///
/// Most nodes have one input and one output. Theirs lies side by side, as the states of nodes do.
struct BusMemory: ~Copyable {
  let slots: Plane<InputSlot>
  let inputBuffers: Plane<BusBuffer>
  let outputBuffers: Plane<BusBuffer>
  /// The buffers of a bus without a source: none.
  let nothing: BusBuffer
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
    let (inputCount, outputCount) = (inputFormats.count, outputs.count)
    if inputCount <= 1 && outputCount <= 1 {
      let single = Single.pool.take()
      self.single = single
      slots = Plane(Self.part(of: single, \.slot), count: inputCount)
      inputBuffers = Plane(Self.part(of: single, \.input), count: inputCount)
      outputBuffers = Plane(Self.part(of: single, \.output), count: outputCount)
      nothing = BusBuffer(buffers: Self.part(of: single, \.nothing), count: 0, frames: 0)
    } else {
      single = nil
      slots = Plane(.allocate(capacity: max(1, inputCount)), count: inputCount)
      inputBuffers = Plane(.allocate(capacity: max(1, inputCount)), count: inputCount)
      outputBuffers = Plane(.allocate(capacity: max(1, outputCount)), count: outputCount)
      nothing = BusBuffer(buffers: .allocate(capacity: 1), count: 0, frames: 0)
    }
    for (bus, format) in inputFormats.enumerated() {
      (slots.start + bus).initialize(to: InputSlot(format))
      (inputBuffers.start + bus).initialize(to: nothing)
    }
    for (bus, buffer) in outputs.enumerated() { (outputBuffers.start + bus).initialize(to: buffer.bus) }
  }

  deinit {
    for bus in 0..<slots.count { slots[bus].view.buffers.deallocate() }
    slots.start.deinitialize(count: slots.count)
    if let single { return Single.pool.giveBack(single) }
    slots.start.deallocate()
    inputBuffers.start.deallocate()
    outputBuffers.start.deallocate()
    nothing.buffers.deallocate()
  }

  private static func part<Part>(
    of single: UnsafeMutablePointer<Single>, _ part: KeyPath<Single, Part>
  ) -> UnsafeMutablePointer<Part> {
    guard let offset = MemoryLayout<Single>.offset(of: part) else { preconditionFailure("a stored property") }
    return (UnsafeMutableRawPointer(single) + offset).assumingMemoryBound(to: Part.self)
  }
}
