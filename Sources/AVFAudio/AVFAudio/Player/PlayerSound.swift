import AVFAudioFiles
import AudioCore
import AudioEngine
import BuiltInUnits
import Foundation
import SoundFile

/// The domain of errors of `AVAudioPlayer` and `AVAudioRecorder`, as programs see it on Apple's systems.
let statusErrorDomain = "NSOSStatusErrorDomain"

/// The sound of a player: a file that stays open, or bytes in memory. Any thread.
final class PlayerSound: @unchecked Sendable {
  /// The format of the packets.
  let format: AVAudioFormat
  /// Frames at the file's own rate.
  let frameCount: Int64
  /// Hertz, of the file.
  let sampleRate: Double
  let channelCount: Int
  private let storage: any ByteStorage
  private let name: String
  /// Readers that no stream uses.
  private let idle: Locked<[SoundFileReader]>

  private init(_ reader: SoundFileReader) {
    format = AVAudioFormat(of: reader)
    frameCount = reader.info.frameCount
    sampleRate = reader.info.sampleRate
    channelCount = reader.info.channelCount
    storage = reader.storage
    name = reader.info.path
    idle = Locked([])
    giveBack(reader)
  }

  /// No sound: there is nothing to read.
  init() {
    format = .initial
    frameCount = 0
    sampleRate = format.sampleRate
    channelCount = Int(format.channelCount)
    storage = MemoryStorage([])
    name = "no sound"
    idle = Locked([])
  }

  /// Opens a file.
  /// - Throws: `NSError`: −50 for a URL of no file, 'wht?' where there is none, 'prm?' where it may not be read, 'typ?'
  ///   where it is no sound.
  convenience init(contentsOf url: URL) throws {
    guard url.isFileURL else {
      throw NSError(.parameterError, "\(url): not the URL of a file", domain: statusErrorDomain)
    }
    let path = url.path
    do throws(BenchError) { self.init(try SoundFileReader(path: path, allowTruncated: true)) } catch {
      throw NSError(AVAudioFile.openingStatus(path), error.description, domain: statusErrorDomain)
    }
  }

  /// Opens bytes as those of a file.
  /// - Throws: `NSError` 'typ?' where they are no sound.
  convenience init(data: Data) throws {
    do throws(BenchError) {
      guard !data.isEmpty else { throw BenchError(.input, at: "data", "is empty (0 bytes)") }
      self.init(try SoundFileReader(storage: MemoryStorage([UInt8](data)), name: "data", allowTruncated: true))
    } catch {
      throw NSError(.fileTypeUnsupported, error.description, domain: statusErrorDomain)
    }
  }

  /// Seconds.
  var duration: TimeInterval { sampleRate > 0 ? Double(frameCount) / sampleRate : 0 }

  /// The frame at a time, the nearest, between the first one and the end; nil for no number.
  func frame(at seconds: TimeInterval) -> Int64? {
    guard !seconds.isNaN else { return nil }
    return min(frameCount, FrameCount.from(seconds: min(max(0, seconds), duration), sampleRate: sampleRate) ?? 0)
  }

  /// A reader of the same bytes with a place of its own.
  func takeReader() throws(BenchError) -> SoundFileReader {
    if let reader = idle.withLock({ $0.popLast() }) { return reader }
    return try SoundFileReader(storage: storage, name: name, allowTruncated: true)
  }

  /// Takes back a reader that nothing reads from any more.
  func giveBack(_ reader: SoundFileReader) { idle.withLock { $0.append(reader) } }
}
