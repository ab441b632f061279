import AudioCore
import SoundFile

/// The report of a render.
public struct RenderReport: Sendable {
  /// The length of the output, without frames trimmed from its beginning.
  public let frames: Int64
  /// The rate of the output, hertz.
  public let sampleRate: Double
  /// The channels of the output.
  public let channelCount: Int
  /// Wall-clock seconds, set-up and file included.
  public let elapsedSeconds: Double
  /// The largest sample of each channel, in dBFS; −∞ for silence. NaN, which no report shows as a figure, for a channel
  /// with samples that are not finite.
  public let peakDecibels: [Double]
  /// Samples that came out of the graph NaN or infinite; frames of the output.
  public let nonFiniteSamples: NonFiniteSamples
  /// The first node, from the sources on, that put out such samples when the first came out of the graph; nil where
  /// there are none, or it was not looked for: behind edits, and under a scenario.
  public var firstNonFiniteNode: String?
  /// Files with samples that are NaN or infinite, and which nodes play them.
  public let nonFiniteFiles: [NonFiniteFile]
  /// Nodes that made integers of such samples inside the graph, and of how many.
  public let nonFiniteNodes: [(name: String, samples: Int64)]
  /// True when not-a-number or infinity came out of the graph.
  public var hasNonFiniteSamples: Bool { !nonFiniteSamples.isEmpty }
  /// True when a render until silence ended at its cap, with sound still there.
  public let reachedCap: Bool
  /// The tail that was cut off; nil where it has decayed by 120 dB, and where another length was asked for.
  public var cutTail: CutTail?
  /// Nodes that clipped samples to the range of an integer format inside the graph, and how many.
  public let clippingNodes: [(name: String, samples: Int64)]
  /// Normalizers that pass their sound as it is, and why: it is silent, has no loudness, or is not finite.
  public var levelsNotSet: [(name: String, reason: String)] = []
  /// Nodes that do not lead to the output, and so were not rendered.
  public let idleNodes: [String]
  /// The file, where one was written.
  public let file: SoundFileWriteReport?
  /// The files of the taps, in the order of the options.
  public let taps: [SoundFileWriteReport]
  /// The signals that were tapped into memory, by node.
  public var tapped: [String: TappedSignal] = [:]
  /// Files that the graph plays and whose headers say something else than is there, each with both figures.
  package var inputWarnings: [String] = []

  /// The output of a node, on its own clock.
  public struct TappedSignal: Hashable, Sendable {
    /// Hertz.
    public let sampleRate: Double
    /// One array for each channel, all of one length.
    public let channels: [[Float]]
  }

  /// Units that ring longer than a minute, which is the longest tail that is rendered unasked.
  public struct CutTail: Hashable, Sendable {
    /// Their names in the graph.
    public let nodes: [String]
    /// The largest sample of the last two seconds, dBFS.
    public let levelDecibels: Double
  }

  /// Seconds of sound.
  public var durationSeconds: Double { Double(frames) / sampleRate }
  /// The speed relative to realtime.
  public var realtimeFactor: Double { elapsedSeconds > 0 ? durationSeconds / elapsedSeconds : .infinity }
  /// Samples that did not fit the file's integers.
  public var clippedSamples: Int64 { file?.clippedSamples ?? 0 }
}

/// The progress of a render, a conversion or a comparison.
public struct RenderProgress: Sendable {
  /// The frames so far, on the clock of ``sampleRate``.
  public let framesDone: Int64
  /// Nil while the end is not known.
  public let framesTotal: Int64?
  /// Hertz.
  public let sampleRate: Double
  /// Wall-clock seconds since the beginning.
  public let elapsedSeconds: Double

  /// - Parameters:
  ///   - framesDone: frames of the output so far.
  ///   - framesTotal: nil while the end is not known.
  ///   - sampleRate: hertz.
  ///   - elapsedSeconds: wall-clock time.
  public init(framesDone: Int64, framesTotal: Int64?, sampleRate: Double, elapsedSeconds: Double) {
    self.framesDone = framesDone
    self.framesTotal = framesTotal
    self.sampleRate = sampleRate
    self.elapsedSeconds = elapsedSeconds
  }

  /// The speed relative to realtime; 0 if no time has passed.
  public var realtimeFactor: Double {
    elapsedSeconds > 0 ? Double(framesDone) / sampleRate / elapsedSeconds : 0
  }
  /// By the speed so far.
  public var secondsLeft: Double? {
    guard let framesTotal, framesDone > 0 else { return nil }
    return elapsedSeconds * Double(framesTotal - framesDone) / Double(framesDone)
  }
}

/// Reports progress some times a second and ends the work where it is no longer wanted.
struct ProgressTracker {
  let framesTotal: Int64?
  let sampleRate: Double
  let clock: Stopwatch
  let progress: ((RenderProgress) -> Bool)?
  /// When it was reported last.
  var last = -1.0

  mutating func report(_ done: Int64, isLast: Bool = false) throws(BenchError) {
    guard let progress else { return }
    let now = clock.seconds
    guard isLast || now - last >= 0.1 else { return }
    last = now
    let state = RenderProgress(
      framesDone: done, framesTotal: framesTotal, sampleRate: sampleRate, elapsedSeconds: now)
    if !progress(state) && !isLast { throw BenchError(.interrupted, "stopped before the end; nothing was written") }
  }
}
