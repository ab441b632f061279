// Voice processing of one channel: what a microphone hears, without what the loudspeaker has played. The library works
// on frames of 20 ms; queues of our own lie around it, so that the bits do not depend on how the stream is cut.
// `process` runs on the hardware's thread and allocates nothing.

import AudioCore
import CSpeexDSP

/// Echo cancellation, suppression of what it leaves, and gain control, by libspeexdsp.
///
/// Samples go through 16 bits: the library's own form. The output is late by ``latencyFrames``.
public final class VoiceProcessor: @unchecked Sendable {
  /// True when the library is on this machine.
  public static var isAvailable: Bool { speexdsp_is_there() }

  /// Hertz.
  public let sampleRate: Double
  /// Seconds of the longest echo.
  public let tailSeconds: Double
  /// Frames of the library's pieces: 20 ms.
  private let piece: Int
  private var voice: OpaquePointer
  private let microphone: FlatMemory<Int16>
  private let played: FlatMemory<Int16>
  private let cancelled: FlatMemory<Int16>
  /// The past input, in a ring: the output of a bypass, as late as the rest.
  private let heard: FlatMemory<Float>
  private var heardPlace = 0
  private let ready: FlatMemory<Float>
  private var filled = 0

  /// The latency of the output: two pieces, one for the queue in front of the library, one for the suppressor.
  public var latencyFrames: Int { 2 * piece }

  /// True while somebody speaks, as far as the library can tell: see ``SpeechDetector``.
  public var hearsSpeech: Bool { detector.hearsSpeech }
  private var detector = SpeechDetector()

  /// True when the level is controlled; false at first.
  public var controlsGain = false { didSet { if oldValue != controlsGain { speexdsp_set_agc(voice, controlsGain) } } }
  /// True when residual echo is suppressed; true at first.
  public var suppresses = true { didSet { if oldValue != suppresses { speexdsp_set_suppressor(voice, suppresses) } } }

  /// - Parameters:
  ///   - sampleRate: 8,000 to 96,000 Hz.
  ///   - tailSeconds: 0.02 to 1; a longer one than the echo's makes it worse.
  /// - Throws: `.render` where libspeexdsp is not there, has no memory, or the rate is another.
  public init(sampleRate: Double, tailSeconds: Double = 0.1) throws(BenchError) {
    guard Self.isAvailable else {
      throw BenchError(
        .render, "voice processing is not built: libspeexdsp.so.1 is missing", advice: "install libspeexdsp1")
    }
    guard (8_000...96_000).contains(sampleRate), (0.02...1).contains(tailSeconds) else {
      throw BenchError(
        .render,
        "voice processing takes 8000 to 96000 Hz and echoes of 0.02 to 1 s, not \(sampleRate) Hz and \(tailSeconds) s")
    }
    self.sampleRate = sampleRate
    self.tailSeconds = tailSeconds
    piece = Int(clamping: sampleRate / 50)
    guard let voice = Self.make(sampleRate, piece, tailSeconds) else {
      throw BenchError(.render, "there is no memory for voice processing")
    }
    self.voice = voice
    microphone = FlatMemory(repeating: 0, count: piece)
    played = FlatMemory(repeating: 0, count: piece)
    cancelled = FlatMemory(repeating: 0, count: piece)
    ready = FlatMemory(repeating: 0, count: piece)
    heard = FlatMemory(repeating: 0, count: 2 * piece)
  }

  deinit { speexdsp_free(voice) }

  private static func make(_ rate: Double, _ piece: Int, _ tail: Double) -> OpaquePointer? {
    speexdsp_make(Int32(clamping: rate), Int32(piece), Int32(clamping: rate * tail))
  }

  /// Back to the start, bit for bit as new. Allocates: the library's own reset leaves something behind.
  /// - Returns: false, and has done nothing, where there is no memory.
  @discardableResult
  public func reset() -> Bool {
    guard let fresh = Self.make(sampleRate, piece, tailSeconds) else { return false }
    speexdsp_free(voice)
    voice = fresh
    speexdsp_set_agc(voice, controlsGain)
    speexdsp_set_suppressor(voice, suppresses)
    heard.all.fill(0)
    ready.all.update(repeating: 0, count: piece)
    (heardPlace, filled) = (0, 0)
    detector = SpeechDetector()
    return true
  }

  /// Processes some frames.
  ///
  /// - Parameters:
  ///   - input: the microphone's signal.
  ///   - reference: the loudspeaker's signal at that time, or up to ``tailSeconds`` before it reaches the microphone.
  ///   - output: gets as many frames, ``latencyFrames`` late; may be `input`.
  ///   - bypasses: gives the microphone as it was, as late; the canceller goes on to learn.
  public func process(
    _ input: Plane<Float>, reference: Plane<Float>, output: Plane<Float>, frames: Int,
    bypasses: Bool = false
  ) {
    for frame in 0..<frames {
      let sample = input[frame]
      microphone[filled] = Self.int16(sample)
      played[filled] = Self.int16(reference[frame])
      output[frame] = bypasses ? heard[heardPlace] : ready[filled]
      heard[heardPlace] = sample
      heardPlace = heardPlace + 1 == 2 * piece ? 0 : heardPlace + 1
      filled += 1
      guard filled == piece else { continue }
      filled = 0
      speexdsp_process(
        voice, microphone.all.start(of: piece), played.all.start(of: piece), cancelled.all.start(of: piece))
      detector.note(percent: speexdsp_speech(voice), heard: Self.power(microphone.all), left: Self.power(cancelled.all))
      for index in 0..<piece { ready[index] = Float(cancelled[index]) / 32_768 }
    }
  }

  /// The mean power of a piece, of full scale.
  private static func power(_ piece: Plane<Int16>) -> Float {
    var sum: Float = 0
    for index in 0..<piece.count {
      let sample = Float(piece[index]) / 32_768
      sum += sample * sample
    }
    return sum / Float(max(1, piece.count))
  }

  private static func int16(_ sample: Float) -> Int16 {
    let scaled = (sample * 32_768).rounded(.toNearestOrEven)
    return scaled >= 32_767 ? 32_767 : scaled <= -32_768 ? -32_768 : scaled.isNaN ? 0 : Int16(clamping: scaled)
  }
}
