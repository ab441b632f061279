import AVFAudioFiles
import AudioCore
import AudioEngine
import Foundation
import Synchronization

/// The ways in which a buffer is played.
public struct AVAudioPlayerNodeBufferOptions: OptionSet, Sendable {
  public let rawValue: UInt
  /// The options of a number.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// Again and again, until something interrupts it or the player stops.
  public static let loops = AVAudioPlayerNodeBufferOptions(rawValue: 1)
  /// At its time it ends all that was scheduled before it.
  public static let interrupts = AVAudioPlayerNodeBufferOptions(rawValue: 2)
  /// As `interrupts`, at the end of the pass that is played then.
  public static let interruptsAtLoop = AVAudioPlayerNodeBufferOptions(rawValue: 4)
}

/// The moment of which a completion handler is told. All three are the end of the slice in which the last frame was
/// rendered, unless ``AVFAudioChoices/completionTypes`` says otherwise.
public enum AVAudioPlayerNodeCompletionCallbackType: Int, Sendable {
  /// The player has taken the last frame.
  case dataConsumed
  /// The last frame has been rendered.
  case dataRendered
  /// The last frame has been heard.
  case dataPlayedBack
}

/// A function that is called when something that was scheduled has ended, was interrupted, or the player was stopped.
public typealias AVAudioPlayerNodeCompletionHandler = (AVAudioPlayerNodeCompletionCallbackType) -> Void

/// A player of buffers, files and parts of files, exact to the frame.
open class AVAudioPlayerNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
  private struct Play {
    var schedule = PlayerSchedule()
    var isPlaying = false
    /// The frame of the node's clock at which the player's time is 0; nil: it does not run.
    var origin: Int64?
    /// The frame of the node's clock at which it is to begin; nil: the next slice's.
    var wanted: Int64?
    /// The same on the host's clock, until a slice has such a time.
    var wantedHost: UInt64?
    /// The player's time where it goes on.
    var resumeTime: Int64 = 0
    /// The node's slice that was rendered last.
    var slice: (start: Int64, end: Int64)?

    /// The player's time stands still from here on.
    mutating func halt() {
      if let origin, let slice { resumeTime = max(resumeTime, slice.end - origin) }
      isPlaying = false
      origin = nil
      wanted = nil
      wantedHost = nil
    }
  }

  /// The state, which the thread that renders changes too.
  private final class State {
    var play = Play()
    weak var node: AVAudioPlayerNode?
    /// Frames from the node to the loudspeaker, where completion handlers are told of that moment.
    let latency = Atomic<Int64>(0)

    /// On the thread that renders.
    func render(_ slice: BlockSlice, rate: Double) {
      play.slice = (slice.sampleTime, slice.sampleTime + Int64(slice.frames))
      slice.silence()
      guard let engine = node?.engine else { return }
      defer { play.schedule.callUnheard(until: slice.sampleTime + Int64(slice.frames), engine.dueCalls) }
      guard play.isPlaying else { return }
      let moment = engine.lastSlice
      if let host = play.wantedHost {
        play.wanted = moment?.frame(atHostTime: host, rate: rate)
        play.wantedHost = nil
      }
      let begin = play.origin == nil ? max(slice.sampleTime, play.wanted ?? slice.sampleTime) : slice.sampleTime
      guard begin < slice.sampleTime + Int64(slice.frames) else { return }
      let origin = play.origin ?? begin - play.resumeTime
      play.origin = origin
      play.schedule.resolve { host in moment?.frame(atHostTime: host, rate: rate).map { $0 - origin } }
      let offset = Int(begin - slice.sampleTime)
      play.schedule.render(
        from: begin - origin, frames: slice.frames - offset, into: PlayerTarget(slice: slice, offset: offset),
        mayRead: engine.isOffline, engine.choices.lateFrames, clock: (origin, latency.load(ordering: .relaxed)),
        engine.dueCalls)
    }
  }
  private let state: State
  /// For a player without an engine, which would keep edits apart.
  private let edits = Locked<Void>(())
  /// The file that was scheduled last.
  private let file = Locked<PlayerFile?>(nil)

  /// Reads or changes the state while nothing renders.
  private func withState<Result>(_ body: (inout Play) -> Result) -> Result {
    if let engine { return engine.betweenSlices { body(&state.play) } }
    return edits.withLock { _ in body(&state.play) }
  }

  /// A player with nothing to play.
  public init() {
    let state = State()
    self.state = state
    super.init(unit: BlockUnit { stream, _ in { state.render($0, rate: stream.sampleRate) } })
    state.node = self
  }

  /// The number of inputs: none.
  public override var numberOfInputs: Int { 0 }

  override func clearSignal() {
    super.clearSignal()
    let slice = state.play.slice
    let due = engine?.dueCalls ?? DueCalls()
    state.play.schedule.removeAll(due)
    state.play = Play(schedule: state.play.schedule)
    state.play.slice = slice
    if engine == nil { due.makeAll() }
  }

  /// Reads files ahead of what is to be played. Not on the thread that renders.
  func prefetch() {
    var frames = 0
    for item in withState({ Array($0.schedule.items.prefix(64)) }) where frames < 8192 {
      frames += item.source.prefetch()
    }
  }

  // MARK: Playing

  /// True from ``play()`` on, also while there is nothing to play; false behind ``pause()`` and ``stop()``.
  public var isPlaying: Bool { withState { $0.isPlaying } }

  /// Begins, or goes on, with the next slice. A player of an engine that does not run, or that is not connected, ends the
  /// process.
  public func play() { play(at: nil) }

  /// Begins, or goes on, at a time of the node's clock or the host's; one that has passed is the next slice's, and so is a
  /// host time where a program renders.
  public func play(at when: AVAudioTime?) {
    require(engine != nil, "player is attached to an engine")
    require(engine?.isRunning ?? false, "_engine->IsRunning()")
    require(
      engine.map { engine in engine.locked { engine.connections.contains { $0.source === self } } } ?? false,
      "player started when in a disconnected state")
    let frame = when?.frame(atRate: outputFormat(forBus: 0).sampleRate)
    let host = frame == nil && when?.isHostTimeValid == true ? when?.hostTime : nil
    withState { play in
      guard !play.isPlaying else { return }
      play.isPlaying = true
      play.wanted = frame
      play.wantedHost = host
    }
  }

  /// Stops where it is: the player's time stands still, and ``play()`` goes on from here.
  public func pause() { withState { $0.halt() } }

  /// Ends all that is scheduled; the player's time begins anew at 0.
  public func stop() {
    if let engine {
      engine.betweenSlices { clearSignal() }
      engine.makeDueCalls()
    } else {
      edits.withLock { _ in clearSignal() }
    }
  }

  // MARK: Times

  /// The node's clock at a time of the player; nil while it does not play.
  public func nodeTime(forPlayerTime playerTime: AVAudioTime) -> AVAudioTime? {
    converted(playerTime) { $0 + $1 }
  }

  /// The player's time at a frame of the node's clock; nil while it does not play.
  public func playerTime(forNodeTime nodeTime: AVAudioTime) -> AVAudioTime? {
    converted(nodeTime) { $0 - $1 }
  }

  private func converted(_ time: AVAudioTime, _ body: (Int64, Int64) -> Int64) -> AVAudioTime? {
    let rate = outputFormat(forBus: 0).sampleRate
    guard let frame = time.frame(atRate: rate) else { return nil }
    let origin: Int64? = withState { play in
      guard play.isPlaying else { return nil }
      if let origin = play.origin { return origin }
      let next = play.slice?.end ?? 0
      return max(next, play.wanted ?? next) - play.resumeTime
    }
    guard let origin else { return nil }
    return time.isHostTimeValid
      ? AVAudioTime(hostTime: time.hostTime, sampleTime: body(frame, origin), atRate: rate)
      : AVAudioTime(sampleTime: body(frame, origin), atRate: rate)
  }

  override func renderTime(_ slice: SliceTime, rate: Double) -> AVAudioTime? {
    withState { $0.slice }.map { slice.time(frame: $0.start, rate: rate) }
  }

  override func engineDidStop() {
    state.play.halt()
    state.play.slice = nil
    if let engine { state.play.schedule.callUnheard(until: .max, engine.dueCalls) }
  }

  /// Takes over the way to the loudspeaker as it was compiled.
  func followLatency() {
    guard let engine, engine.choices.completionTypes == .byType else { return }
    let frames = FrameCount.from(
      seconds: engine.latency(behind: self) ?? 0, sampleRate: outputFormat(forBus: 0).sampleRate)
    state.latency.store(frames ?? 0, ordering: .relaxed)
  }

  // MARK: Scheduling

  /// Schedules a buffer. One with another number of channels than the node's output ends the process; its rate is taken
  /// for that of the output.
  ///
  /// - Parameters:
  ///   - buffer: the frames; not changed until they were played.
  ///   - when: a frame of the player's time, or a time on the host's clock where there is hardware; nil: behind what was
  ///     scheduled before, or at once.
  ///   - options: loops, and interruptions of what is scheduled.
  ///   - callbackType: the argument of the handler.
  ///   - completionHandler: called once, when the buffer was taken, rendered or played, or will not be.
  public func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
    completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
    completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
  ) {
    schedule(buffer, at: when, options, completionHandler.map { handler in { handler(callbackType) } }, callbackType)
  }

  /// Schedules a buffer, as ``scheduleBuffer(_:at:options:completionCallbackType:completionHandler:)``.
  public func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
    completionHandler: AVAudioNodeCompletionHandler? = nil
  ) { schedule(buffer, at: when, options, completionHandler, .dataConsumed) }

  /// Schedules a buffer behind what was scheduled before.
  public func scheduleBuffer(_ buffer: AVAudioPCMBuffer, completionHandler: AVAudioNodeCompletionHandler? = nil) {
    schedule(buffer, at: nil, [], completionHandler, .dataConsumed)
  }

  /// Schedules a buffer behind what was scheduled before, with the kind of call.
  public func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
    completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
  ) { schedule(buffer, at: nil, [], completionHandler.map { handler in { handler(callbackType) } }, callbackType) }

  private func schedule(
    _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, _ options: AVAudioPlayerNodeBufferOptions,
    _ handler: (() -> Void)?, _ type: AVAudioPlayerNodeCompletionCallbackType
  ) {
    let format = outputFormat(forBus: 0)
    require(
      buffer.format.channelCount == format.channelCount,
      "_outputFormat.channelCount == buffer.format.channelCount (\(format.channelCount), \(buffer.format.channelCount))"
    )
    schedule(BufferSource(buffer.floats), at: when, options, handler, type)
  }

  /// Schedules a whole file. Rate and channels are converted where they are not those of the node's output.
  public func scheduleFile(
    _ file: AVAudioFile, at when: AVAudioTime?, completionHandler: AVAudioNodeCompletionHandler? = nil
  ) { schedule(file, 0, file.length, when, completionHandler, .dataConsumed) }

  /// Schedules a whole file, with the kind of call.
  public func scheduleFile(
    _ file: AVAudioFile, at when: AVAudioTime?,
    completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
    completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
  ) {
    schedule(file, 0, file.length, when, completionHandler.map { handler in { handler(callbackType) } }, callbackType)
  }

  /// Schedules frames of a file, as many as there are. No frames end the process.
  public func scheduleSegment(
    _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount,
    at when: AVAudioTime?, completionHandler: AVAudioNodeCompletionHandler? = nil
  ) {
    require(numberFrames > 0, "numberFrames > 0")
    schedule(file, startFrame, Int64(numberFrames), when, completionHandler, .dataConsumed)
  }

  /// Schedules frames of a file, with the kind of call.
  public func scheduleSegment(
    _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount,
    at when: AVAudioTime?, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
    completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
  ) {
    require(numberFrames > 0, "numberFrames > 0")
    schedule(
      file, startFrame, Int64(numberFrames), when, completionHandler.map { handler in { handler(callbackType) } },
      callbackType)
  }

  private func schedule(
    _ file: AVAudioFile, _ first: AVAudioFramePosition, _ frames: AVAudioFramePosition, _ when: AVAudioTime?,
    _ handler: (() -> Void)?, _ type: AVAudioPlayerNodeCompletionCallbackType
  ) {
    let source = self.file.withLock { present in
      let own = present.flatMap { $0.original === file ? $0 : nil } ?? PlayerFile(file)
      present = own
      return own
    }
    schedule(
      FileSource(source, from: first, frames: frames, as: outputFormat(forBus: 0)), at: when, [], handler, type)
    prefetch()
  }

  private func schedule(
    _ source: any PlayerSource, at when: AVAudioTime?, _ options: AVAudioPlayerNodeBufferOptions,
    _ handler: (() -> Void)?, _ type: AVAudioPlayerNodeCompletionCallbackType
  ) {
    let at = when?.frame(atRate: outputFormat(forBus: 0).sampleRate)
    let host = at == nil && when?.isHostTimeValid == true ? when?.hostTime : nil
    let item = PlayerSchedule.Item(
      source, at: at, host: host, options: options, completion: handler, moment: moment(of: type))
    withState { $0.schedule.add(item) }
  }

  private func moment(of type: AVAudioPlayerNodeCompletionCallbackType) -> PlayerSchedule.CompletionMoment {
    guard (engine?.choices ?? .standard).completionTypes == .byType else { return .end }
    return switch type {
    case .dataConsumed: .beginning
    case .dataRendered: .end
    case .dataPlayedBack: .heard
    }
  }

  /// Reads the beginning of what is scheduled. Files are read ahead in any case, a few thousand frames.
  public func prepare(withFrameCount frameCount: AVAudioFrameCount) { prefetch() }
}

extension AVAudioPCMBuffer {
  /// The buffer itself where its samples are Float32, else a converted copy.
  fileprivate var floats: AVAudioPCMBuffer {
    guard format.commonFormat != .pcmFormatFloat32, let converter = AVAudioConverter(from: format, to: format.standard),
      let copy = AVAudioPCMBuffer(pcmFormat: format.standard, frameCapacity: frameCapacity),
      (try? converter.convert(to: copy, from: self)) != nil
    else { return self }
    return copy
  }
}
