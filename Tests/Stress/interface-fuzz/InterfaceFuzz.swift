// Random calls of the whole C interface, from one thread or several: `interface-fuzz SEED CALLS THREADS [FILE...]`.
// It ends with 0 where nothing crashed, hung or grew; `InterfaceFuzzTests` runs some of it, `make fuzz` much.

import AudioToolbox
import CInterfaceFuzz
import CoreFoundation
import Dispatch
import Foundation
import Glibc
import SampleRate
import Synchronization

@main
struct InterfaceFuzz {
  /// Bytes that may be in use at the end beyond those after a quarter of the calls, when all was ended both times:
  /// threads and caches keep some.
  private static let mostGrowth = 4 << 20
  /// Seconds without a finished call on a thread before that is called a hang.
  private static let patience = 120.0

  static func main() {
    let words = CommandLine.arguments.dropFirst()
    let numbers = words.prefix(3).compactMap { UInt64($0) }
    guard numbers.count == 3, (1...64).contains(numbers[2]) else {
      fail("usage: interface-fuzz SEED CALLS THREADS [SOUND-FILE...]", code: 2)
    }
    let (seed, calls, threadCount) = (numbers[0], numbers[1], Int(numbers[2]))
    capMemory()
    signal(SIGXFSZ, SIG_IGN)
    let folder = FileManager.default.temporaryDirectory.appending(path: "interface-fuzz-\(getpid())").path
    mkdir(folder, 0o700)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let objects = Objects(folder: folder, files: Array(words.dropFirst(3)))
    // CAShow's output is discarded.
    let own = dup(1)
    dup2(open("/dev/null", O_WRONLY), 1)
    watch(threadCount)
    let quarter = run(seed, calls / 4, threadCount, objects)
    fuzz_end()
    let before = heapBytes()
    let rest = run(seed &+ 1_000_003, calls - calls / 4, threadCount, objects)
    fuzz_end()
    let growth = heapBytes() - before
    var idle: [String] = []
    var index = 0
    var count: UInt64 = 0
    var succeeded: UInt64 = 0
    while let name = fuzz_function(index, &count, &succeeded) {
      if count == 0 { idle.append(String(cString: name)) }
      if getenv("INTERFACE_FUZZ_LIST") != nil { say("\(succeeded) of \(count) \(String(cString: name))", to: own) }
      index += 1
    }
    say(
      "seed \(seed): \(quarter + rest) calls on \(threadCount) threads, \(index - idle.count) of \(index) functions, "
        + "\(growth >> 10) KiB more in use at the end than after a quarter", to: own)
    if calls >= 100_000, !idle.isEmpty { fail("never called: \(idle.joined(separator: ", "))", code: 1) }
    if calls >= 100_000, growth > mostGrowth { fail("\(growth >> 10) KiB were not freed", code: 1) }
    try? FileManager.default.removeItem(atPath: folder)
    exit(0)
  }

  /// The allocated bytes, less the filter banks that are kept for the conversions to come.
  private static func heapBytes() -> Int { Int(fuzz_heap_bytes()) - RateConverter.keptBankBytes }

  private static func run(_ seed: UInt64, _ calls: UInt64, _ threads: Int, _ objects: Objects) -> UInt64 {
    let share = calls / UInt64(threads)
    if threads == 1 {
      fuzz_run(seed, share, objects.table)
    } else {
      DispatchQueue.concurrentPerform(iterations: threads) { thread in
        fuzz_run(seed &+ UInt64(thread) &* 31, share, objects.table)
      }
    }
    return share * UInt64(threads)
  }

  /// Ends the process where a thread stays in one call: a hang, named by its function.
  private static func watch(_ threadCount: Int) {
    Thread.detachNewThread {
      var former: [UInt64] = []
      var since = Date()
      while true {
        // Nothing to wait for: what is watched is that time goes by in one call.
        usleep(500_000)
        var counts: [UInt64] = []
        var count: UInt64 = 0
        var succeeded: UInt64 = 0
        var index = 0
        while fuzz_function(index, &count, &succeeded) != nil {
          counts.append(count)
          index += 1
        }
        if counts != former { (former, since) = (counts, Date()) }
        guard Date().timeIntervalSince(since) > patience else { continue }
        let present = (0..<fuzz_thread_count()).compactMap { fuzz_present($0).map { String(cString: $0) } }
        fail("no call has ended for \(Int(patience)) s; under way: \(present.joined(separator: ", "))", code: 3)
      }
    }
  }

  /// A random call must not take the machine, whatever it finds.
  private static func capMemory() {
    setenv("AUBENCH_MEMORY", "256M", 0)
    guard getenv("INTERFACE_FUZZ_UNCAPPED") == nil else { return }
    var limit = rlimit(rlim_cur: 6 << 30, rlim_max: 6 << 30)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    var file = rlimit(rlim_cur: 64 << 20, rlim_max: 64 << 20)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &file)
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    say("interface-fuzz: \(message)", to: 2)
    _exit(code)
  }

  private static func say(_ line: String, to descriptor: Int32) {
    _ = (line + "\n").withCString { write(descriptor, $0, strlen($0)) }
  }
}

/// CoreFoundation's objects for calls that want some; they live as long as the process.
final class Objects: @unchecked Sendable {
  let table: UnsafePointer<FuzzObjects>
  private let kept: [AnyObject]

  init(folder: String, files: [String]) {
    // A file that is none, one that is not there, some to be written, and what was given.
    let garbage = folder + "/garbage.wav"
    try? Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 37) }).write(to: URL(filePath: garbage))
    // Copies: calls write to whatever file they meet.
    let copies = files.enumerated().map { index, file in
      let copy = "\(folder)/\(index)-\(file.split(separator: "/").last ?? "")"
      try? FileManager.default.copyItem(atPath: file, toPath: copy)
      return copy
    }
    let paths = copies + [garbage, folder + "/missing.wav"] + (0..<8).map { folder + "/made\($0)" }
    let urls = paths.map { Self.url($0) }
    let strings = ["Rock", "", "12.5", "-∞ dB", String(repeating: "x", count: 3000), "440"].map {
      Self.string($0) as AnyObject
    }
    kept = urls + strings
    let made = UnsafeMutablePointer<FuzzObjects>.allocate(capacity: 1)
    made.initialize(
      to: FuzzObjects(
        urls: Self.pointers(urls), urlCount: urls.count, strings: Self.pointers(strings), stringCount: strings.count,
        runLoop: Unmanaged.passUnretained(CFRunLoopGetMain()).toOpaque(),
        queue: Self.queue("interface-fuzz"),
        release: { object in
          if let object { Unmanaged<AnyObject>.fromOpaque(object).release() }
        }))
    table = UnsafePointer(made)
  }

  /// A `dispatch_queue_t`: a DispatchQueue of Swift is another object, which holds one.
  private static func queue(_ label: String) -> UnsafeMutableRawPointer {
    typealias Create =
      @convention(c) (UnsafePointer<CChar>, UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    guard let create = dlsym(nil, "dispatch_queue_create"),
      let queue = unsafeBitCast(create, to: Create.self)(label, nil)
    else { fatalError("libdispatch makes queues") }
    return queue
  }

  private static func url(_ path: String) -> AnyObject {
    let made = path.utf8CString.withUnsafeBytes { bytes in
      CFURLCreateFromFileSystemRepresentation(
        nil, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count - 1, false)
    }
    guard let made else { fatalError("a path is a URL") }
    return made
  }

  private static func string(_ text: String) -> CFString {
    CFStringCreateWithCString(nil, text, 0x0800_0100)
  }

  private static func pointers(_ objects: [AnyObject]) -> UnsafePointer<UnsafeRawPointer?> {
    let list = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: objects.count)
    for (index, object) in objects.enumerated() {
      (list + index).initialize(to: UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()))
    }
    return UnsafePointer(list)
  }
}
