// The sound of a player on the hardware: its graph, and the place that was reached. `render` runs on the hardware's thread: no
// allocation, no lock, no file.

import AudioCore
import AudioEngine
import BuiltInUnits
import RenderGraph
import Synchronization

/// A player's stream through rate, volume and pan, set up for one rate and number of channels of the hardware.
final class PlayerVoice: @unchecked Sendable {
  /// The hardware's rate and channels.
  struct Format: Equatable {
    var sampleRate: Double
    var channelCount: Int
  }

  /// The settings that a new voice begins with.
  struct Settings {
    var volume: Float = 1
    var pan: Float = 0
    /// Nil: the rate cannot be changed.
    var rate: Float?
    var isMetered = false
    /// The hardware's channel for each of the sound's, in place of pan; nil: pan holds.
    var assignments: [Int]?
  }

  let format: Format
  /// The most frames of a stream for each of the hardware's.
  let speed: Double
  private let sound: PlayerSound
  private let graph: Graph
  private let renderer: GraphRenderer
  let source: PlayerUnitProcessor
  private let mixer: MultichannelMixer
  private let pitch: NewTimePitch?
  private let volume: VolumeFollower
  private let stream: Locked<PlayerStream>

  /// The device's frame at which it begins; nil: the next cycle's. Set while it is not played.
  var startFrame: Int64?
  /// The same as it was asked for, seconds of the device's time.
  var startSeconds: Double?
  private let shownPlace: Atomic<Int64>
  private let isOver = Atomic<Bool>(false)
  /// Frames rendered. The render side's own.
  private var clock: Int64 = 0

  /// Slices of the graph: events of parameters live for one.
  private static let sliceFrames = 512

  /// - Parameters:
  ///   - loops: passes behind the first one; −1: without end.
  ///   - origin: the frame of the passes to begin with, at the hardware's rate.
  /// - Throws: errors of the file, and of units that do not take its format.
  init(
    _ sound: PlayerSound, _ format: Format, _ settings: Settings, loops: Int, from origin: Int64
  ) throws(BenchError) {
    self.sound = sound
    self.format = format
    speed = settings.rate == nil ? 1 : Double(AVAudioPlayer.rates.upperBound)
    let first = try PlayerStream(sound, rate: format.sampleRate, loops: loops, from: origin, speed: speed)
    stream = Locked(first)
    shownPlace = Atomic(origin)
    graph = Graph(sampleRate: format.sampleRate, maximumFramesPerSlice: Self.sliceFrames)
    let unit = try graph.add(
      PlayerUnit(first, channelCount: sound.channelCount, sampleRate: format.sampleRate))
    source = unit.processor
    source.isMetered.store(settings.isMetered, ordering: .relaxed)
    try graph.setOutputFormat(
      Graph.WantedFormat(sampleRate: format.sampleRate, channelCount: sound.channelCount), of: unit)
    mixer = try graph.add(MultichannelMixer(inputs: 1))
    // One law for mono and stereo: the middle changes nothing.
    mixer.monoPanLaw = .unityCentre
    let wanted = Graph.WantedFormat(sampleRate: format.sampleRate, channelCount: format.channelCount)
    try graph.setOutputFormat(wanted, of: mixer)
    let output = try graph.add(GenericOutput())
    var interleaved = wanted
    interleaved.isInterleaved = true
    try graph.setOutputFormat(interleaved, of: output)
    pitch = settings.rate == nil ? nil : try graph.add(NewTimePitch())
    if let pitch {
      try graph.connect(unit, to: pitch)
      try graph.connect(pitch, to: mixer)
    } else {
      try graph.connect(unit, to: mixer)
    }
    try graph.connect(mixer, to: output)
    try? mixer.setOutputVolume(settings.volume)
    volume = VolumeFollower(mixer, volume: settings.volume)
    renderer = GraphRenderer(try graph.compile(parallel: false))
    setPlace(settings)
    setRate(settings.rate ?? 1)
  }

  deinit { graph.uninitialize() }

  // MARK: Edit side

  /// Takes over pan, or the assignments in its place: channels that the hardware has not are silent.
  func setPlace(_ settings: Settings) {
    guard let assignments = settings.assignments else {
      try? mixer.setPan(settings.pan, input: 0)
      return
    }
    var levels = [Float](repeating: 0, count: sound.channelCount * format.channelCount)
    for (input, output) in assignments.enumerated() where (0..<format.channelCount).contains(output) {
      levels[input * format.channelCount + output] = 1
    }
    try? mixer.setMatrixLevels(levels, input: 0)
  }

  func setRate(_ rate: Float) { try? pitch?.set(.rate, to: rate) }

  /// True where the rate can be changed.
  var hasRate: Bool { pitch != nil }

  /// Seconds of the way from the present volume to another; 0: at once, with the next slice.
  func setVolume(_ target: Float, seconds: Double) {
    volume.send(
      VolumeCourse(to: target, frames: FrameCount.from(seconds: seconds, sampleRate: format.sampleRate) ?? 0))
  }

  /// The present volume, and the rest of its way in seconds. While it is not played.
  var volumeRest: (volume: Float, target: Float, seconds: Double) {
    let rest = volume.rest
    return (rest.volume, rest.target, Double(rest.frames) / format.sampleRate)
  }

  /// The frame of the passes that is heard next, at the hardware's rate.
  var place: Int64 { shownPlace.load(ordering: .acquiring) }

  /// The passes that the stream has behind its first one; −1: without end.
  var loops: Int { stream.withLock { $0.loops } }

  /// True when the last frame has been rendered, or the sound could not be read.
  var hasEnded: Bool { isOver.load(ordering: .acquiring) }

  /// The error of a sound that could not be read.
  var failure: BenchError? { source.hasFailed ? stream.withLock { $0.readAhead.failure } : nil }

  /// Goes on at another place with the next slice.
  func seek(to origin: Int64, loops: Int) throws(BenchError) {
    try replaceStream(loops: loops, from: origin, continues: false)
    shownPlace.store(origin, ordering: .releasing)
  }

  /// Changes the number of passes.
  func setLoops(_ loops: Int) throws(BenchError) {
    try replaceStream(loops: loops, from: source.reached, continues: true)
  }

  private func replaceStream(loops: Int, from origin: Int64, continues: Bool) throws(BenchError) {
    let next = try PlayerStream(
      sound, rate: format.sampleRate, loops: loops, from: origin, continues: continues, speed: speed)
    stream.withLock { $0 = next }
    source.send(next)
  }

  /// Reads on. Between cycles, on a thread that may read.
  func prefetch() { stream.withLock { $0 }.prefetch() }

  // MARK: Render side

  /// Adds its frames of a cycle to the hardware's, interleaved.
  /// - Parameter time: the device's frame with which the cycle begins.
  func render(at time: Int64, frames: Int, into output: Plane<Float>) {
    let begin = startFrame ?? time
    guard !isOver.load(ordering: .relaxed), begin < time + Int64(frames) else { return }
    var offset = Int(max(0, begin - time))
    source.adopt()
    while offset < frames, !isOver.load(ordering: .relaxed) {
      let count = min(Self.sliceFrames, frames - offset)
      volume.schedule(count)
      do throws(AudioStatus) {
        try renderer.render(sampleTime: clock, frames: count) { bus, at, frames in
          let sounding = max(0, frames - framesBehindEnd)
          let samples = bus.interleaved(format.channelCount)
          let place = (offset + at) * format.channelCount
          for index in 0..<(sounding * format.channelCount) { output[place + index] += samples[index] }
        }
      } catch {
        isOver.store(true, ordering: .releasing)
      }
      clock += Int64(count)
      offset += count
      notePlace()
    }
  }

  /// The frame of the passes that the next frame of the output belongs to.
  private var renderedPlace: Double {
    let read = Double(source.position)
    guard let present = pitch?.presentPlace else { return read }
    return max(Double(source.origin), read - (Double(source.given) - present.frame))
  }

  /// Frames of the slice that was just rendered which belong to no frame of the sound any more.
  private var framesBehindEnd: Int {
    guard let end = source.end, let present = pitch?.presentPlace, present.rate > 0 else { return 0 }
    return Int(clamping: max(0, (renderedPlace - Double(end)) / present.rate).rounded(.down))
  }

  private func notePlace() {
    let place = Int64(clamping: renderedPlace.rounded(.down))
    let end = source.end
    shownPlace.store(end.map { min($0, place) } ?? place, ordering: .releasing)
    if let end, place >= end { isOver.store(true, ordering: .releasing) }
  }
}
