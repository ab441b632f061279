// The memory for recorded calls: of a fixed size, whose pages the system gives as they are written to. Another process
// can share it, and has all that was recorded when this one has crashed.

import AudioCore
import CRealtime
import Glibc
import Synchronization

/// Records, and the names of the threads that they are of.
package final class CallMemory: @unchecked Sendable {
  private struct Header: ~Copyable {
    /// The identity of the memory, and its layout.
    let magic = Atomic<UInt64>(0)
    /// The process that records: the first that came.
    let owner = Atomic<UInt64>(0)
    /// Calls, those included that found no room.
    let callCount = Atomic<UInt64>(0)
    let threadCount = Atomic<UInt64>(0)
    /// Further processes that would have recorded here.
    let strangerCount = Atomic<UInt64>(0)
    /// Calls of threads that found no room.
    let strangeCallCount = Atomic<UInt64>(0)
  }
  private static let magic: UInt64 = 0x6175_6274_7261_6301
  private static let firstName = 4096
  private static let nameBytes = 32
  private static let firstRecord = 1 << 18
  private static let recordBytes = 256
  private static let threadCapacity = (firstRecord - firstName) / nameBytes
  /// Calls that are kept: what comes after them is counted.
  package static let capacity = 1 << 20

  private let start: UnsafeMutableRawPointer
  private static let byteCount = firstRecord + capacity * recordBytes
  private var header: UnsafeMutablePointer<Header> { start.assumingMemoryBound(to: Header.self) }

  /// Memory of this process alone; nil where it may not have that much.
  package convenience init?() { self.init(mapping: -1, isNew: true) }

  /// Memory that a child can be given by its descriptor; nil where the system gives none.
  package static func shared() -> (memory: CallMemory, descriptor: Int32)? {
    let descriptor = realtime_memory_file(Int64(byteCount))
    guard descriptor >= 0 else { return nil }
    guard let memory = CallMemory(mapping: descriptor, isNew: true) else {
      close(descriptor)
      return nil
    }
    return (memory, descriptor)
  }

  /// The place of a descriptor's memory in this process, for a child that gets it as another one: the child's
  /// descriptor, and a path for a child that loses it.
  package static func place(of descriptor: Int32, asDescriptor inChild: Int32) -> String {
    "\(inChild):/proc/\(getpid())/fd/\(descriptor)"
  }

  /// The result of a process's search for memory that another one has given it.
  enum Taken {
    case own(CallMemory)
    /// Another process records there already.
    case ofAnother
    case none
  }

  /// - Parameter place: as ``place(of:asDescriptor:)``.
  static func taken(at place: String) -> Taken {
    let parts = place.split(separator: ":", maxSplits: 1)
    var memory = parts.first.flatMap { Int32($0) }.flatMap { CallMemory(given: $0) }
    if memory == nil, parts.count == 2 {
      let descriptor = FileSystem.open(String(parts[1]), O_RDWR | O_CLOEXEC)
      if descriptor >= 0 {
        memory = CallMemory(given: descriptor)
        close(descriptor)
      }
    }
    guard let memory else { return .none }
    let owner = memory.header.pointee.owner.compareExchange(
      expected: 0, desired: UInt64(getpid()), ordering: .relaxed)
    if owner.exchanged { return .own(memory) }
    memory.header.pointee.strangerCount.add(1, ordering: .relaxed)
    return .ofAnother
  }

  private convenience init?(given descriptor: Int32) {
    var about = stat()
    guard fstat(descriptor, &about) == 0, Int(about.st_size) == Self.byteCount else { return nil }
    self.init(mapping: descriptor, isNew: false)
    guard header.pointee.magic.load(ordering: .acquiring) == Self.magic else { return nil }
  }

  private init?(mapping descriptor: Int32, isNew: Bool) {
    let flags = descriptor < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED
    guard let memory = mmap(nil, Self.byteCount, PROT_READ | PROT_WRITE, flags, descriptor, 0), memory != MAP_FAILED
    else { return nil }
    start = memory
    precondition(MemoryLayout<CallRecord>.stride + 8 <= Self.recordBytes)
    guard isNew else { return }
    header.initialize(to: Header())
    header.pointee.magic.store(Self.magic, ordering: .releasing)
  }

  deinit { munmap(start, Self.byteCount) }

  // MARK: Writing

  /// Room for one more call; nil where there is none.
  func takeRecord() -> UnsafeMutablePointer<CallRecord>? {
    let index = header.pointee.callCount.add(1, ordering: .relaxed).oldValue
    return index < UInt64(Self.capacity) ? record(Int(index)) : nil
  }

  /// Says that a record can be read.
  func publish(_ record: UnsafeMutablePointer<CallRecord>) {
    state(of: record).pointee.store(1, ordering: .releasing)
  }

  /// The number of one more thread, from 1 on; ``noThread`` for those that are too many.
  func addThread() -> UInt32 {
    let number = header.pointee.threadCount.add(1, ordering: .relaxed).newValue
    return number <= UInt64(Self.threadCapacity) ? UInt32(number) : Self.noThread
  }
  /// The number of all threads that there is no room for: their calls are counted.
  static let noThread = UInt32.max
  func countStrangeCall() { header.pointee.strangeCallCount.add(1, ordering: .relaxed) }

  func setName(_ name: String, ofThread thread: UInt32) {
    guard thread != Self.noThread else { return }
    let memory = self.name(thread)
    let bytes = name.utf8.prefix(Self.nameBytes - 1)
    for (place, byte) in bytes.enumerated() { memory[place] = byte }
    memory[bytes.count] = 0
  }

  // MARK: Reading

  // The program that is recorded can write over all of this: no number of it is taken as it is.

  /// Calls that found no room.
  var lostCalls: Int {
    let calls = Int(clamping: header.pointee.callCount.load(ordering: .relaxed))
    let (count, isTooMuch) = max(0, calls - Self.capacity).addingReportingOverflow(
      Int(clamping: header.pointee.strangeCallCount.load(ordering: .relaxed)))
    return isTooMuch ? .max : count
  }
  /// Processes besides the one that records whose calls are not written down.
  package var otherProcesses: Int { Int(clamping: header.pointee.strangerCount.load(ordering: .relaxed)) }
  /// True when a process has recorded here.
  package var wasUsed: Bool { header.pointee.callCount.load(ordering: .relaxed) > 0 }

  var threadNames: [String] {
    let count = min(Int(clamping: header.pointee.threadCount.load(ordering: .acquiring)), Self.threadCapacity)
    return (0..<count).map { thread in
      let memory = name(UInt32(thread + 1))
      return String(decoding: (0..<Self.nameBytes).map { memory[$0] }.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// Calls `body` with all that has been recorded, in the order of its beginning.
  func forEach(_ body: (CallRecord) -> Void) {
    let count = min(Int(clamping: header.pointee.callCount.load(ordering: .acquiring)), Self.capacity)
    for index in 0..<count {
      let record = record(index)
      if state(of: record).pointee.load(ordering: .acquiring) == 1 { body(record.pointee) }
    }
  }

  private func record(_ index: Int) -> UnsafeMutablePointer<CallRecord> {
    (start + Self.firstRecord + index * Self.recordBytes + 8).assumingMemoryBound(to: CallRecord.self)
  }
  /// 1 once the record is written.
  private func state(of record: UnsafeMutablePointer<CallRecord>) -> UnsafeMutablePointer<Atomic<UInt32>> {
    (UnsafeMutableRawPointer(record) - 8).assumingMemoryBound(to: Atomic<UInt32>.self)
  }
  private func name(_ thread: UInt32) -> UnsafeMutablePointer<UInt8> {
    (start + Self.firstName + (Int(thread) - 1) * Self.nameBytes).assumingMemoryBound(to: UInt8.self)
  }
}
