import AVFAudioFiles
import AudioCore
import AudioEngine
import Foundation

/// A file being recorded: takes the microphone's frames of a ring, converts channels and rate where the file has others,
/// and writes. One thread at a time, not the hardware's within a cycle.
final class RecordingFile: @unchecked Sendable {
  private let lock = NSLock()
  private let file: AVAudioFile
  private var stage: Stage?
  private var failure: NSError?
  /// The microphone's channel for each of the file's; nil: the conventional ones.
  private let channels: [Int]?

  private static let pieceFrames: AVAudioFrameCount = 4096

  /// The way from a ring's frames to the file's.
  private struct Stage {
    let heard: PlanarBuffer
    let matrix: ChannelMatrix
    /// At the hardware's rate, in the file's channels.
    let mixed: AVAudioPCMBuffer
    /// Nil: the rates are equal.
    let converter: AVAudioConverter?
    let converted: AVAudioPCMBuffer
    let sampleRate: Double

    init?(from ring: MicrophoneRing, to format: AVAudioFormat, channels map: [Int]?) {
      let channels = Int(format.channelCount)
      let input = AVAudioFormat(
        StreamFormat(sampleRate: ring.sampleRate, channelCount: channels, isInterleaved: false),
        layout: format.channelLayout)
      guard let mixed = AVAudioPCMBuffer(pcmFormat: input, frameCapacity: RecordingFile.pieceFrames),
        let converted = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: RecordingFile.pieceFrames)
      else { return nil }
      sampleRate = ring.sampleRate
      heard = PlanarBuffer(channelCount: ring.channelCount, frameCapacity: Int(RecordingFile.pieceFrames))
      let assigned = map.flatMap { map in
        ChannelMatrix(
          map: map.map { (0..<ring.channelCount).contains($0) ? $0 : -1 }, inputCount: ring.channelCount)
      }
      matrix = assigned ?? .conventional(inputCount: ring.channelCount, outputCount: channels)
      self.mixed = mixed
      self.converted = converted
      converter = ring.sampleRate == format.sampleRate ? nil : AVAudioConverter(from: input, to: format)
      if ring.sampleRate != format.sampleRate, converter == nil { return nil }
    }
  }

  /// Begins a file, which appears under its name with ``finish()``.
  /// - Parameter channels: the microphone's channel for each of the file's; nil: mono goes to every channel, anything
  ///   into mono is the mean.
  /// - Throws: As `AVAudioFile.init(forWriting:settings:)`.
  init(_ url: URL, settings: [String: Any], channels: [Int]?) throws {
    file = try AVAudioFile(forWriting: url, settings: settings)
    self.channels = channels
  }

  private func alone(_ body: () throws -> Void) throws {
    lock.lock()
    defer { lock.unlock() }
    if let failure { throw failure }
    do { try body() } catch {
      let error = error as NSError
      failure = error
      throw error
    }
  }

  /// Writes what a ring has taken.
  /// - Throws: The error of a full disk, and what was thrown before: the file is gone.
  func take(_ ring: MicrophoneRing) throws {
    try alone {
      if stage?.sampleRate != ring.sampleRate || stage?.heard.channelCount != ring.channelCount {
        try flush()
        stage = Stage(from: ring, to: file.processingFormat, channels: channels)
      }
      guard let stage, let samples = stage.mixed.floatChannelData else {
        throw NSError(.formatNotSupported, "\(ring.sampleRate) Hz cannot be converted to \(file.processingFormat)")
      }
      let planes = FloatPlanes(
        UnsafeMutablePointer(mutating: samples), channelCount: Int(stage.mixed.format.channelCount),
        frameCount: Int(Self.pieceFrames))
      while true {
        let frames = ring.give(to: stage.heard.planes)
        guard frames > 0 else { return }
        stage.matrix.apply(from: stage.heard.planes, to: planes, frames: frames)
        stage.mixed.frameLength = AVAudioFrameCount(frames)
        guard stage.converter != nil else {
          try file.write(from: stage.mixed)
          continue
        }
        try convert(stage, isLast: false)
      }
    }
  }

  /// Writes all that a converter makes of its buffer, or of its rest.
  private func convert(_ stage: Stage, isLast: Bool) throws {
    guard let converter = stage.converter else { return }
    var isGiven = isLast
    while true {
      var error: NSError?
      let status = converter.convert(to: stage.converted, error: &error) { _, status in
        guard !isGiven else {
          status.pointee = isLast ? .endOfStream : .noDataNow
          return nil
        }
        isGiven = true
        status.pointee = .haveData
        return stage.mixed
      }
      if stage.converted.frameLength > 0 { try file.write(from: stage.converted) }
      switch status {
      case .haveData: continue
      case .inputRanDry, .endOfStream: return
      case .error: throw error ?? NSError(.formatNotSupported)
      }
    }
  }

  private func flush() throws {
    if let stage { try convert(stage, isLast: true) }
    stage = nil
  }

  /// Gives the file its name.
  /// - Throws: The error of the last bytes, and what was thrown before; there is no file then.
  func finish() throws {
    try alone {
      try flush()
      try file.finish()
    }
  }
}
