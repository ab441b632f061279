// Writes a coded sound file (FLAC, Apple Lossless, µ-law …) in place, wherever its bytes lie.
// Unlike the writer it makes no promise of all or nothing: the C interface creates files under their own names.

import AudioCore
import CSndfile
import DSPKernels

/// A coder behind libsndfile. One thread at a time; the file is whole after ``finish()``.
package final class SoundFileEncoder {
  package let format: SoundFileFormat
  package let channelCount: Int
  package private(set) var framesWritten: Int64 = 0
  /// The form of the interleaved samples for ``write(_:frames:)``: integers at the top of 32 bits where the coder has
  /// bits, else floats.
  package let inputEncoding: SampleEncoding
  private let io: SoundFileIO
  private var handle: OpaquePointer?
  /// True while a call of libsndfile is under way: its storage may be a client's, whose functions call back.
  private var isBusy = false
  private var isEnding = false

  /// Begins a file in `storage`, whose bytes are given up.
  /// - Throws: `.usage` for a format that cannot be written, `.output` for a storage that cannot be written to.
  package init(
    _ storage: any ByteStorage, name: String, format: SoundFileFormat, sampleRate: Double, channelCount: Int
  ) throws(BenchError) {
    try format.validate(at: name, sampleRate: sampleRate, channelCount: channelCount)
    self.format = format
    self.channelCount = channelCount
    do throws(StorageError) { try storage.setLength(0) } catch {
      throw BenchError(.output, at: name, "cannot be written: \(systemMessage(error.errorNumber))")
    }
    io = SoundFileIO(storage)
    inputEncoding = format.encoding.codedSample
    var info = SF_INFO()
    info.format = format.sndfileFormat
    info.channels = Int32(channelCount)
    info.samplerate = Int32(clamping: sampleRate)
    guard let handle = io.open(mode: Int32(SFM_WRITE), info: &info) else {
      throw BenchError(.output, at: name, "\(format) cannot be written so: \(sndfileMessage(nil))")
    }
    self.handle = handle
  }

  deinit { if let handle { sf_close(handle) } }

  /// The error of the storage.
  package var storageError: StorageError? { io.failure }

  /// - Parameter samples: `frames` interleaved frames of ``inputEncoding``; floats beyond ±1 are bounded here, in
  ///   place.
  /// - Returns: true if all were taken.
  package func write(_ samples: UnsafeMutableRawPointer, frames: Int) -> Bool {
    guard let handle, !isBusy, !isEnding, io.failure == nil else { return false }
    isBusy = true
    defer { endCall() }
    let accepted: Int
    if inputEncoding.kind == .float {
      let floats = samples.assumingMemoryBound(to: Float.self)
      for index in 0..<frames * channelCount { floats[index] = max(-1, min(1, floats[index])) }
      accepted = Int(sf_writef_float(handle, floats, sf_count_t(frames)))
    } else {
      accepted = writeIntegers(samples, to: handle, format.encoding, frames: frames, channelCount: channelCount)
    }
    framesWritten += Int64(max(0, accepted))
    return accepted == frames && io.failure == nil
  }

  /// Lets the header say how long the file is now, where the coder keeps nothing back: µ-law and A-law. FLAC and Apple
  /// Lossless say it when the file is finished.
  /// - Returns: true if the storage took it.
  package func updateHeader() -> Bool {
    guard let handle, !isBusy, format.encoding == .ulaw || format.encoding == .alaw else { return true }
    isBusy = true
    defer { endCall() }
    sf_command(handle, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
    return io.failure == nil
  }

  /// Writes what the coder still holds. Nothing can be written afterwards. From inside a call of the storage it is done
  /// when that call has ended.
  package func finish() -> Bool {
    isEnding = true
    guard let handle, !isBusy else { return true }
    self.handle = nil
    isBusy = true
    defer { isBusy = false }
    guard sf_close(handle) == 0, io.failure == nil else { return false }
    do throws(StorageError) { try StatedFrames.write(framesWritten, format.encoding, to: io.storage) } catch {
      return false
    }
    return true
  }

  private func endCall() {
    isBusy = false
    if isEnding { _ = finish() }
  }
}

/// Gives integers at the top of 32 bits to a coder. µ-law and A-law are coded here, in place, as everywhere else:
/// libsndfile 1.2 makes positive full scale of the lowest value on its way from 32 bits, and another code than ITU-T
/// G.191 of negative values at the edges of steps.
/// - Returns: the frames that were taken.
func writeIntegers(
  _ samples: UnsafeMutableRawPointer, to handle: OpaquePointer, _ encoding: SoundFileEncoding, frames: Int,
  channelCount: Int
) -> Int {
  let code: G711
  switch encoding {
  case .ulaw: code = .muLaw
  case .alaw: code = .aLaw
  default: return Int(sf_writef_int(handle, samples.assumingMemoryBound(to: Int32.self), sf_count_t(frames)))
  }
  let count = frames * channelCount
  for index in 0..<count {
    let value = Int16(truncatingIfNeeded: samples.load(fromByteOffset: 4 * index, as: Int32.self) >> 16)
    samples.storeBytes(of: code.encode(value), toByteOffset: index, as: UInt8.self)
  }
  return Int(sf_write_raw(handle, samples, sf_count_t(count))) / channelCount
}
