import AudioCore
import AudioEngine
import SampleRate
import SoundFile

/// The file player: a region of a sound file, from a start frame on, looped, at the rate of its output.
///
/// The position in the file follows the puller's clock: frame n of the output is frame n − start of the played stream,
/// whatever was pulled before. The file is read ahead, off the render thread.
///
/// ``ScheduledFilePlayer`` has the same codes, and the same `FileStream` and `ReadAhead` under it. It cannot be this
/// one: it plays on from its own position where the clock jumps back, and what it has played is gone from its schedule,
/// so a frame of its output does not follow from the time alone. Here it does; the length is known before the first
/// frame, and the channels are the file's.
///
/// ```swift
/// let player = try FilePlayer("fixtures/audio/drums.flac")
/// player.region = 0..<11_025
/// player.loops = 3
/// let graph = Graph(sampleRate: 44_100)
/// try graph.connect(graph.add(player), to: graph.add(GenericOutput()))
/// #expect(try OfflineRenderer(graph).renderToMemory().report.frames == 4 * 11_025)
/// ```
public final class FilePlayer: Unit, SourceUnit, @unchecked Sendable {
  /// `augn afpl appl`, in graph files `filePlayer`.
  package static let component = Component(
    ComponentDescription(type: .generator, subType: "afpl"), shortName: "filePlayer",
    name: "Apple: AUAudioFilePlayer",
    summary: "Plays a region of a sound file from a start frame on, looped, converted to the graph's rate."
  ) { FilePlayer() }

  /// The file, once chosen.
  public private(set) var file: SoundFileInfo?

  /// A player without a file: it can be initialized after ``open(_:)``.
  public init() { super.init(Self.component, inputs: 0, outputs: 1) }

  /// A player of a file.
  /// - Throws: `.input` for a file that cannot be played.
  public convenience init(_ path: String) throws(BenchError) {
    self.init()
    try open(path)
  }

  /// Chooses the file. The output takes its number of channels. While open only.
  public func open(_ path: String) throws(BenchError) {
    guard !isInitialized else { throw BenchError(.graph, at: label, "the file cannot change while initialized") }
    let info = try SoundFileReader(path: path).info
    guard StreamFormat.channelCountRange.contains(info.channelCount) else {
      throw BenchError(
        .input, at: path, "the file has \(NumberText.count(info.channelCount, "channel")); at most 1024 can be played")
    }
    file = info
    outputs[0].format.channelCount = info.channelCount
  }

  /// The output frame at which the file begins, 0 or more. While open only.
  public var startFrame: Int64 = 0
  /// Additional passes: 0 plays once, −1 for ever. While open only.
  public var loops = 0
  /// The frames of the file to play, in the file's own frames; nil: all. While open only.
  public var region: Range<Int64>?
  /// The quality of the rate conversion where the file's rate is not the output's. While open only.
  public var quality = RateConversionQuality.standard
  /// The treatment of samples of the file that are NaN or infinite. With `.error`, the default, the render ends at the
  /// first with `.input`. While open only.
  public var nonFinite = NonFinitePolicy.standard

  /// Samples of the file that are NaN or infinite, each once: of what has been read since the unit was initialized. Not
  /// while a render call runs.
  package var nonFiniteSamples: NonFiniteSamples {
    (node?.processor as? FilePlayerProcessor)?.nonFiniteOfFile ?? NonFiniteSamples()
  }

  /// Chooses a file, to be played whole, once, from frame 0 on. While open only.
  package func playWhole(_ path: String) throws(BenchError) {
    try open(path)
    playWhole()
  }

  /// Plays the whole of its file, once, from frame 0 on. While open only.
  package func playWhole() { (startFrame, loops, region) = (0, 0, nil) }

  /// A function that gives the player back the file, and the part of it, that it has now.
  package func restoring() -> () -> Void {
    let (path, start, loops, region) = (file?.path, startFrame, loops, region)
    return { [self] in
      if let path, file?.path != path { try? open(path) }
      (startFrame, self.loops, self.region) = (start, loops, region)
    }
  }

  public override func naturalOutputFormat(graphRate: Double) -> StreamFormat {
    StreamFormat(sampleRate: graphRate, channelCount: file?.channelCount ?? 2)
  }

  public override func naturalOutputLayout(ofOutput bus: Int) -> ChannelLayout? { file?.layout }

  public override func checkFormats() throws(AudioStatus) {
    guard let file else { throw .fileNotSpecified }
    guard outputs[0].format.channelCount == file.channelCount else { throw .formatNotSupported }
  }

  /// The region, within the file.
  private func played(_ info: SoundFileInfo) -> Range<Int64> {
    region?.clamped(to: 0..<info.frameCount) ?? 0..<info.frameCount
  }

  public var sourceFrames: Int64? {
    guard let info = file, loops >= 0,
      let sounding = FileStream.frames(
        of: played(info), loops: loops, from: info.sampleRate, to: outputs[0].format.sampleRate)
    else { return nil }
    let (end, isTooLong) = startFrame.addingReportingOverflow(sounding)
    return isTooLong ? nil : end
  }

  /// True when it never ends.
  package var isEndless: Bool { loops < 0 }

  public override func makeProcessor() throws(AudioStatus) -> Processor {
    guard let info = file else { throw .fileNotSpecified }
    do throws(BenchError) {
      let reader = try SoundFileReader(path: info.path)
      guard reader.info.channelCount == info.channelCount, reader.info.sampleRate == info.sampleRate,
        reader.info.frameCount == info.frameCount
      else { throw BenchError(.input, at: info.path, "the file has changed since it was chosen") }
      reader.nonFinitePolicy = nonFinite
      let stream = try FileStream(
        reader, region: played(info), loops: loops, sampleRate: outputs[0].format.sampleRate, quality: quality)
      return FilePlayerProcessor(
        try ReadAhead(stream, maximumFrames: maximumFramesPerSlice, speed: readingSpeed), of: reader,
        start: startFrame, totalFrames: stream.totalFrames)
    } catch {
      preparationFailure = error
      throw .invalidFile
    }
  }

  public override var processorBytes: Int {
    guard let file else { return 0 }
    return FileStream.memoryBytes(
      file.sampleRate, to: outputs[0].format.sampleRate, channelCount: file.channelCount, quality: quality)
      + ReadAhead.memoryBytes(
        channelCount: file.channelCount, maximumFrames: maximumFramesPerSlice, speed: readingSpeed)
  }

  public override var ownProperties: [PropertyDescriptor] { Self.propertyTable }

  private static let propertyTable: [PropertyDescriptor] = [
    .quality(\FilePlayer.quality),
    PropertyDescriptor(
      .filePath, "filePath", .path(), of: FilePlayer.self, settable: .whileOpen,
      get: { (unit, _, _) throws(AudioStatus) in
        guard let path = unit.file?.path else { throw .propertyNotInUse }
        return path
      },
      set: { (unit, _, _, path) throws(AudioStatus) in
        do { try unit.open(path) } catch { throw .invalidFile }
      }),
    PropertyDescriptor(
      .startFrame, "startFrame", .int64("output frames", in: 0...Int64.max), \FilePlayer.startFrame,
      key: ("start", "the frame of the output at which it begins")),
    PropertyDescriptor(
      .fileRegion, "fileRegion", .region, of: FilePlayer.self, settable: .whileOpen,
      get: { unit, _, _ in
        guard let region = unit.region else { return FileRegion(start: 0, count: -1) }
        return FileRegion(
          start: region.lowerBound, count: region.upperBound == .max ? -1 : Int64(region.count))
      },
      set: { unit, _, _, region in
        unit.region = region.start..<(region.count < 0 ? .max : region.start + region.count)
      }),
    PropertyDescriptor(
      .loopCount, "loopCount", .int32("−1 endless", in: -1...Int32.max, written: -1...(1 << 31)), of: FilePlayer.self,
      key: ("loops", "additional passes; -1 plays for ever"), settable: .whileOpen,
      get: { unit, _, _ in Int64(unit.loops) }, set: { unit, _, _, loops in unit.loops = Int(loops) }),
  ]

  public override var graphKeys: [GraphKey] { Self.graphKeyTable }

  private static let graphKeyTable: [GraphKey] = [
    GraphKey(
      "file", "the sound file, relative to the graph file; --input ID=FILE takes its place", of: FilePlayer.self,
      schema: JSONForm<String>.file.schema
    ) { (player, node, place) throws(BenchError) in
      let written = try node.path("file")
      guard let path = place.givenFile ?? written else {
        throw node.error(
          "file", "the key is missing", advice: "or name a file on the command line: --input \(place.id)=FILE")
      }
      do throws(BenchError) { try player.open(path) } catch { throw error.inside("node \"\(place.id)\"") }
    },
    GraphKey(
      "region", "[first frame, number of frames] of the file, all of which must be in it", of: FilePlayer.self,
      schema: [
        "type": "array", "items": ["type": "integer", "minimum": 0], "minItems": 2, "maxItems": 2,
      ]
    ) { (player, node, _) throws(BenchError) in
      guard let region = try node.list("region") else { return }
      guard region.count == 2, case .number(let start) = region[0], case .number(let count) = region[1],
        let start = Int64(exactly: start), let count = Int64(exactly: count), start >= 0, count >= 0
      else { throw node.error("region", "expected [first frame, number of frames]") }
      let length = player.file?.frameCount ?? 0
      guard start <= length, count <= length - start else {
        throw node.error(
          "region",
          "\(NumberText.count(count, "frame")) from frame \(start) on are not all in the file, which has \(length)")
      }
      player.region = start..<(start + count)
    },
    GraphKey(
      "nonfinite",
      "the treatment of samples of the file that are NaN or infinite: error ends the render, silence makes each 0, keep "
        + "passes them on", JSONForm<NonFinitePolicy>.choice, of: FilePlayer.self, get: { $0.nonFinite },
      set: { $0.nonFinite = $1 }),
  ]
}

extension Unit {
  /// The file player that this is, where it is one.
  package var filePlayer: FilePlayer? { self as? FilePlayer }
}

extension PropertyID {
  /// The path as text; `.propertyNotInUse` until there is a file. While open only.
  package static let filePath = PropertyID(64_005)
  /// Frames of the output, 0 or more: ``FilePlayer/startFrame``. While open only.
  package static let startFrame = PropertyID(64_006)
  /// First frame and number of frames in the file's own frames, −1 to the end: ``FilePlayer/region``. While open only.
  package static let fileRegion = PropertyID(64_007)
  /// Additional passes, −1 for ever: ``FilePlayer/loops``. While open only.
  package static let loopCount = PropertyID(64_008)
}

/// The render half of a file player: copies what has been read ahead, silence before and behind it. It has nothing to
/// forget: its position follows the clock.
final class FilePlayerProcessor: Processor, FilePlayingProcessor {
  private let ring: ReadAhead
  /// Read by whoever fills the ring.
  private let reader: SoundFileReader
  private let start: Int64
  private let totalFrames: Int64?

  init(_ ring: ReadAhead, of reader: SoundFileReader, start: Int64, totalFrames: Int64?) {
    self.ring = ring
    self.reader = reader
    self.start = start
    self.totalFrames = totalFrames
  }

  var readAhead: ReadAhead? { ring }
  override var runsHostCode: Bool { ring.runsHostCode }

  /// The samples that are not finite in the part that has been read. Not for the render thread.
  var nonFiniteOfFile: NonFiniteSamples { ring.edit { reader.nonFiniteSamples } }

  /// The ring's own memory, where the slice lies in one piece there.
  override var lendsOutput: Bool { true }
  override func lendOutput(sampleTime: Int64, frames: Int) throws(AudioStatus) -> BusBuffer? {
    guard sampleTime >= start else { return nil }
    let begin = sampleTime - start
    guard begin <= .max - Int64(frames), totalFrames.map({ begin + Int64(frames) <= $0 }) ?? true else { return nil }
    return ring.lend(from: begin, frames: frames)
  }

  override func process(_ piece: RenderPiece) throws(AudioStatus) {
    let output = piece.outputs[0]
    // A start that far away never comes: saturate where the difference has no number.
    let (difference, overflow) = piece.sampleTime.subtractingReportingOverflow(start)
    let begin = overflow ? .min / 2 : difference
    let end = begin + Int64(piece.frames)
    let from = max(begin, 0)
    let to = max(from, totalFrames.map { min(end, $0) } ?? end)
    piece.clear(from: 0, frames: Int(min(max(0, from - begin), Int64(piece.frames))))
    if to > from {
      try ring.copy(
        from: from, frames: Int(to - from), into: output.planes, offset: piece.offset + Int(from - begin))
    }
    let silent = Int(min(end - to, Int64(piece.frames)))
    if end > to && end > from { piece.clear(from: piece.frames - silent, frames: silent) }
  }
}

extension RenderPiece {
  /// Silence in output bus 0, from frame `offset` of the piece on.
  func clear(from offset: Int, frames: Int) {
    guard frames > 0 else { return }
    for channel in 0..<outputs[0].count {
      (output(channel) + offset).update(repeating: 0, count: frames)
    }
  }
}
