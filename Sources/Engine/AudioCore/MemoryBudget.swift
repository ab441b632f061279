import Glibc

/// Memory that something is going to need, summed up part by part before any of it is allocated.
///
/// Sums are estimates from counts and formats, not to the byte; they exist so that a few lines of input cannot take the
/// machine. Sums that have no number saturate.
public struct MemoryBudget: Sendable {
  /// The most bytes that the parts may come to.
  public let limitBytes: Int
  /// Bytes of all parts so far.
  public private(set) var totalBytes = 0
  /// The part that needs most.
  public private(set) var largest: (place: String, bytes: Int) = ("", 0)

  /// - Parameter limitBytes: nil: ``standardLimitBytes``.
  public init(limitBytes: Int? = nil) { self.limitBytes = limitBytes ?? Self.standardLimitBytes }

  /// Adds what a part needs.
  ///
  /// - Parameters:
  ///   - bytes: the memory that the part needs.
  ///   - place: the part, for the error.
  ///   - what: the whole, for the error: "the graph".
  ///   - kind: the kind of the error.
  /// - Throws: at the part that needs most, once the sum is above the limit.
  public mutating func add(
    _ bytes: Int, for place: String, of what: String = "the graph", kind: BenchError.Kind = .graph
  ) throws(BenchError) {
    totalBytes = Self.sum(totalBytes, bytes)
    if bytes > largest.bytes { largest = (place, bytes) }
    guard totalBytes > limitBytes else { return }
    let share = totalBytes == largest.bytes ? "" : ", of them \(NumberText.bytes(largest.bytes)) here"
    throw BenchError(
      kind, at: largest.place,
      "\(what) would need more memory than it may have: \(NumberText.bytes(totalBytes))\(share), of \(NumberText.bytes(limitBytes))",
      advice: "use fewer or shorter parts, or allow more: --memory SIZE")
  }

  /// The environment variable that says how much memory the process may plan for: `4G`, `512M`, a number of bytes.
  public static let environmentVariable = "AUBENCH_MEMORY"

  /// The value of ``environmentVariable`` at the first use, else a quarter of the memory of the machine or its
  /// container, and no more than half of the process's own limit.
  public static let standardLimitBytes =
    getenv(environmentVariable).flatMap { bytes(of: String(cString: $0)) } ?? share

  private static let share: Int = {
    var bytes = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
    if bytes <= 0 { bytes = 4 << 30 }
    for path in ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"] {
      if let allowed = firstNumber(inFile: path) { bytes = min(bytes, allowed) }
    }
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { return bytes / 4 }
    return min(bytes / 4, Int(clamping: limit.rlim_cur) / 2)
  }()

  /// The number that a file of the system begins with; nil where there is none: "max".
  private static func firstNumber(inFile path: String) -> Int? {
    let digits = ((try? FileSystem.contents(of: path, atMost: 1 << 16)) ?? []).prefix { (0x30...0x39).contains($0) }
    guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
    return number > 0 ? number : nil
  }

  /// The sum or product that has no number: something can still be added to it without an overflow.
  private static let most = 1 << 60

  /// A sum that saturates.
  public static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? most : min(sum, most)
  }

  /// A product that saturates; of numbers from 0 on.
  public static func product(_ factors: Int...) -> Int {
    factors.reduce(1) { product, factor in
      let (next, overflow) = product.multipliedReportingOverflow(by: factor)
      return overflow ? most : min(next, most)
    }
  }

  /// The number of bytes that a person writes: `4G`, `1.5GiB`, `512M`, `65536`; units are powers of 1024. Nil for
  /// anything else, and for nothing.
  public static func bytes(of text: String) -> Int? {
    guard let bytes = try? Quantity.value(text, .memory) else { return nil }
    return bytes >= 1 && bytes < 0x1p62 ? Int(clamping: bytes) : nil
  }
}
