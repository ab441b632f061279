// The file under libsndfile: a storage of ours behind its virtual I/O.
// So every error keeps its number, a header that sends the library in circles is stopped, and output has no name until
// it is whole.

import AudioCore
import CMPEGDecoder
import CSndfile
import Glibc

/// A storage with a position, as libsndfile's callbacks see it. Owned by one reader or writer; one thread at a time.
final class SoundFileIO {
  let storage: any ByteStorage
  private(set) var length: Int64
  private var position: Int64 = 0
  /// The first error of the storage.
  private(set) var failure: StorageError?
  /// Its errno, 0 while all is well.
  var errorNumber: Int32 { failure?.errorNumber ?? 0 }
  /// The reason that libsndfile gave for not opening it.
  private(set) var refusal = ""
  /// The way in which libsndfile is opening this file just now.
  private var opening: OpeningGate.Way?
  /// Calls and bytes that reading may still take; nil is no limit. Guards the opening of hostile files.
  private var budget: (calls: Int, bytes: Int64)?
  private(set) var isBudgetSpent = false
  /// True when opening has failed: from then on every read is at the end of the file. A library that only sees an empty
  /// read may try the same place for ever.
  var hasGivenUp: Bool { isBudgetSpent || budget != nil && failure != nil }

  /// No file is longer, so that places and lengths can be added up.
  private static let mostBytes: Int64 = 1 << 62
  /// Bytes after which the disk is full, as far as a test is concerned.
  private let space: Int64

  init(_ storage: any ByteStorage, space: Int64 = .max) {
    self.storage = storage
    self.space = space
    length = storage.length
  }

  /// Lets reading take a few times the file's size and no more, until ``liftBudget()``.
  func limitReading() {
    budget = (calls: 1_000_000 + Int(clamping: length / 16), bytes: 64 << 20 + length.multipliedOrMax(by: 4))
  }

  func liftBudget() { budget = nil }

  func rewind() { position = 0 }

  /// Says from now on that the file is `factor` times as long; what is read still ends where it ends.
  ///
  /// libmpg123 looks for a tag in the last 128 bytes, and gives up where it cannot read them: these are zeros.
  func pretendLength(factor: Int64) {
    length = length.multipliedOrMax(by: factor)
    isLengthPretended = true
  }

  private var isLengthPretended = false

  /// Bytes from `offset` on, past libsndfile and without its position; fewer than asked at the end, or after an error.
  func read(_ bytes: UnsafeMutableRawPointer, count: Int, at offset: Int64) -> Int {
    do throws(StorageError) { return try storage.read(bytes, count: count, at: offset) } catch {
      note(error)
      return 0
    }
  }

  /// Bytes read; fewer than asked at the end of the file, or after an error.
  func read(_ bytes: UnsafeMutableRawPointer, count: Int) -> Int {
    // A header may send the library to any place.
    guard !hasGivenUp, position < Self.mostBytes else { return 0 }
    if budget != nil {
      budget?.calls -= 1
      budget?.bytes -= Int64(count)
      if let left = budget, left.calls < 0 || left.bytes < 0 {
        isBudgetSpent = true
        return 0
      }
    }
    if isLengthPretended, position >= length - 128 {
      let zeros = min(count, Int(length - position))
      if zeros > 0 { memset(bytes, 0, zeros) }
      position += Int64(max(0, zeros))
      return max(0, zeros)
    }
    let got: Int
    do throws(StorageError) {
      got = try reachStorage { () throws(StorageError) in try storage.read(bytes, count: count, at: position) }
    } catch {
      note(error)
      return 0
    }
    if position == 0 { Self.renameBW64(bytes, count: got) }
    position += Int64(got)
    return got
  }

  /// libsndfile does not know the other name of RF64 (ITU-R BS.2088): it is given the one that it knows.
  private static func renameBW64(_ bytes: UnsafeMutableRawPointer, count: Int) {
    guard count >= 4, memcmp(bytes, "BW64", 4) == 0 else { return }
    memcpy(bytes, "RF64", 4)
  }

  /// Bytes written; none after an error, which stays for good: later writes do nothing.
  func write(_ bytes: UnsafeRawPointer, count: Int) -> Int {
    guard failure == nil else { return 0 }
    guard position <= space - Int64(count) else {
      note(.system(ENOSPC))
      return 0
    }
    do throws(StorageError) {
      try reachStorage { () throws(StorageError) in try storage.write(bytes, count: count, at: position) }
    } catch {
      note(error)
      return 0
    }
    position += Int64(count)
    length = max(length, position)
    return count
  }

  /// The new position, or −1 where there is none.
  func seek(_ offset: Int64, whence: Int32) -> Int64 {
    let base: Int64 =
      switch whence {
      case SEEK_SET: 0
      case SEEK_CUR: position
      default: length
      }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return -1 }
    position = target
    return tell
  }

  var tell: Int64 { hasGivenUp ? max(position, length) : position }

  private func note(_ error: StorageError) {
    if failure == nil { failure = error }
  }

  /// Reaches the storage, outside the gate where libsndfile is opening this file.
  private func reachStorage<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
    guard let opening else { return try body() }
    return try OpeningGate.libsndfile.outside(opening, body)
  }

  /// Opens libsndfile on this object, which must outlive the handle. Nil where libsndfile refuses.
  func open(mode: Int32, info: inout SF_INFO) -> OpaquePointer? {
    mpeg_decoder_stay_quiet()
    var callbacks = SF_VIRTUAL_IO(
      get_filelen: { SoundFileIO.from($0)?.length ?? -1 },
      seek: { offset, whence, data in SoundFileIO.from(data)?.seek(offset, whence: whence) ?? -1 },
      read: { bytes, count, data in
        guard let bytes, count > 0, let io = SoundFileIO.from(data) else { return 0 }
        return Int64(io.read(bytes, count: Int(count)))
      },
      write: { bytes, count, data in
        guard let bytes, count > 0, let io = SoundFileIO.from(data) else { return 0 }
        return Int64(io.write(bytes, count: Int(count)))
      },
      tell: { SoundFileIO.from($0)?.tell ?? -1 })
    let wanted = info
    let subtype = info.format & Int32(SF_FORMAT_SUBMASK)
    let makesFile =
      mode != SFM_READ && (Int32(SF_FORMAT_ALAC_16)...Int32(SF_FORMAT_ALAC_32)).contains(subtype)
    func begin(_ way: OpeningGate.Way) -> OpaquePointer? {
      info = wanted
      opening = way
      defer { opening = nil }
      func attempt() -> OpaquePointer? {
        sf_open_virtual(&callbacks, mode, &info, Unmanaged.passUnretained(self).toOpaque())
      }
      let handle = makesFile ? NamelessFiles.during(suffix: "-alac.tmp", attempt) : attempt()
      refusal = handle == nil ? sndfileMessage(nil) : ""
      return handle
    }
    let bytes = length
    if let handle = OpeningGate.libsndfile.inside(.shared, { begin(.shared) }) { return handle }
    // A file that was written to, or has failed, cannot be tried again.
    guard length == bytes, failure == nil, !hasGivenUp else { return nil }
    rewind()
    return OpeningGate.libsndfile.inside(.alone) { begin(.alone) }
  }

  private static func from(_ data: UnsafeMutableRawPointer?) -> SoundFileIO? {
    data.map { Unmanaged<SoundFileIO>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension Int64 {
  fileprivate func multipliedOrMax(by factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max / 2 : Swift.min(product, .max / 2)
  }
}

/// The descriptor is an error's, not the file's: libsndfile's last word, without its full stop.
func sndfileMessage(_ handle: OpaquePointer?) -> String { withoutFullStop(sf_strerror(handle)) }

private func withoutFullStop(_ text: UnsafePointer<CChar>?) -> String {
  guard let text else { return "unknown error" }
  var words = String(cString: text)
  while words.last == "." || words.last == " " || words.last == "\n" { words.removeLast() }
  return words
}
