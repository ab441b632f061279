// Writes planes to a sound file that appears under its name when it is whole.
// Integers are made here, by PCMCodec: libsndfile's own way from float scales by 2^15 − 1, or truncates.

import AudioCore
import CSndfile
import DSPKernels
import Glibc
import PacketFiles

/// A sound file being written, front to back, by one thread at a time. Discarded unless ``finish()`` is called.
///
/// The same samples give the same bytes, whenever they are written: no dates, no PEAK chunk, constant Ogg serials. A
/// WAV file of one or two channels has the plain header, one of more channels, or of others than mono or stereo, an
/// extensible one. If the number of
/// frames is not known beforehand, it begins as RF64 and becomes WAV at the end if that holds it; such a file has an
/// extensible header and a JUNK chunk where the 64-bit sizes would be.
public final class SoundFileWriter: @unchecked Sendable {
  /// The path at which the file appears when it is finished.
  public let path: String
  /// As asked for; what became of WAV is in ``SoundFileWriteReport/container``.
  public let format: SoundFileFormat
  /// Hertz.
  public let sampleRate: Double
  /// 1 to 1024, or fewer where the container or the encoding holds fewer.
  public let channelCount: Int
  /// Frames written so far.
  public private(set) var framesWritten: Int64 = 0
  /// Samples clipped so far.
  public private(set) var clippedSamples: Int64 = 0

  /// The order of the channels in the file, and what it says of them.
  package let placement: ChannelPlacement

  /// The bits of the integers that all samples are, unchanged since they were read: an encoding of as many bits or more
  /// loses nothing of them, and there is no dither then. Nil: samples may lie between the steps. Set before the first
  /// write.
  package var exactBits: Int?

  private let options: SoundFileWriterOptions
  private let order: ChannelOrder?
  private let dither: DitherGenerator?
  private let refusedMetadata: [SoundFileMetadata.Field]
  private let file: AtomicFile
  private let io: SoundFileIO
  /// The file with what libsndfile does not know of.
  private let whole: DescriptorStorage
  /// The container that libsndfile writes; WAV may be WAVEX or RF64 here.
  private let actual: SoundFileContainer
  private let delivery: Delivery
  private let block: UnsafeMutableRawPointer
  private let blockFrames: Int
  /// Nil: the encoder is not libsndfile's.
  private var handle: OpaquePointer?
  /// An m4a file; nil: another container.
  private let mpeg4: MPEG4Output?
  /// The bytes of Apple Lossless on their way to an m4a file.
  private let scratch: AtomicFile?
  private var failure: BenchError?
  /// True when it is whole but has no name yet.
  private var isComplete = false
  /// True when the options' `outputs` give it its name.
  private var isHandedOver = false

  /// The form in which libsndfile gets samples.
  private enum Delivery {
    case raw, integers, floats, doubles
    /// Floats clamped to −1 ... 1.
    case bounded
    /// Integers of 16 bits, for an encoder of ours.
    case shorts
  }
  /// The layout of a sample in the block.
  private let blockEncoding: SampleEncoding

  /// Opens a file beside `path`; nothing appears there before ``finish()``.
  /// - Parameters:
  ///   - path: the path of the file. A link is followed; a folder, device or pipe is refused.
  ///   - sampleRate: hertz, a whole number.
  ///   - expectedFrames: the length where it is known: WAV then gets the right kind of header at once, and a file that
  ///     its container cannot hold fails here. A file may still turn out shorter or longer.
  /// - Throws: `.usage` for a format that cannot be written, `.output` for a place that cannot be written to, and where
  ///   no frames will come and the file would not be valid: see ``SoundFileFormat/mayBeEmpty``.
  public init(
    path: String, format: SoundFileFormat, sampleRate: Double, channelCount: Int, expectedFrames: Int64? = nil,
    options: SoundFileWriterOptions = SoundFileWriterOptions()
  ) throws(BenchError) {
    try format.validate(at: path, sampleRate: sampleRate, channelCount: channelCount)
    if let expectedFrames { try format.check(frames: expectedFrames, at: path) }
    if let layout = options.layout, layout.channelCount != channelCount {
      throw BenchError(
        .usage, at: path,
        "the layout \(layout) has \(NumberText.count(layout.channelCount, "channel")), and the sound has \(channelCount)"
      )
    }
    placement = try ChannelPlacement(options.layout, channelCount: channelCount, in: format, at: path)
    order = placement.order.map(ChannelOrder.init)
    var compression: Double?
    if let bitRate = options.bitRate {
      compression = try format.compression(
        bitRate: bitRate, sampleRate: sampleRate, channelCount: channelCount, at: path)
    }
    self.path = path
    self.format = format
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.options = options
    let bytesPerFrame = Self.bytesPerFrame(format.encoding, channelCount: channelCount)
    let expectedBytes = expectedFrames.map { $0.multipliedReportingOverflow(by: bytesPerFrame) }
      .map { $0.overflow ? Int64.max / 2 : $0.partialValue }
    actual = Self.actualContainer(
      format, channelCount: channelCount, hasMask: placement.waveMask != nil, expectedBytes: expectedBytes,
      options: options)
    if let expectedBytes, let limit = Self.limit(actual, options: options), expectedBytes > limit {
      throw Self.tooLarge(path, container: actual, limit: limit, frame: nil)
    }

    try options.outputs?.check(path)
    let file = try AtomicFile(
      path: path, overwrites: options.overwrites, avoidsUnnamed: options.avoidsUnnamedFile,
      confinement: options.confinement)
    if let expectedBytes, expectedBytes <= options.space { file.reserve(expectedBytes) }
    let whole = DescriptorStorage(file)
    let hasLongHeader = actual == .w64 && placement.waveMask != nil
    let isAAC = format.encoding == .aac
    scratch =
      actual == .m4a && !isAAC
      ? try AtomicFile(
        path: path, overwrites: options.overwrites, avoidsUnnamed: options.avoidsUnnamedFile,
        confinement: options.confinement) : nil
    let direct: any ByteStorage = hasLongHeader ? Wave64Header.withRoom(whole) : whole
    let io = SoundFileIO(scratch.map { DescriptorStorage($0) } ?? direct, space: options.space)
    mpeg4 = try Self.mpeg4(whole, format, sampleRate: sampleRate, channelCount: channelCount, options, path)
    let handle =
      isAAC
      ? nil
      : try Self.open(
        io, for: file, path, format, as: scratch == nil ? actual : .caf, sampleRate: sampleRate,
        channelCount: channelCount)
    if let handle {
      sf_command(handle, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, 0)
      if format.container == .wav && actual == .rf64 && expectedFrames == nil {
        sf_command(handle, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, 1)
      }
      options.setCoding(handle, compression: compression)
      // libFLAC refuses what is not UTF-8, and libsndfile 1.2 then writes what lies on the stack. The texts of m4a are ours.
      let texts = actual == .flac ? options.metadata.inUTF8 : options.metadata
      refusedMetadata = actual == .m4a ? [] : texts.apply(to: handle)
      (delivery, blockEncoding) = Self.delivery(to: handle, actual, format.encoding)
    } else {
      refusedMetadata = []
      (delivery, blockEncoding) = (.shorts, SampleEncoding.int16.native)
    }
    let takesDither = format.encoding.isLossless && !format.encoding.isFloat
    dither = takesDither && (format.encoding.bits ?? 32) <= 24 ? options.ditherSeed.map(DitherGenerator.init) : nil
    let blockBytesPerFrame = blockEncoding.containerBytes * channelCount
    blockFrames = max(256, min(max(4_096, 32_768 / channelCount), (4 << 20) / blockBytesPerFrame))
    block = .allocate(byteCount: blockFrames * blockBytesPerFrame, alignment: 64)
    self.file = file
    self.whole = whole
    self.io = io
    self.handle = handle
  }

  /// The packets of an m4a file; nil for other containers.
  private static func mpeg4(
    _ storage: any ByteStorage, _ format: SoundFileFormat, sampleRate: Double, channelCount: Int,
    _ options: SoundFileWriterOptions, _ path: String
  ) throws(BenchError) -> MPEG4Output? {
    guard format.container == .m4a else { return nil }
    guard format.encoding == .aac else { return MPEG4Output(storage, nil, space: options.space) }
    let rate = Int(clamping: sampleRate)
    let bitRate =
      options.bitRate.map { $0 * 1000 } ?? AACEncoder.usualBitRate(sampleRate: rate, channelCount: channelCount)
    guard let encoder = AACEncoder(sampleRate: rate, channelCount: channelCount, bitRate: bitRate) else {
      throw BenchError(.output, at: path, "libvo-aacenc does not encode so, or has no memory")
    }
    return MPEG4Output(storage, encoder, space: options.space)
  }

  private static func open(
    _ io: SoundFileIO, for file: AtomicFile, _ path: String, _ format: SoundFileFormat, as actual: SoundFileContainer,
    sampleRate: Double, channelCount: Int
  ) throws(BenchError) -> OpaquePointer {
    var info = SF_INFO()
    info.format = actual.majorFormat | format.encoding.subtype
    info.channels = Int32(channelCount)
    info.samplerate = Int32(clamping: sampleRate)
    if let handle = io.open(mode: Int32(SFM_WRITE), info: &info) { return handle }
    if io.errorNumber != 0 { throw file.failure(io.errorNumber) }
    throw BenchError(.output, at: path, "\(format) cannot be written so: \(sndfileMessage(nil))")
  }

  /// How samples are handed to libsndfile, and their layout in the block.
  private static func delivery(
    to handle: OpaquePointer, _ actual: SoundFileContainer, _ encoding: SoundFileEncoding
  ) -> (Delivery, SampleEncoding) {
    let swapped = sf_command(handle, Int32(SFC_RAW_DATA_NEEDS_ENDSWAP), nil, 0) != 0
    if actual.holdsPlainSamples, let plain = encoding.plainSample(isBigEndian: swapped != hostIsBigEndian) {
      return (.raw, plain)
    }
    return switch encoding {
    case .float32: (.floats, SampleEncoding.float32.native)
    case .float64: (.doubles, SampleEncoding.float64.native)
    default: (encoding.bits == nil ? .bounded : .integers, encoding.codedSample)
    }
  }

  deinit {
    discard()
    block.deallocate()
  }

  /// Appends `frames` frames of `planes`, from frame `offset` of each plane on. Double is exact for 32-bit integers and
  /// float64. Allocates nothing here (codecs may).
  /// - Throws: `.output` for a full disk and the like; the file is then gone, and every later call throws the same.
  public func write<Sample: PlaneSample>(
    _ planes: Planes<Sample>, offset: Int = 0, frames: Int
  ) throws(BenchError) {
    try beginWriting(frames)
    let planes = order?.planes(planes) ?? planes
    let isExact = exactBits.map { $0 <= format.encoding.bits ?? 0 } ?? false
    let dither = isExact ? nil : dither
    var done = 0
    while done < frames {
      let count = min(blockFrames, frames - done)
      clippedSamples += Int64(
        PCMCodec.encodeInterleaved(
          planes, offset: offset + done, channelCount: channelCount, frames: count, as: blockEncoding, to: block,
          dither: dither, firstFrame: framesWritten))
      try deliver(count)
      done += count
    }
  }

  /// Completes the file and gives it its name: ``complete()`` and ``publish()`` in one.
  /// - Throws: `.output` where the last bytes cannot be written or the name cannot be given; nothing is left then.
  public func finish() throws(BenchError) -> SoundFileWriteReport {
    let report = try complete()
    try publish()
    return report
  }

  /// Writes the last bytes; nothing can be appended afterwards. All that can still fail is the name.
  /// - Throws: `.output` where they cannot be written, or no frames were written into a file that needs some; nothing
  ///   is left then.
  package func complete() throws(BenchError) -> SoundFileWriteReport {
    try checkOpen()
    do throws(BenchError) { try format.check(frames: framesWritten, at: path) } catch { throw fail(error) }
    if let handle { sf_close(handle) }
    handle = nil
    if io.errorNumber != 0 { throw fail(file.failure(io.errorNumber)) }
    try completePackets()
    if let limit = Self.limit(actual, options: options), io.length > limit {
      throw fail(Self.tooLarge(path, container: actual, limit: limit, frame: framesWritten))
    }
    file.releaseReserve()
    let number = FixedBytes.settle(
      actual, format.encoding, frames: framesWritten, descriptor: file.descriptor, io)
    if number != 0 { throw fail(file.failure(number)) }
    do throws(StorageError) { try placement.write(to: whole) } catch {
      throw fail(file.failure(error.errorNumber))
    }
    let report = SoundFileWriteReport(
      path: path, frames: framesWritten, clippedSamples: clippedSamples, bytes: whole.length,
      container: finalContainer(), encoding: format.encoding, droppedMetadata: droppedMetadata(),
      layout: placement.layout,
      layoutRemark: placement.remark, channelOrder: placement.order)
    failure = BenchError(.output, at: path, "the file is finished already")
    isComplete = true
    return report
  }

  /// Completes an m4a file.
  private func completePackets() throws(BenchError) {
    guard let mpeg4 else { return }
    let isWhole: Bool
    do throws(StorageError) {
      if scratch != nil {
        isWhole = try mpeg4.finish(movingFrom: io.storage, frames: framesWritten, texts: options.metadata.named)
      } else {
        let form = PacketFormat("aac ", sampleRate: sampleRate, channelCount: UInt32(channelCount))
        isWhole = try mpeg4.finish(form, frames: framesWritten, texts: options.metadata.named)
      }
    } catch { throw fail(file.failure(error.errorNumber)) }
    guard isWhole else {
      throw fail(BenchError(.output, at: path, "its packets cannot be written: the encoder has failed"))
    }
  }

  /// The open file, to be read again when it is complete.
  package var descriptor: Int32 { file.descriptor }

  /// Bytes of the file so far.
  package var length: Int64 { whole.length }

  /// Lets `change` work on the complete file, which has no name yet; it answers 0 or an errno.
  /// - Throws: `.output` where it fails; nothing is left then.
  package func amend(_ change: (Int32) -> Int32) throws(BenchError) {
    precondition(isComplete)
    let number = change(file.descriptor)
    if number != 0 { throw fail(file.failure(number)) }
  }

  /// Gives a completed file its name, or lets it wait for that with the other outputs of the run.
  /// - Throws: `.output` where that cannot be; nothing is left then.
  /// - Parameter replaces: false: only where there is no file of that name, also where the options let it be replaced.
  package func publish(replaces: Bool = true) throws(BenchError) {
    precondition(isComplete)
    isComplete = false
    if !replaces { file.overwrites = false }
    do throws(BenchError) {
      if options.synchronizes { try file.synchronize() }
      guard let outputs = options.outputs else { return try file.publish() }
      try outputs.add(file)
      isHandedOver = true
    } catch {
      throw fail(error)
    }
  }

  /// Drops the file; nothing of it remains. Does nothing after ``finish()``.
  public func discard() {
    guard !isHandedOver else { return }
    if let handle { sf_close(handle) }
    handle = nil
    scratch?.discard()
    file.discard()
    if failure == nil { failure = BenchError(.output, at: path, "the file was discarded") }
  }

  private func checkOpen() throws(BenchError) {
    if let failure { throw failure }
  }

  private func beginWriting(_ frames: Int) throws(BenchError) {
    precondition(frames >= 0)
    try checkOpen()
    guard let limit = Self.limit(actual, options: options) else { return }
    let bytes = Self.bytesPerFrame(format.encoding, channelCount: channelCount)
    let (total, overflow) = (framesWritten + Int64(frames)).multipliedReportingOverflow(by: bytes)
    // The size of a coded file is only known as it grows.
    if overflow || total > limit && delivery == .raw || io.length > limit {
      throw fail(Self.tooLarge(path, container: actual, limit: limit, frame: framesWritten))
    }
  }

  /// Hands `count` frames of the block to libsndfile.
  private func deliver(_ count: Int) throws(BenchError) {
    if delivery == .shorts { return try encode(count) }
    guard let handle else { return }
    let samples = count * channelCount
    let accepted: Int
    switch delivery {
    case .shorts: accepted = 0
    case .raw:
      let bytesPerFrame = blockEncoding.containerBytes * channelCount
      accepted = Int(sf_write_raw(handle, block, sf_count_t(count * bytesPerFrame))) / bytesPerFrame
    case .integers:
      accepted = writeIntegers(block, to: handle, format.encoding, frames: count, channelCount: channelCount)
    case .floats:
      accepted = Int(sf_writef_float(handle, block.assumingMemoryBound(to: Float.self), sf_count_t(count)))
    case .doubles:
      accepted = Int(sf_writef_double(handle, block.assumingMemoryBound(to: Double.self), sf_count_t(count)))
    case .bounded:
      let floats = block.assumingMemoryBound(to: Float.self)
      clippedSamples += Int64(PCMCodec.bound(Plane(floats, count: samples)))
      accepted = Int(sf_writef_float(handle, floats, sf_count_t(count)))
    }
    if io.errorNumber != 0 { throw fail(file.failure(io.errorNumber)) }
    guard accepted == count else {
      throw fail(
        BenchError(
          .output, at: path,
          "libsndfile took \(accepted) of \(NumberText.count(count, "frame")) at frame \(framesWritten): \(sndfileMessage(handle))"
        ))
    }
    framesWritten += Int64(count)
  }

  /// Hands `count` frames of the block to the encoder of ours.
  private func encode(_ count: Int) throws(BenchError) {
    let isEncoded: Bool?
    do throws(StorageError) {
      isEncoded = try mpeg4?.write(block.assumingMemoryBound(to: Int16.self), count: count)
    } catch { throw fail(file.failure(error.errorNumber)) }
    guard isEncoded ?? false else {
      throw fail(BenchError(.output, at: path, "libvo-aacenc fails at frame \(framesWritten)"))
    }
    framesWritten += Int64(count)
  }

  /// Drops the file for `error`, which every later call repeats.
  private func fail(_ error: BenchError) -> BenchError {
    failure = error
    discard()
    return error
  }

  /// RF64 that was small enough has become RIFF.
  private func finalContainer() -> SoundFileContainer {
    if actual == .wavex && format.container == .wav { return .wav }
    guard actual == .rf64, format.container == .wav else { return actual }
    var start: UInt32 = 0
    return pread(file.descriptor, &start, 4, 0) == 4 && UInt32(bigEndian: start) == 0x5249_4646 ? .wav : .rf64
  }

  /// Fields that do not come back when the file is read again (libsndfile appends its own name to the software).
  private func droppedMetadata() -> [SoundFileMetadata.Field] {
    guard !options.metadata.isEmpty else { return [] }
    var kept = SoundFileMetadata()
    var info = SF_INFO()
    if actual == .raw { info.format = actual.majorFormat | format.encoding.subtype }
    io.rewind()
    if actual == .m4a {
      kept = SoundFileMetadata(named: PacketFile(whole)?.texts ?? [])
    } else if let handle = io.open(mode: Int32(SFM_READ), info: &info) {
      kept = SoundFileMetadata(handle: handle)
      sf_close(handle)
    }
    return SoundFileMetadata.Field.allCases.filter { field in
      guard let value = options.metadata[field], !value.isEmpty else { return false }
      return refusedMetadata.contains(field) || !(kept[field] ?? "").hasPrefix(value)
    }
  }
}

extension SoundFileWriter {
  /// The container that libsndfile writes: WAV becomes RF64 if it is, or may become, too large.
  private static func actualContainer(
    _ format: SoundFileFormat, channelCount: Int, hasMask: Bool, expectedBytes: Int64?, options: SoundFileWriterOptions
  ) -> SoundFileContainer {
    guard format.container == .wav else { return format.container }
    func holds(_ container: SoundFileContainer) -> Bool {
      SoundFileFormat(container: container, encoding: format.encoding)
        .check(channelCount: channelCount, sampleRate: 48_000)
    }
    // 64 KiB for the header and the texts.
    let fits = expectedBytes.map { $0 <= options.riffLimit - 65_536 } ?? false
    if !fits && holds(.rf64) { return .rf64 }
    return (channelCount > 2 || hasMask) && holds(.wavex) ? .wavex : .wav
  }

  private static func limit(_ container: SoundFileContainer, options: SoundFileWriterOptions) -> Int64? {
    guard let limit = container.byteLimit else { return nil }
    return limit == 0xFFFF_FFFF ? options.riffLimit : limit
  }

  private static func tooLarge(
    _ path: String, container: SoundFileContainer, limit: Int64, frame: Int64?
  ) -> BenchError {
    BenchError(
      .output, at: path,
      "a \(container.rawValue) file holds at most \(limit) bytes"
        + (frame.map { ", which are reached near frame \($0)" } ?? ", fewer than this sound takes"),
      advice: "end the name with .rf64, .w64 or .caf: these have no such limit")
  }

  /// Bytes of a frame of plain samples; of coded ones, none that can be relied on.
  private static func bytesPerFrame(_ encoding: SoundFileEncoding, channelCount: Int) -> Int64 {
    let bytes = encoding.plainSample(isBigEndian: false)?.containerBytes ?? 0
    return Int64(bytes * channelCount)
  }
}
