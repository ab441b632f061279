// The client's frames on their way into a file: converted by FormatConverter, then written as they lie in the file or
// given to its coder. One thread at a time.
//
// The file gets exactly round-half-up(client frames × file rate ÷ client rate) frames.

import AudioCore
import AudioEngine
import CAudioToolbox
import DSPKernels
import SoundFile

final class ClientWriting {
  let clientFormat: StreamFormat
  private let file: AudioFileObject
  private let converter: FormatConverter
  private let output: StreamBuffer
  private let buffers: ClientBuffers
  private var taken: Int64 = 0
  private var written: Int64 = 0
  /// Frames that the resampler still waits for, until it can give its next piece.
  private var nextPiece: Int

  static let pieceFrames = 4_096

  /// The format of samples on their way into a file.
  static func target(of file: AudioFileObject) -> StreamFormat? {
    if let encoder = file.encoder {
      return StreamFormat(
        sampleRate: file.sampleRate, channelCount: file.channelCount, encoding: encoder.inputEncoding,
        isInterleaved: true)
    }
    return file.plainFormat
  }

  /// - Throws: −66566 for a rate or channel count that the engine cannot convert from.
  init(
    _ file: AudioFileObject, clientFormat: StreamFormat, options: FormatConverter.Options
  ) throws(AudioStatus) {
    guard let target = Self.target(of: file) else { throw .extNonPCMClient }
    self.file = file
    self.clientFormat = clientFormat
    do throws(BenchError) {
      converter = try FormatConverter(
        from: clientFormat, to: target, maximumFrames: Self.pieceFrames, options: options)
    } catch { throw .extDataFormat }
    output = StreamBuffer(format: target, frameCapacity: Self.pieceFrames)
    buffers = ClientBuffers(format: clientFormat)
    nextPiece = 256
  }

  var hasBegun: Bool { taken > 0 }

  /// - Throws: −50 for a list of another shape or with too little in it; what the file gives as an error.
  func write(_ frames: Int, from data: UnsafePointer<AudioBufferList>) throws(AudioStatus) {
    let present = try buffers.attach(UnsafeMutablePointer(mutating: data))
    guard frames <= present else { throw .parameterError }
    try write(frames, from: buffers.bus) { buffers.advance($0) }
  }

  /// - Parameter advance: moves the bus on by so many frames.
  func write(_ frames: Int, from bus: BusBuffer, advance: (Int) -> Void) throws(AudioStatus) {
    var left = frames
    while left > 0 {
      var piece = min(left, Self.pieceFrames)
      if converter.isSynchronous {
        converter.convert(bus, to: output.bus, frames: piece)
        try put(piece)
      } else {
        let needed = converter.inputFramesNeeded(toProduce: nextPiece)
        piece = min(piece, needed)
        if piece > 0 { converter.push(bus, frames: piece) }
        if piece == needed {
          converter.pop(into: output.bus, frames: nextPiece)
          try put(nextPiece)
        }
      }
      advance(piece)
      left -= piece
      taken += Int64(piece)
    }
  }

  /// Gives the file what the resampler still holds. Called once, at the end.
  func finish() throws(AudioStatus) {
    guard !converter.isSynchronous, taken > 0 else { return }
    let silence = StreamBuffer(format: clientFormat, frameCapacity: 512)
    let total = FrameCount.converted(taken, from: clientFormat.sampleRate, to: output.format.sampleRate)
    while written < total {
      let piece = Int(min(Int64(nextPiece), total - written))
      var needed = converter.inputFramesNeeded(toProduce: piece)
      while needed > 0 {
        let quiet = min(needed, silence.frameCapacity)
        converter.push(silence.bus, frames: quiet)
        needed -= quiet
      }
      converter.pop(into: output.bus, frames: piece)
      try put(piece)
    }
  }

  private func put(_ frames: Int) throws(AudioStatus) {
    let memory = output.bus.buffers[0]
    let result: OSStatus = file.withLock {
      status { () throws(AudioStatus) in
        if let encoder = file.encoder {
          guard encoder.write(memory, frames: frames), file.defersSizeUpdates || encoder.updateHeader() else {
            throw encoder.storageError.map { AudioStatus($0) } ?? .fileUnspecified
          }
          return
        }
        var count = UInt32(frames * output.format.bytesPerFrame)
        try file.writeBytes(at: file.dataBytes, count: &count, from: memory)
      }
    }
    try ensureSuccess(result)
    written += Int64(frames)
  }
}
