import AudioCore
import AudioEngine
import CAudioToolbox
import CoreAudioStreams
import Foundation
import SoundFile

/// A sound file that is read or written in a format of PCM, the processing format: the file's rate and channels, standard
/// floats unless asked otherwise. One thread at a time.
///
/// A file that is written appears under its name, whole, when it is closed, its object ends or the program exits: until
/// then a file of that name that was there before stays as it was.
open class AVAudioFile: NSObject, @unchecked Sendable {
  /// The place of the file.
  public let url: URL
  /// The format of what lies in the file.
  public let fileFormat: AVAudioFormat
  /// The format of the buffers that are read and written.
  public let processingFormat: AVAudioFormat

  private enum Work {
    case reading(SoundFileReader, ClientReading)
    case writing(FileWriting)
    case closed(length: AVAudioFramePosition)
  }
  private var work: Work

  private init(url: URL, fileFormat: AVAudioFormat, processingFormat: AVAudioFormat, work: Work) {
    self.url = url
    self.fileFormat = fileFormat
    self.processingFormat = processingFormat
    self.work = work
    super.init()
    if case .writing = work { UnfinishedFiles.add(self) }
  }

  deinit { close() }

  /// True until ``close()``.
  public var isOpen: Bool { if case .closed = work { false } else { true } }

  /// The frames of the file; of one that is written, those so far.
  public var length: AVAudioFramePosition {
    switch work {
    case .reading(let reader, _): reader.info.frameCount
    case .writing(let writing): writing.frames
    case .closed(let length): length
    }
  }

  /// The frame that is read next; of a file that is written, the end, which cannot be moved.
  ///
  /// A place outside of the file ends the process.
  public var framePosition: AVAudioFramePosition {
    get {
      switch work {
      case .reading(_, let reading): reading.position
      case .writing(let writing): writing.frames
      case .closed: 0
      }
    }
    set {
      guard case .reading(_, let reading) = work else { return }
      require((0...length).contains(newValue), "0 <= framePosition <= length (\(newValue) of \(length))")
      // Bytes that cannot be read are an error of the next read.
      try? reading.seek(to: newValue)
    }
  }

  /// Ends the work on the file; one that was written gets its name. Nothing can be read or written afterwards.
  ///
  /// An error of the last bytes is said on standard error, and no file comes into being: see ``finish()``.
  public func close() {
    do { try finish() } catch {
      FileHandle.standardError.write(Data("AVAudioFile: \(error.localizedDescription)\n".utf8))
    }
  }

  /// As ``close()``, with the error of the last bytes and the name. Not part of Apple's interface.
  public func finish() throws {
    defer { work = .closed(length: length) }
    guard case .writing(let writing) = work else { return }
    UnfinishedFiles.remove(self)
    try writing.finish()
  }
}

// MARK: Reading

extension AVAudioFile {
  /// Opens a file to be read as standard floats.
  /// - Throws: `NSError` in the domain `com.apple.coreaudio.avfaudio`: 'wht?' where there is no such file, 'prm?' where
  ///   it may not be read, 'typ?' where it is no sound file.
  public convenience init(forReading fileURL: URL) throws {
    try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false)
  }

  /// Opens a file to be read in a common format. `otherFormat` ends the process.
  /// - Throws: As ``init(forReading:)``.
  public convenience init(forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws {
    let path = try Self.path(of: fileURL)
    let reader: SoundFileReader
    do throws(BenchError) {
      reader = try SoundFileReader(path: path, allowTruncated: true)
    } catch {
      throw NSError(Self.openingStatus(path), error.description)
    }
    let fileFormat = AVAudioFormat(of: reader)
    // As many channels as the file has: without a layout more than two are numbered.
    let processing = Self.processingFormat(format, interleaved: interleaved, like: fileFormat)
    guard let client = processing.stream,
      let reading = try? ClientReading(reader, clientFormat: client, options: FormatConverter.Options())
    else { throw NSError(.fileFormatUnsupported, "\(path): \(fileFormat) cannot be converted to \(processing)") }
    self.init(url: fileURL, fileFormat: fileFormat, processingFormat: processing, work: .reading(reader, reading))
  }

  private static func processingFormat(
    _ common: AVAudioCommonFormat, interleaved: Bool, like file: AVAudioFormat
  ) -> AVAudioFormat {
    if let layout = file.channelLayout {
      return AVAudioFormat(
        commonFormat: common, sampleRate: file.sampleRate, interleaved: interleaved, channelLayout: layout)
    }
    guard
      let format = AVAudioFormat(
        commonFormat: common, sampleRate: file.sampleRate, channels: file.channelCount, interleaved: interleaved)
    else { misuse("format != AVAudioOtherFormat") }
    return format
  }

  private static func path(of url: URL) throws -> String {
    guard url.isFileURL else { throw NSError(.parameterError, "\(url): not the URL of a file") }
    return url.path
  }

  /// The status of a file that cannot be opened for reading: missing, not permitted, or no sound.
  package static func openingStatus(_ path: String) -> AudioStatus {
    if !FileSystem.exists(path) { return .fileUnspecified }
    return FileSystem.access(path, R_OK) != 0 ? .filePermissions : .fileTypeUnsupported
  }

  /// Reads on from ``framePosition`` until the buffer is full or the file ends, and sets the buffer's length.
  /// - Throws: −50 where the buffer is of another format than ``processingFormat``, `-39` where no frame is left, the
  ///   error of bytes that cannot be read.
  public func read(into buffer: AVAudioPCMBuffer) throws {
    try read(into: buffer, frameCount: buffer.frameCapacity)
  }

  /// Reads so many frames, or what the buffer has room for or the file still has.
  /// - Throws: As ``read(into:)``.
  public func read(into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws {
    guard case .reading(let reader, let reading) = work else {
      throw NSError(.filePermissions, "\(url.path): the file is \(isOpen ? "written" : "closed")")
    }
    try checkFormat(of: buffer)
    buffer.frameLength = 0
    let wanted = Int(min(frames, buffer.frameCapacity))
    guard wanted > 0 else { return }
    guard reading.position < reader.info.frameCount else {
      throw NSError(.fileEnd, "\(url.path): no frame is left behind frame \(reader.info.frameCount)")
    }
    do {
      buffer.frameLength = AVAudioFrameCount(try reading.read(wanted, into: buffer.mutableAudioBufferList))
    } catch {
      throw NSError(error, "\(url.path): cannot be read past frame \(reading.position)")
    }
  }

  private func checkFormat(of buffer: AVAudioPCMBuffer) throws {
    guard buffer.format.isEqual(processingFormat) || buffer.stream == processingFormat.stream else {
      throw NSError(
        .parameterError, "\(url.path): the buffer has \(buffer.format), the file is processed in \(processingFormat)")
    }
  }
}

// MARK: Writing

extension AVAudioFile {
  /// Begins a file, written in standard floats. The extension of its name says the kind of file, unless the settings have
  /// ``AVAudioFileTypeKey``; the settings say the encoding.
  /// - Throws: `NSError` in the domain `com.apple.coreaudio.avfaudio`: 'typ?' for a kind of file that cannot be written,
  ///   'fmt?' for an encoding that it cannot hold, 'prm?' where the place cannot be written to.
  public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
    try self.init(forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
  }

  /// Begins a file, written in a common format. `otherFormat` ends the process.
  /// - Throws: As ``init(forWriting:settings:)``.
  public convenience init(
    forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat, interleaved: Bool
  ) throws {
    let path = try Self.path(of: fileURL)
    let asked = AudioSettings(values: settings)
    let soundFormat = try asked.soundFormat(path: path)
    let fileFormat = try Self.fileFormat(soundFormat, path: path, settings: settings)
    let processing = Self.processingFormat(format, interleaved: interleaved, like: fileFormat)
    guard let client = processing.stream else {
      throw NSError(.fileFormatUnsupported, "\(path): \(processing) cannot be written")
    }
    let writing: FileWriting
    do throws(BenchError) {
      writing = try FileWriting(path: path, as: soundFormat, from: client, options: asked.writerOptions)
    } catch {
      throw NSError(error.kind == .output ? .filePermissions : .fileFormatUnsupported, error.description)
    }
    self.init(url: fileURL, fileFormat: fileFormat, processingFormat: processing, work: .writing(writing))
  }

  /// The format that a file would have.
  /// - Throws: As ``init(forWriting:settings:)``.
  package static func fileFormat(forWriting fileURL: URL, settings: [String: Any]) throws -> AVAudioFormat {
    let path = try path(of: fileURL)
    return try fileFormat(AudioSettings(values: settings).soundFormat(path: path), path: path, settings: settings)
  }

  private static func fileFormat(
    _ soundFormat: SoundFileFormat, path: String, settings: [String: Any]
  ) throws -> AVAudioFormat {
    // Files are interleaved, and in the byte order of their kind.
    var inFile = settings
    inFile[AVLinearPCMIsNonInterleaved] = false
    inFile[AVLinearPCMIsBigEndianKey] = [.aiff, .au].contains(soundFormat.container)
    guard let format = AVAudioFormat(settings: inFile) else {
      throw NSError(.fileFormatUnsupported, "\(path): the settings describe no format: rate, channels or layout")
    }
    return format
  }

  /// Appends a buffer's frames.
  /// - Throws: −50 where the buffer is of another format than ``processingFormat``, 'prm?' for a file that is read or
  ///   closed, the error of a full disk.
  public func write(from buffer: AVAudioPCMBuffer) throws {
    guard case .writing(let writing) = work else {
      throw NSError(.filePermissions, "\(url.path): the file is \(isOpen ? "read" : "closed")")
    }
    try checkFormat(of: buffer)
    try writing.write(buffer)
  }
}
