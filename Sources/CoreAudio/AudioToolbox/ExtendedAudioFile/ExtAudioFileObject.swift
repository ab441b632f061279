// The object behind an ExtAudioFileRef: a file, the client's format, and the converter between the two. One call at a
// time, whatever threads they come from; only WriteAsync does not wait, once its ring is made.

import AudioCore
import AudioEngine
import BuiltInUnits
import CAudioToolbox
import SoundFile
import Synchronization
import Transcripts

final class ExtAudioFileObject: HandleObject, @unchecked Sendable {
  static var handleKind: HandleKind { .extAudioFile }

  let file: AudioFileObject
  /// The name of the file in a transcript of calls.
  let callSubject = CallRecorder.shared?.makeSubject("extfile")
  /// The file's handle; the client's own where it was wrapped.
  let fileHandle: AudioFileID
  let isWriting: Bool
  private let ownsFile: Bool

  /// The format that the client set, or the file's own if that is PCM.
  private(set) var clientFormat: StreamFormat?
  private(set) var hasSetClientFormat = false
  var fileLayout: ChannelLayoutData?
  var clientLayout: ChannelLayoutData?
  var codecManufacturer: UInt32 = 0
  var ioBufferBytes: UInt32 = 32_768

  private var reader: SoundFileReader?
  private var reading: ClientReading?
  private var writing: ClientWriting?
  private var async: AsyncWriting? {
    didSet {
      asyncBits.store(
        async.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0, ordering: .releasing)
    }
  }
  private let asyncBits = Atomic<UInt>(0)
  private var hasWritten = false
  /// Handed out by the AudioConverter property: its settings are those of the conversion.
  private var converter: AudioConverterRef?

  init(_ file: AudioFileObject, handle: AudioFileID, owns: Bool, isWriting: Bool) throws(AudioStatus) {
    self.file = file
    fileHandle = handle
    ownsFile = owns
    self.isWriting = isWriting
    if isWriting {
      // A file that is only read can be wrapped; writes fail.
      if file.canWrite && file.plainFormat == nil && file.sampleRate > 0 { try file.beginCoding() }
    } else {
      guard file.canRead else { throw .filePermissions }
      do throws(BenchError) { reader = try file.makeReader() } catch {
        guard let track = file.track, let container = file.packetFile?.container,
          ForeignCodec.isForeign(track, in: container)
        else { throw .fileInvalid }
        RefusalLog.note("\(error)")
        throw .fileFormatUnsupported
      }
    }
    clientFormat = file.plainFormat
  }

  /// Held by every call but those that write to a ring: the file's own, so that none of them holds one lock while it
  /// waits for another.
  var lock: RecursiveLock { file.lock }

  /// Set with the lock held: calls that were waiting for it find nothing any more.
  private var isDisposed = false

  /// Runs `body` alone.
  /// - Throws: -50 where the file has been disposed of.
  func alone(_ body: () throws(AudioStatus) -> Void) throws(AudioStatus) {
    try lock.withLock { () throws(AudioStatus) in
      guard !isDisposed else { throw .parameterError }
      try body()
    }
  }

  /// The ring of WriteAsync, once it is made: it stays to the end. Any thread, without the lock.
  var asyncWriting: AsyncWriting? {
    UnsafeRawPointer(bitPattern: asyncBits.load(ordering: .acquiring)).map {
      Unmanaged<AsyncWriting>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Frames at the file's rate.
  var frameCount: Int64 { reader?.info.frameCount ?? file.frameCount }

  // MARK: Reading

  func read(_ frames: Int, into data: UnsafeMutablePointer<AudioBufferList>) throws(AudioStatus) -> Int {
    guard !isWriting else { throw .extOperationOrder }
    return try prepareReading().read(frames, into: data)
  }

  /// - Throws: −66568 where there is no such frame, or the file is written.
  func seek(to frame: Int64) throws(AudioStatus) {
    guard !isWriting, (0...frameCount).contains(frame) else { throw .extSeek }
    if let reading { return try reading.seek(to: frame) }
    guard let reader else { throw .extSeek }
    do throws(BenchError) { try reader.seek(toFrame: frame) } catch { throw .fileInvalid }
  }

  /// The frame of the file that comes next.
  var position: Int64 { isWriting ? frameCount : reading?.position ?? reader?.position ?? 0 }

  private func prepareReading() throws(AudioStatus) -> ClientReading {
    if let reading { return reading }
    guard let clientFormat else { throw .extNonPCMClient }
    guard let reader else { throw .extOperationOrder }
    let made = try ClientReading(reader, clientFormat: clientFormat, options: options)
    reading = made
    return made
  }

  // MARK: Writing

  func write(_ frames: Int, from data: UnsafePointer<AudioBufferList>) throws(AudioStatus) {
    guard isWriting, async == nil else { throw .extOperationOrder }
    guard file.canWrite else { throw .filePermissions }
    let writing = try prepareWriting()
    hasWritten = hasWritten || frames > 0
    try writing.write(frames, from: data)
  }

  /// - Parameter data: nil, with no frames, to make the ring.
  func writeAsync(_ frames: Int, from data: UnsafePointer<AudioBufferList>?) throws(AudioStatus) {
    guard isWriting else { throw .extOperationOrder }
    guard file.canWrite else { throw .filePermissions }
    if async == nil {
      // Frames that were written at once stay before those of the ring.
      async = try AsyncWriting(try prepareWriting())
    }
    hasWritten = true
    guard frames > 0 else { return }
    guard let data else { throw .parameterError }
    try async?.write(frames, from: data)
  }

  private func prepareWriting() throws(AudioStatus) -> ClientWriting {
    if let writing { return writing }
    guard let clientFormat else { throw .extNonPCMClient }
    let made = try ClientWriting(file, clientFormat: clientFormat, options: options)
    writing = made
    return made
  }

  // MARK: Formats

  /// - Throws: −66566 where the engine cannot convert, −66565 once frames were written.
  func setClientFormat(_ format: StreamFormat) throws(AudioStatus) {
    if isWriting {
      guard !hasWritten, async == nil else { throw .extOperationOrder }
      if file.sampleRate == 0 {
        file.setSampleRate(format.sampleRate)
        try file.beginCoding()
      }
      if file.canWrite { _ = try ClientWriting(file, clientFormat: format, options: FormatConverter.Options()) }
      writing = nil
    } else if let reader {
      let place = position
      _ = try ClientReading(reader, clientFormat: format, options: FormatConverter.Options())
      do throws(BenchError) { try reader.seek(toFrame: place) } catch { throw .fileInvalid }
      reading = nil
    }
    clientFormat = format
    hasSetClientFormat = true
    if let clientLayout, clientLayout.channelCount != format.channelCount { self.clientLayout = nil }
    dropConverter()
  }

  /// The converter whose settings are those of this file's conversion; made at the first call.
  func audioConverter() throws(AudioStatus) -> AudioConverterRef? {
    if let converter { return converter }
    guard let clientFormat else { return nil }
    let inner = file.plainFormat ?? (isWriting ? ClientWriting.target(of: file) : reader.map(ClientReading.source(of:)))
    guard let inner else { return nil }
    var source = (isWriting ? clientFormat : inner).audioStreamBasicDescription
    var target = (isWriting ? inner : clientFormat).audioStreamBasicDescription
    var made: AudioConverterRef?
    try ensureSuccess(AudioConverterNew(&source, &target, &made))
    converter = made
    return made
  }

  /// Takes over the settings of the converter that was handed out; reading goes on at the same frame.
  func resynchronize() throws(AudioStatus) {
    if isWriting {
      guard !hasWritten, async == nil else { throw .extOperationOrder }
      writing = nil
      if file.canWrite { _ = try prepareWriting() }
      return
    }
    guard let old = reading, let reader, let clientFormat else { return }
    let place = old.position
    let made = try ClientReading(reader, clientFormat: clientFormat, options: options)
    try made.seek(to: place)
    reading = made
  }

  private var options: FormatConverter.Options {
    var options = FormatConverter.Options()
    options.channels = layoutMatrix
    guard let converter else { return options }
    _ = withConverter(converter) { stream in
      options.quality = stream.settings.rateQuality
      options.ditherSeed = stream.settings.ditherSeed
      if let map = stream.settings.channelMap {
        options.channels = ChannelMatrix(map: map.map(Int.init), inputCount: stream.input.stream.channelCount)
      }
    }
    return options
  }

  /// The gains from the channels of one side to those of the other, where the client has set a layout and that of the
  /// file is known and another: the same loudspeakers change places, others are mixed by ITU-R BS.775.
  private var layoutMatrix: ChannelMatrix? {
    func channels(_ layout: ChannelLayoutData?, _ count: Int?) -> ChannelLayout? {
      layout.flatMap { ChannelLayout(chunk: $0.chunkBytes) }.flatMap { $0.channelCount == count ? $0 : nil }
    }
    let stated = fileLayout ?? file.channelLayout() ?? ChannelLayoutData(channelCount: file.channelCount)
    guard let outer = channels(clientLayout, clientFormat?.channelCount),
      let inner = channels(stated, file.channelCount)
    else { return nil }
    let (source, target) = isWriting ? (outer, inner) : (inner, outer)
    if source.isSame(as: target) { return nil }
    if let order = source.order(as: target.positions) {
      return ChannelMatrix(map: order, inputCount: source.channelCount)
    }
    return .between(source, target)
  }

  /// Takes the layout of the client's channels; those of the file are put into its order.
  func setClientLayout(_ layout: ChannelLayoutData) throws(AudioStatus) {
    guard layout != clientLayout else { return }
    let old = (layout: clientLayout, matrix: layoutMatrix)
    clientLayout = layout
    guard layoutMatrix != old.matrix else { return }
    do throws(AudioStatus) { try resynchronize() } catch {
      clientLayout = old.layout
      throw error
    }
  }

  private func dropConverter() {
    if let converter { _ = AudioConverterDispose(converter) }
    converter = nil
  }

  /// Makes the file exactly so long, of plain samples.
  /// - Throws: 'op??' for coded files, −66565 for files that are read.
  func setFrameCount(_ frames: Int64) throws(AudioStatus) {
    guard isWriting, async == nil else { throw .extOperationOrder }
    guard file.canWrite else { throw .filePermissions }
    guard frames >= 0 else { throw .parameterError }
    try file.setPacketCount(frames)
  }

  // MARK: The end

  /// Writes what is held back, and closes the file if it is ours. The first error is thrown, all of it is done.
  func dispose() throws(AudioStatus) {
    var first: AudioStatus?
    func attempt(_ body: () throws(AudioStatus) -> Void) {
      do throws(AudioStatus) { try body() } catch { first = first ?? error }
    }
    lock.withLock {
      // From here on no call makes a ring.
      isDisposed = true
      // The ring's thread needs the lock, which this one may hold more than once: a file's procedure may be what
      // disposes.
      lock.withoutLock { attempt { () throws(AudioStatus) in try async?.finish() } }
      attempt { () throws(AudioStatus) in try writing?.finish() }
      dropConverter()
      guard ownsFile else { return }
      let status = AudioFileClose(fileHandle)
      if status != 0 { first = first ?? AudioStatus(status) }
    }
    if let first { throw first }
  }
}
