// A conversion that a client pulls: two formats, settings, and the engine's converter made from them. One call at a time,
// whatever threads they come from; while the client's procedure runs, it and other threads may call. Converts nothing
// itself, all arithmetic is `FormatConverter`'s. Pulling is in StreamConverter+Fill.swift.

import AudioCore
import AudioEngine
import CAudioToolbox
import DSPKernels
import SampleRate

/// A converter between two formats, which pulls its input from the client's procedure or takes whole buffers.
///
/// A changed setting makes a new engine. Between equal rates that can be done at any time (dither then starts anew);
/// a rate conversion carries the past of its filter, so there it is refused from the first frame until ``reset()``.
package final class StreamConverter: @unchecked Sendable {
  package let input: ConverterFormat
  package let output: ConverterFormat
  package private(set) var settings: ConverterSettings
  package private(set) var engine: FormatConverter
  /// The input from the proc that is still to be converted.
  package let pending: PendingInput
  /// The decoder of the proc's packets; nil for PCM and G.711.
  package let packets: PacketInput?
  /// Int16 in place of G.711, at the ends that have it.
  package let decodedCodes: StreamBuffer?
  package let samplesToCode: StreamBuffer?
  /// The beginnings of the client's output buffers, while a call fills them, and the places of the next piece.
  package let outputBases: UnsafeMutablePointer<UnsafeMutableRawPointer>
  package let outputPointers: UnsafeMutablePointer<UnsafeMutableRawPointer>
  /// The silence that a rate conversion reads before and past the client's frames.
  package let silence: StreamBuffer?
  /// The place of output that is discarded: the frames before the first one of a stream primed with its past.
  package private(set) var dropped: StreamBuffer?

  /// Frames that the engine is given, or asked for, at once.
  package static let pieceFrames = 4096

  /// Held by every call, but while the client's procedure runs.
  package let lock = RecursiveLock()

  // The stream since the last reset. Read anew after each call of the proc, which may reset and set as it likes.
  package var stream = StreamState()
  package var hasConverted = false
  package var isFilling = false
  /// The client disposed of it while its proc ran; it lives until the call that runs returns.
  package var isDisposed = false
  private var readAhead: (quality: RateConversionQuality, frames: Int)?

  /// - Throws: 'fmt?' where a format is not known, or the rates or channels are beyond the engine's limits.
  package init(from source: AudioStreamBasicDescription, to destination: AudioStreamBasicDescription)
    throws(AudioStatus)
  {
    guard let input = ConverterFormat(source), let output = ConverterFormat(destination), output.packets == nil else {
      throw ConverterError.formatNotSupported
    }
    self.input = input
    self.output = output
    settings = ConverterSettings()
    engine = try Self.makeEngine(from: input, to: output, settings: settings)
    pending = PendingInput(format: input)
    packets = try input.packets.map { (packets) throws(AudioStatus) in
      try PacketInput(packets, bytesPerFrame: input.bytesPerFrame)
    }
    decodedCodes =
      input.code.map { _ in StreamBuffer(format: input.stream, frameCapacity: Self.pieceFrames) }
    samplesToCode =
      output.code.map { _ in StreamBuffer(format: output.stream, frameCapacity: Self.pieceFrames) }
    outputBases = .allocate(capacity: output.bufferCount)
    outputPointers = .allocate(capacity: output.bufferCount)
    silence = engine.isSynchronous ? nil : StreamBuffer(format: input.stream, frameCapacity: 512)
  }

  deinit {
    outputBases.deallocate()
    outputPointers.deallocate()
  }

  package var convertsRate: Bool { !engine.isSynchronous }

  /// Forgets the stream: what was delivered, what the filters hold, that the end was reached.
  package func reset() {
    engine.reset()
    hasConverted = false
    pending.clear()
    packets?.reset()
    stream = startOfStream
  }

  /// Takes over changed settings.
  ///
  /// - Throws: 'op??' where a rate conversion has begun, or where the engine refuses them; then nothing changed.
  package func apply(_ changed: ConverterSettings) throws(AudioStatus) {
    if changed.hasSameEngine(as: settings), matrix(changed) == matrix(settings) {
      settings = changed
      return
    }
    guard !convertsRate || !hasConverted && !isFilling else { throw ConverterError.operationNotSupported }
    guard changed.effectivePrimeMethod != .pre || !convertsRate || wholeFrames != nil else {
      throw ConverterError.operationNotSupported
    }
    do {
      engine = try Self.makeEngine(from: input, to: output, settings: changed)
    } catch {
      throw ConverterError.operationNotSupported
    }
    settings = changed
    if convertsRate { stream = startOfStream }
  }

  /// The gains from the input's channels to the output's by some settings; nil: straight through.
  private func matrix(_ settings: ConverterSettings) -> ChannelMatrix? {
    settings.matrix(inputCount: input.stream.channelCount, outputCount: output.stream.channelCount)
  }

  private static func makeEngine(
    from input: ConverterFormat, to output: ConverterFormat, settings: ConverterSettings
  ) throws(AudioStatus) -> FormatConverter {
    var options = FormatConverter.Options(quality: settings.rateQuality, ditherSeed: settings.ditherSeed)
    options.channels =
      settings.matrix(inputCount: input.stream.channelCount, outputCount: output.stream.channelCount)
      ?? options.channels
    do {
      return try FormatConverter(
        from: input.stream, to: output.stream, maximumFrames: pieceFrames, options: options)
    } catch {
      throw ConverterError.formatNotSupported
    }
  }
}

// MARK: Priming

extension StreamConverter {
  /// The input frames that the filter needs beyond the one under an output frame; 0 without a rate conversion.
  package var trailingFrames: Int {
    guard convertsRate else { return 0 }
    let quality = settings.rateQuality
    if let readAhead, readAhead.quality == quality { return readAhead.frames }
    let single = try? RateConverter(
      from: input.stream.sampleRate, to: output.stream.sampleRate, channelCount: 1, quality: quality,
      maximumOutputFrames: 1)
    let frames = single?.readAheadFrames ?? 0
    readAhead = (quality, frames)
    return frames
  }

  /// The input frames that a client gives before its first when the filter is to be primed with its past; 0 without
  /// a rate conversion, and where it cannot be done.
  ///
  /// At least as many as the filter looks back on (it is symmetric), made up to a whole number of output frames, so
  /// that the first output frame lies exactly at the first input frame after them.
  package var leadingFrames: Int {
    guard settings.hasPrimeMethod, let wholeFrames else { return 0 }
    return (trailingFrames + wholeFrames.input - 1) / wholeFrames.input * wholeFrames.input
  }

  /// The shortest time that is a whole number of frames at both rates; nil where a rate is no whole number of hertz.
  fileprivate var wholeFrames: (input: Int, output: Int)? {
    guard convertsRate, var a = Int(exactly: input.stream.sampleRate), var b = Int(exactly: output.stream.sampleRate)
    else { return nil }
    let (inputRate, outputRate) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return (inputRate / a, outputRate / a)
  }

  /// The state at the beginning of a stream, by the method of priming.
  fileprivate var startOfStream: StreamState {
    var state = StreamState()
    guard convertsRate else { return state }
    switch settings.effectivePrimeMethod {
    case .normal: break
    case .none: state.silenceToPush = trailingFrames
    case .pre:
      guard let wholeFrames else { break }
      state.framesToDrop = leadingFrames / wholeFrames.input * wholeFrames.output
      if dropped == nil { dropped = StreamBuffer(format: output.stream, frameCapacity: Self.pieceFrames) }
    }
    state.leadingSilence = state.silenceToPush
    state.leadingDrop = state.framesToDrop
    return state
  }
}

/// The position of a stream through a converter.
package struct StreamState {
  /// Input frames of the client.
  package var received: Int64 = 0
  /// Output frames of a rate conversion, as the client counts them.
  package var produced: Int64 = 0
  /// Silence still to come before the client's first frame, in input frames, and how much it was.
  package var silenceToPush = 0
  package var leadingSilence = 0
  /// Output frames still to be dropped before the client's first, and how many they were.
  package var framesToDrop = 0
  package var leadingDrop = 0
  /// The proc said that there is no more; final until a reset.
  package var hasEnded = false

  /// Output frames of the whole stream, once it has ended.
  package func totalOutput(from inputRate: Double, to outputRate: Double) -> Int64 {
    guard received > 0 else { return 0 }
    let all = FrameCount.converted(received + Int64(leadingSilence), from: inputRate, to: outputRate)
    return max(0, all - Int64(leadingDrop))
  }
}
