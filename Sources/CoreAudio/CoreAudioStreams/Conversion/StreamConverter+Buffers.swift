// Whole buffers at equal rates, and the steps that pulling shares with them: codes to samples and back, places in the
// client's buffers. Runs on the thread that converts; allocates nothing.

import AudioCore
import AudioEngine
import CAudioToolbox

extension StreamConverter {
  /// Converts frames between buffer lists.
  ///
  /// - Throws: -50 where a list has not the buffers of its format; 'insz' and 'otsz' where buffers are no whole number
  ///   of frames or hold fewer than `frames`.
  package func convertLists(
    from source: UnsafePointer<AudioBufferList>, to destination: UnsafeMutablePointer<AudioBufferList>, frames: Int
  ) throws(AudioStatus) {
    let sources = input.bufferCount
    // Not the converter's own pointers: this may be called from inside the proc of a fill.
    let error = withUnsafeTemporaryAllocation(
      of: UnsafeMutableRawPointer.self, capacity: sources + output.bufferCount
    ) { pointers -> AudioStatus? in
      guard let from = pointers.baseAddress else { return .memoryFull }
      let to = from + sources
      do throws(AudioStatus) {
        guard try input.addresses(of: source, into: from, orThrow: ConverterError.invalidInputSize) >= frames else {
          return ConverterError.invalidInputSize
        }
        guard
          try output.addresses(of: destination, into: to, orThrow: ConverterError.invalidOutputSize) >= frames
        else { return ConverterError.invalidOutputSize }
      } catch {
        return error
      }
      convertAll(
        from: BusBuffer(buffers: from, count: sources, frames: frames),
        to: BusBuffer(buffers: to, count: output.bufferCount, frames: frames), frames: frames)
      return nil
    }
    if let error { throw error }
    setByteSizes(of: destination, frames * output.bytesPerFrame, count: output.bufferCount)
  }

  /// Converts frames that lie in the client's memory to the client's memory, piece by piece.
  ///
  /// - Precondition: no rate conversion; the pointers have a buffer per buffer of their format.
  package func convertAll(from source: BusBuffer, to destination: BusBuffer, frames: Int) {
    var done = 0
    while done < frames {
      let piece = min(frames - done, Self.pieceFrames)
      convertPiece(from: source, into: destination, frames: piece)
      source.advance(by: piece * input.bytesPerFrame)
      destination.advance(by: piece * output.bytesPerFrame)
      done += piece
    }
  }

  /// Converts at most a piece.
  package func convertPiece(from source: BusBuffer, into place: BusBuffer, frames: Int) {
    engine.convert(decoded(source, frames: frames), to: samplesToCode?.bus ?? place, frames: frames)
    encode(to: place, frames: frames)
  }

  /// The engine's input: the frames themselves, or the samples of the codes.
  package func decoded(_ source: BusBuffer, frames: Int) -> BusBuffer {
    guard let code = input.code, let decodedCodes else { return source }
    code.decode(source.buffers[0], count: frames * input.bytesPerFrame, to: decodedCodes.bus.buffers[0])
    return decodedCodes.bus
  }

  /// Encodes the samples that the engine wrote, if the output is a code.
  package func encode(to place: BusBuffer, frames: Int) {
    guard let code = output.code, let samplesToCode else { return }
    code.encode(samplesToCode.bus.buffers[0], count: frames * output.bytesPerFrame, to: place.buffers[0])
  }

  /// Some frames of the client's output buffers, from `frame` on.
  package func place(frame: Int, frames: Int) -> BusBuffer {
    for index in 0..<output.bufferCount {
      outputPointers[index] = outputBases[index] + frame * output.bytesPerFrame
    }
    return BusBuffer(buffers: outputPointers, count: output.bufferCount, frames: frames)
  }
}

extension ConverterFormat {
  /// Looks over the client's buffers: notes where each begins, and finds the frames that all of them have room for.
  ///
  /// - Parameter wanted: the frames to be written, where the buffers may have bytes to spare behind them: programs hand
  ///   in buffers of a round size.
  /// - Throws: -50 where the list has not the buffers of this format or one has no memory; `error` where one is no
  ///   whole number of frames.
  package func addresses(
    of list: UnsafePointer<AudioBufferList>, into bases: UnsafeMutablePointer<UnsafeMutableRawPointer>,
    wanted: Int? = nil, orThrow error: AudioStatus
  ) throws(AudioStatus) -> Int {
    guard list.pointee.mNumberBuffers == UInt32(bufferCount) else { throw .parameterError }
    let buffers = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list)).buffers
    var frames = Int.max
    for index in 0..<bufferCount {
      guard let data = buffers[index].mData else { throw .parameterError }
      let bytes = Int(buffers[index].mDataByteSize)
      let holdsAll = wanted.map { bytes / bytesPerFrame >= $0 } ?? false
      guard holdsAll || bytes % bytesPerFrame == 0 else { throw error }
      bases[index] = data
      frames = min(frames, bytes / bytesPerFrame)
    }
    return frames
  }
}

extension BusBuffer {
  /// Moves every buffer on.
  package func advance(by bytes: Int) {
    for index in 0..<count { buffers[index] += bytes }
  }
}

/// Says how many bytes were written to each of the first `count` buffers of a list.
package func setByteSizes(of list: UnsafeMutablePointer<AudioBufferList>, _ bytes: Int, count: Int) {
  let buffers = UnsafeMutableAudioBufferListPointer(list)
  for index in 0..<min(count, buffers.count) { buffers.buffers[index].mDataByteSize = UInt32(bytes) }
}
