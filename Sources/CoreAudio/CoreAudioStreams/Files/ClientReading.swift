// A file's sound in the client's format: decoded by SoundFile, converted by FormatConverter. One thread at a time.
//
// The stream has exactly round-half-up(file frames × client rate ÷ file rate) frames. After a seek it goes on bit for bit
// as one that was read from the beginning: at the client's frame nearest to the file's.

import AudioCore
import AudioEngine
import CAudioToolbox
import SoundFile

package final class ClientReading {
  package let clientFormat: StreamFormat
  private let reader: SoundFileReader
  private let converter: FormatConverter
  /// Decoded frames: Float, or Double where the file holds more than Float can.
  private let source: FramePlanes
  private let silence: StreamBuffer
  private let buffers: ClientBuffers
  /// The client's frame that the next read begins with, counted from the beginning of the file.
  private var next: Int64
  /// The place of the last seek: the file's frame, and the client's.
  private var sought: (frame: Int64, next: Int64)
  /// False until the reader stands where the converter needs it.
  private var isPlaced: Bool

  package static let pieceFrames = 4_096

  /// The format of frames from a file's decoder.
  package static func source(of reader: SoundFileReader) -> StreamFormat {
    let info = reader.info
    let isWide = info.encoding == .float64 || !info.isFloat && (info.sourceBits ?? 0) > 24
    return FramePlanes.format(sampleRate: info.sampleRate, channelCount: info.channelCount, isWide: isWide)
  }

  /// - Throws: −66566 for a rate or channel count that the engine cannot convert to.
  package init(
    _ reader: SoundFileReader, clientFormat: StreamFormat, options: FormatConverter.Options
  ) throws(AudioStatus) {
    self.reader = reader
    self.clientFormat = clientFormat
    source = FramePlanes(format: Self.source(of: reader), frameCapacity: Self.pieceFrames)
    var options = options
    // The decoder gives floats; those that are integers which the client has the bits for lose nothing.
    let info = reader.info
    let isMixed = options.channels.map { $0.map == nil } ?? false
    if !info.isFloat, let bits = info.sourceBits, bits <= clientFormat.encoding.bits, !isMixed,
      clientFormat.sampleRate == source.format.sampleRate
    {
      options.ditherSeed = nil
    }
    do throws(BenchError) {
      converter = try FormatConverter(
        from: source.format, to: clientFormat, maximumFrames: Self.pieceFrames, options: options)
    } catch { throw .extDataFormat }
    silence = StreamBuffer(format: source.format, frameCapacity: converter.isSynchronous ? 0 : 512)
    buffers = ClientBuffers(format: clientFormat)
    let place = reader.position
    next = FrameCount.converted(place, from: source.format.sampleRate, to: clientFormat.sampleRate)
    sought = (place, next)
    isPlaced = place == 0
  }

  /// The file's frame that the next read begins with.
  package var position: Int64 {
    if next == sought.next { return sought.frame }
    // The last frames of the file may be less than one of the client's.
    if next == total { return reader.info.frameCount }
    return min(
      reader.info.frameCount, FrameCount.converted(next, from: clientFormat.sampleRate, to: source.format.sampleRate))
  }

  /// Frames of the client in the whole file.
  private var total: Int64 {
    FrameCount.converted(reader.info.frameCount, from: source.format.sampleRate, to: clientFormat.sampleRate)
  }

  /// - Throws: the error of the file's bytes, 'dta?' if they cannot be decoded.
  package func seek(to frame: Int64) throws(AudioStatus) {
    next = min(total, FrameCount.converted(frame, from: source.format.sampleRate, to: clientFormat.sampleRate))
    sought = (frame, next)
    let (input, surplus) = converter.resume(atOutputFrame: next)
    do throws(BenchError) { try reader.seek(toFrame: min(input, reader.info.frameCount)) } catch { throw readError }
    isPlaced = true
    guard surplus > 0 else { return }
    // Nobody reads these.
    let dropped = StreamBuffer(format: clientFormat, frameCapacity: Self.pieceFrames)
    var left = surplus
    while left > 0 {
      let piece = Int(min(left, Int64(Self.pieceFrames)))
      try feed(converter.inputFramesNeeded(toProduce: piece))
      converter.pop(into: dropped.bus, frames: piece)
      left -= Int64(piece)
    }
  }

  /// Reads up to `frames` frames, as many as the list has room for, and sets its sizes to what was read.
  /// - Returns: 0 at the end of the file and only there.
  package func read(
    _ frames: Int, into data: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioStatus) -> Int {
    if !isPlaced { try seek(to: sought.frame) }
    let room = try buffers.attach(data)
    let left = Int(clamping: total - next)
    // Nothing read would be taken for the end.
    if room == 0 && frames > 0 && left > 0 { throw .parameterError }
    let wanted = min(frames, room, left)
    var done = 0
    defer { buffers.setFrames(done) }
    while done < wanted {
      let piece = min(Self.pieceFrames, wanted - done)
      if converter.isSynchronous {
        guard try fetch(piece) == piece else { throw readError }
        converter.convert(source.bus, to: buffers.bus, frames: piece)
      } else {
        try feed(converter.inputFramesNeeded(toProduce: piece))
        converter.pop(into: buffers.bus, frames: piece)
      }
      buffers.advance(piece)
      done += piece
      next += Int64(piece)
    }
    return done
  }

  /// Pushes frames of the file, and silence past its end.
  private func feed(_ frames: Int) throws(AudioStatus) {
    var needed = frames
    while needed > 0 {
      let got = try fetch(min(needed, Self.pieceFrames))
      if got > 0 {
        converter.push(source.bus, frames: got)
        needed -= got
      } else {
        let quiet = min(needed, silence.frameCapacity)
        converter.push(silence.bus, frames: quiet)
        needed -= quiet
      }
    }
  }

  private func fetch(_ frames: Int) throws(AudioStatus) -> Int {
    do throws(BenchError) { return try source.read(from: reader, frames: frames) } catch { throw readError }
  }

  private var readError: AudioStatus { reader.storageError.map { AudioStatus($0) } ?? .fileInvalid }
}

/// An encoding in the byte order of this machine.
package func nativeOrder(_ encoding: SampleEncoding) -> SampleEncoding {
  UInt16(1).bigEndian == 1 ? encoding.bigEndian : encoding
}
