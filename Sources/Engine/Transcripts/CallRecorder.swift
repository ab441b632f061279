// Records the calls between program, units and hardware. Any thread, the render thread too: a call takes a place in
// memory that is there already, and no lock.

import AudioCore
import CRealtime
import Glibc
import Synchronization

/// The recorder of calls. There is one, or none, for the process: see ``shared``.
package final class CallRecorder: Sendable {
  /// The recorder of this process: nil, and calls cost nothing more, unless the environment asks for one, or
  /// ``begin()`` has.
  ///
  /// `AUBENCH_TRACE` names a file that the transcript is written to as the process ends, `%p` in it being the number of
  /// the process; `AUBENCH_TRACE_MEMORY` is for `aubench trace`, and says where a ``CallMemory`` is: `DESCRIPTOR:PATH`.
  package static let shared: CallRecorder? = make()

  package let memory: CallMemory
  /// The scenario's time, nanoseconds and 1; 0: there is none.
  private let clock = Atomic<UInt64>(0)
  private let subjects = Locked<[String: Int]>([:])

  package init(_ memory: CallMemory) { self.memory = memory }

  private static func make() -> CallRecorder? {
    if let place = FileSystem.environment("AUBENCH_TRACE_MEMORY") {
      switch CallMemory.taken(at: place) {
      case .own(let memory): return forThisProcess(memory)
      case .ofAnother: return nil
      case .none:
        ErrorLine.write("AUBENCH_TRACE_MEMORY: there is no memory at \"\(place)\", so that no call is written down")
        return nil
      }
    }
    guard let path = FileSystem.environment("AUBENCH_TRACE"), !path.isEmpty else { return nil }
    guard let memory = CallMemory() else {
      ErrorLine.write("AUBENCH_TRACE: there is no memory for a transcript")
      return nil
    }
    atexit { CallRecorder.shared?.writeAsAsked() }
    return forThisProcess(memory)
  }

  /// A child that goes on without a program of its own would write into the same memory.
  private static func forThisProcess(_ memory: CallMemory) -> CallRecorder {
    pthread_atfork(nil, nil) { realtime_transcript_end() }
    return CallRecorder(memory)
  }

  private func writeAsAsked() {
    guard !realtime_transcript_has_ended(), let name = FileSystem.environment("AUBENCH_TRACE") else { return }
    let path = name.replacing("%p", with: "\(getpid())")
    do {
      try AtomicFile.write(Transcript(memory).text(), to: path)
    } catch {
      ErrorLine.write("AUBENCH_TRACE: \(error)")
    }
  }

  /// A subject that nothing else has: the next number of its name.
  package func makeSubject(_ name: String) -> CallSubject {
    let name = name.filter { $0 != " " }
    let number = subjects.withLock { subjects in
      subjects[name, default: 0] += 1
      return subjects[name] ?? 1
    }
    return CallSubject(name, number)
  }

  /// Names the calling thread: by default the main one is, and those are that the program has named.
  package func nameThread(_ name: String) {
    let place = realtime_transcript_place()
    if place.pointee.thread == 0 { place.pointee.thread = memory.addThread() }
    memory.setName(name, ofThread: place.pointee.thread)
  }

  private func thread(_ place: UnsafeMutablePointer<realtime_transcript_place_t>) -> UInt32 {
    if place.pointee.thread != 0 { return place.pointee.thread }
    place.pointee.thread = memory.addThread()
    memory.setName(Self.threadName, ofThread: place.pointee.thread)
    return place.pointee.thread
  }

  /// A thread has the name of the process until it is given another.
  private static var threadName: String {
    var name = [CChar](repeating: 0, count: 16)
    guard realtime_thread_name(&name) else { return "main" }
    let own = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return own == processName ? "" : own
  }

  private static let processName: String = {
    let bytes = (try? FileSystem.contents(of: "/proc/self/comm", atMost: 64)) ?? []
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }()

  // MARK: Calls

  /// A call that has begun, to be ended on the same thread.
  package struct Mark {
    fileprivate let record: UnsafeMutablePointer<CallRecord>?
  }

  /// - Parameters:
  ///   - name: the name of the function; text in parentheses is left out.
  ///   - node: the name of a callee that has one of its own, and no subject.
  ///   - arguments: as they are to be read.
  package func begin(
    _ kind: CallKind, _ name: StaticString, _ subject: CallSubject? = nil, node: String = "", arguments: String = "",
    at moment: CallMoment = CallMoment()
  ) -> Mark {
    let place = realtime_transcript_place()
    guard !realtime_transcript_has_ended() else { return Mark(record: nil) }
    defer { place.pointee.depth += 1 }
    let thread = thread(place)
    guard thread != CallMemory.noThread else {
      memory.countStrangeCall()
      return Mark(record: nil)
    }
    guard let memory = memory.takeRecord() else { return Mark(record: nil) }
    var record = CallRecord()
    record.thread = thread
    record.depth = place.pointee.depth
    record.kind = kind.rawValue
    record.sampleTime = moment.sampleTime
    record.sampleRate = moment.sampleRate
    record.clock = clock.load(ordering: .relaxed)
    record.frames = moment.frames
    record.bus = moment.bus
    if let flags = moment.flags {
      record.hasFlags = true
      record.flagsBefore = flags
    }
    record.append(name)
    if let subject { record.append(subject) }
    if !node.isEmpty { record.append(" " + node) }
    if !arguments.isEmpty {
      record.append(0)
      record.append(arguments)
    }
    memory.initialize(to: record)
    self.memory.publish(memory)
    return Mark(record: memory)
  }

  /// - Parameters:
  ///   - status: the status of the call.
  ///   - result: other results, if there are any.
  ///   - flags: the render flags as they were left.
  package func end(_ mark: Mark, status: Int32 = 0, result: String = "", flags: UInt32? = nil) {
    guard !realtime_transcript_has_ended() else { return }
    realtime_transcript_place().pointee.depth -= 1
    guard let record = mark.record else { return }
    record.pointee.status = status
    if !result.isEmpty { record.pointee.appendResult(result) }
    record.pointee.flagsAfter = flags ?? record.pointee.flagsBefore
    record.pointee.isEnded = true
  }

  /// Sets the moment of a scenario for the calls that follow, nanoseconds from its beginning.
  package func moveClock(to nanoseconds: UInt64) { clock.store(nanoseconds &+ 1, ordering: .relaxed) }

  /// Records an event without a duration.
  package func note(
    _ kind: CallKind, _ name: StaticString, arguments: String = "", at moment: CallMoment = CallMoment()
  ) {
    end(begin(kind, name, arguments: arguments, at: moment))
  }
}
