import AVFAudio
import AudioCore
import Foundation
import Hardware
import SoundFile
import TestSupport
import Testing

/// Simulated hardware that players play to, with what it has played.
struct PlayerHarness {
  let hardware: SimulatedHardware
  let folder = TemporaryFolder()

  /// Hardware by a told clock, in cycles of some frames.
  init(
    _ rate: Double = 44_100, slices: [Int] = [441], channels: Int = 2, events: [ScenarioEvent] = [],
    change: (inout Scenario) -> Void = { _ in }
  ) throws {
    var scenario = Scenario()
    scenario.device.clock = .told
    scenario.device.sampleRate = rate
    scenario.device.slices = slices
    scenario.device.outputChannels = channels
    scenario.events = events
    scenario.loudspeakerPath = folder.file("heard.wav")
    change(&scenario)
    hardware = SimulatedHardware(DeviceConfiguration())
    try hardware.follow(scenario)
  }

  func advance(_ seconds: Double) throws { try hardware.advance(seconds: seconds) }

  /// All that was played, by channel. Ends the scenario.
  func heard(_ number: Int = 1) throws -> [[Float]] {
    try hardware.follow(nil)
    return try Self.samples(number == 1 ? folder.file("heard.wav") : folder.file("heard-\(number).wav"))
  }

  static func samples(_ path: String) throws -> [[Float]] {
    let reader = try SoundFileReader(path: path)
    let frames = Int(reader.info.frameCount)
    let buffer = PlanarBuffer(channelCount: reader.info.channelCount, frameCapacity: frames + 1)
    #expect(try reader.read(into: buffer.planes, frames: frames + 1) == frames)
    return (0..<buffer.channelCount).map { Array(buffer[$0].prefix(frames).elements) }
  }

  /// A file of floats.
  func file(
    _ name: String = "sound.wav", _ rate: Double = 44_100, channels: Int = 1, frames: Int,
    _ value: (Int, Int) -> Float = Self.value
  ) throws -> URL {
    let place = URL(fileURLWithPath: folder.file(name))
    let format = try #require(
      AVAudioFormat(standardFormatWithSampleRate: rate, channels: AVAudioChannelCount(channels)))
    var settings = format.settings
    settings[AVLinearPCMIsNonInterleaved] = false
    let written = try AVAudioFile(forWriting: place, settings: settings)
    try written.write(from: try EngineHarness.buffer(format, frames, value))
    try written.finish()
    return place
  }

  /// The samples of ``file(_:_:channels:frames:_:)``: no two near frames alike, none 0.
  static func value(_ frame: Int, _ channel: Int) -> Float {
    Float((frame * 7919 + channel * 131) % 1999 - 999) / 2000 + 0.0001
  }

  /// The samples of a channel, pass after pass, from a frame of the first one on.
  static func passes(_ count: Int, of frames: Int, from first: Int = 0, channel: Int = 0) -> [Float] {
    (first..<(count * frames)).map { value($0 % frames, channel) }
  }

  /// An interruption's end that the program is told of.
  static func end(resumes: Bool) -> ScenarioEvent.InterruptionEnd {
    var end = ScenarioEvent.InterruptionEnd()
    end.resumes = resumes
    return end
  }

  static func silence(_ frames: Int) -> [Float] { [Float](repeating: 0, count: frames) }
}

/// A delegate that keeps its calls.
final class PlayerCalls: NSObject, AVAudioPlayerDelegate, @unchecked Sendable {
  private let state = Locked<[String]>([])
  /// Called when the sound ends.
  let onFinish: (@Sendable (AVAudioPlayer) -> Void)?

  init(onFinish: (@Sendable (AVAudioPlayer) -> Void)? = nil) { self.onFinish = onFinish }

  var all: [String] { state.withLock { $0 } }
  private func note(_ call: String) { state.withLock { $0.append(call) } }

  func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
    note("finished \(flag) at \(player.currentTime), plays \(player.isPlaying)")
    onFinish?(player)
  }
  func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {
    note("error \((error as NSError?)?.code ?? 0)")
  }
  func audioPlayerBeginInterruption(_ player: AVAudioPlayer) { note("interrupted, plays \(player.isPlaying)") }
  func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int) { note("ended \(flags)") }
}
