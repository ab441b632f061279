import AudioCore
import AudioEngine
import SampleRate
import SoundFile

/// The file player as a host of the C interface uses it: files are handed over open, and regions of them are scheduled
/// while it plays. ``FilePlayer`` is the one of graph files.
///
/// That one cannot be a schedule of one region: it must give any frame again when the clock jumps back, where this one
/// goes on and forgets what it has played. Regions come from other threads while it renders and call back when they
/// end, which takes a queue of entries between the two sides that a single file does not need. Both read by a
/// `FileStream` and a `ReadAhead`.
///
/// Nothing sounds before a start time is set. From then on the player's time follows the puller's clock (a jump back
/// goes on with the next frame), and the regions sound at their times, one behind another: they are not mixed. One that
/// is to begin before the region in front of it has ended, or whose time has passed, begins as soon as it can, from its
/// first frame. Rates are converted to the output's, and channels as
/// `ChannelMatrix.conventional(inputCount:outputCount:)` says: mono goes to every channel, anything into mono is the
/// mean, otherwise channels go straight through.
///
/// Files are read ahead, off the render call; a frame that has not been read in time is waited for.
///
/// ```swift
/// let player = ScheduledFilePlayer()
/// try player.setFiles(["fixtures/audio/drums.flac", "fixtures/audio/guitar.flac"])
/// try player.scheduleRegion(ScheduledRegion(file: 0, frameCount: 22_050))
/// try player.scheduleRegion(ScheduledRegion(file: 1, startFrame: 4410, frameCount: 22_050))
/// try player.prime()
/// player.setStartTime(sampleTime: 0)
/// ```
public final class ScheduledFilePlayer: SchedulePlayer, @unchecked Sendable {
  /// In ``ComponentRegistry/hosted``: the C interface makes it in place of ``FilePlayer``.
  package static let component = Component(
    FilePlayer.component.description, shortName: "scheduledFilePlayer", name: FilePlayer.component.name,
    summary: "Plays regions of sound files at the times for which they are scheduled while it plays."
  ) { ScheduledFilePlayer() }

  /// The state that exists without a render half, and across it.
  private struct State: Sendable {
    var files: [any PlayableFile] = []
    var waiting: [(region: ScheduledRegion, file: any PlayableFile)] = []
    var runsHostCode = false
  }
  private let state = Locked(State())

  /// The quality of the rate conversion where a file's rate is not the output's. While open only.
  public var quality = RateConversionQuality.standard

  /// A player without files, regions and start time: silence.
  public init() { super.init(Self.component) }

  private var player: ScheduledFilePlayerProcessor? { node?.processor as? ScheduledFilePlayerProcessor }

  /// True when functions of a host run while the player renders: completions, or those that a file is read by. Once
  /// true it stays true.
  package var runsHostCode: Bool { state.withLock { $0.runsHostCode } }

  /// Says that functions of a host will run while the player renders.
  package func noteHostCode() {
    state.withLock { $0.runsHostCode = true }
    node?.readAhead?.noteHostCode()
  }

  // MARK: The schedule

  /// The files that regions name by number. Regions that have been scheduled keep theirs.
  package func setFiles(_ files: [any PlayableFile]) { state.withLock { $0.files = files } }

  /// Opens files and sets them.
  /// - Throws: `.input` for one that cannot be read.
  public func setFiles(_ paths: [String]) throws(BenchError) {
    var files: [any PlayableFile] = []
    for path in paths { files.append(try SoundFileReader(path: path)) }
    setFiles(files)
  }

  /// The number of files that ``ScheduledRegion/file`` can choose from.
  package var fileCount: Int { state.withLock { $0.files.count } }

  /// Adds a region behind those that are scheduled. On any thread; one that renders may wait here for the file.
  ///
  /// - Throws: `.fileNotSpecified` where there are no files, `.invalidFile` for a number that none of them has,
  ///   `.invalidPropertyValue` for a negative first frame, `.formatNotSupported` for a file of more than 1024 channels.
  public func scheduleRegion(_ region: ScheduledRegion) throws(AudioStatus) {
    let files = state.withLock { $0.files }
    guard !files.isEmpty else { throw .fileNotSpecified }
    guard files.indices.contains(region.file) else { throw .invalidFile }
    guard region.startFrame >= 0 else { throw .invalidPropertyValue }
    let file = files[region.file]
    guard StreamFormat.channelCountRange.contains(file.playableInfo.channelCount) else { throw .formatNotSupported }
    if let player {
      player.schedule(region, of: file)
    } else {
      state.withLock { $0.waiting.append((region, file)) }
    }
  }

  /// Reads ahead on the calling thread, at most as much as the player keeps (two slices, 8192 frames at least).
  ///
  /// - Parameter frames: 0: as many as one slice has. While open there is nothing to read into yet, and nothing
  ///   happens.
  /// - Throws: `.invalidFile`; `renderFailure` has the words.
  public func prime(frames: UInt32 = 0) throws(AudioStatus) {
    guard let readAhead = node?.readAhead else { return }
    readAhead.prefetch(frames: frames == 0 ? max(maximumFramesPerSlice, ReadAhead.blockFrames) : Int(frames))
    if readAhead.failure != nil { throw .invalidFile }
  }

  // MARK: Life cycle

  override func dropWaiting() {
    super.dropWaiting()
    for (region, _) in takeWaiting() { region.completion?(.dropped) }
  }

  private func takeWaiting() -> [(region: ScheduledRegion, file: any PlayableFile)] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  public override func makeProcessor() throws(AudioStatus) -> Processor {
    do {
      let player = try ScheduledFilePlayerProcessor(
        format: outputs[0].format, quality: quality, maximumFrames: maximumFramesPerSlice,
        readingSpeed: readingSpeed)
      if runsHostCode { player.readAhead?.noteHostCode() }
      for (region, file) in takeWaiting() { player.schedule(region, of: file) }
      handStart(to: player)
      return player
    } catch {
      preparationFailure = error
      throw .failedInitialization
    }
  }

  public override var processorBytes: Int {
    ReadAhead.memoryBytes(
      channelCount: outputs[0].format.channelCount, maximumFrames: maximumFramesPerSlice, speed: readingSpeed)
  }

  public override var ownProperties: [PropertyDescriptor] { Self.propertyTable }
  private static let propertyTable: [PropertyDescriptor] = [.quality(\ScheduledFilePlayer.quality)]
}

extension Unit {
  /// The player of files with a schedule that this is, where it is one.
  package var scheduledPlayer: ScheduledFilePlayer? { self as? ScheduledFilePlayer }
}
