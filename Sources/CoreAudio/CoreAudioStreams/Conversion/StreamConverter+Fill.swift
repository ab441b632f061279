// Pulling: output is filled from what the client delivers. Runs on the thread that fills; allocates nothing.

import AudioCore
import AudioEngine
import CAudioToolbox

/// Delivers input: fills the buffer list with at most so many packets, or points it at packets of its own, of any number,
/// and says how many; of PCM and G.711 a packet is a frame. None, without an error, end the stream. Packets of a codec are
/// described by what the last argument is pointed at. Called without the converter's lock.
package typealias ConverterSource = (
  UnsafeMutablePointer<AudioBufferList>, inout Int, inout UnsafeMutablePointer<AudioStreamPacketDescription>?
) -> OSStatus

/// The result of a pull.
private enum Delivery {
  case frames
  case endOfStream
  case failed(OSStatus)
}

extension StreamConverter {
  /// Fills `capacity` frames of the client's buffers, which begin at ``outputBases``, as far as there is input.
  ///
  /// - 0 packets without an error end the stream: the rest in the filters is delivered, the proc is not called
  ///   again until a reset, and the whole output is as long as ``FrameCount/converted(_:from:to:)`` says.
  /// - An error of the proc comes back unchanged, with what could be produced before it; the next call asks again.
  ///   Packets that came with an error are not taken.
  /// - Returns: the frames written, and the status.
  package func fill(
    from source: ConverterSource, capacity: Int
  ) -> (frames: Int, status: OSStatus) {
    guard !isFilling else { return (0, ConverterError.operationNotSupported.rawValue) }
    isFilling = true
    defer { isFilling = false }
    return convertsRate
      ? resample(from: source, capacity: capacity)
      : passThrough(from: source, capacity: capacity)
  }

  /// Between equal rates: each output frame is one of input.
  private func passThrough(
    from source: ConverterSource, capacity: Int
  ) -> (frames: Int, status: OSStatus) {
    var done = 0
    while done < capacity {
      if pending.frames == 0 {
        if stream.hasEnded { break }
        switch pull(from: source, frames: capacity - done) {
        case .frames: continue
        case .endOfStream: break
        case .failed(let status): return (done, status)
        }
        continue
      }
      let frames = min(pending.frames, capacity - done, Self.pieceFrames)
      hasConverted = true
      convertPiece(from: pending.bus, into: place(frame: done, frames: frames), frames: frames)
      pending.consume(frames)
      done += frames
    }
    return (done, 0)
  }

  /// Between different rates: input goes in until the wanted output can come out.
  private func resample(
    from source: ConverterSource, capacity: Int
  ) -> (frames: Int, status: OSStatus) {
    var done = 0
    while done < capacity {
      let wanted = wantedFrames(capacity - done)
      if wanted == 0 { break }
      let needed = engine.inputFramesNeeded(toProduce: wanted)
      if needed == 0 {
        done += popPiece(frames: wanted, at: done)
      } else if stream.silenceToPush > 0 {
        stream.silenceToPush -= pushSilence(frames: min(needed, stream.silenceToPush))
      } else if pending.frames > 0 {
        pushPiece(frames: min(needed, pending.frames, Self.pieceFrames))
      } else if stream.hasEnded {
        _ = pushSilence(frames: needed)
      } else if case .failed(let status) = pull(from: source, frames: needed) {
        guard !isDisposed else { return (done, status) }
        return (popWhatIsReady(atMost: wanted, at: done, capacity: capacity), status)
      }
    }
    return (done, 0)
  }

  /// The frames to make next: those to be dropped and those for the client together, no more than a piece, and none
  /// past the end of the stream.
  private func wantedFrames(_ room: Int) -> Int {
    var wanted = room
    if stream.hasEnded {
      let total = stream.totalOutput(from: input.stream.sampleRate, to: output.stream.sampleRate)
      wanted = Int(min(Int64(room), total - stream.produced))
      if wanted <= 0 { return 0 }
    }
    return min(wanted + stream.framesToDrop, Self.pieceFrames)
  }

  /// Asks the proc once for at least so many frames.
  private func pull(from source: ConverterSource, frames: Int) -> Delivery {
    if let packets { return pull(packets, from: source, frames: frames) }
    var none: UnsafeMutablePointer<AudioStreamPacketDescription>?
    let asked = min(frames, pending.roomFrames)
    pending.offer(frames: asked)
    var frames = asked
    let status = lock.withoutLock { source(pending.list, &frames, &none) }
    if isDisposed { return .failed(kAudio_ParamError) }
    guard status == 0 else { return .failed(status) }
    if frames == 0 {
      stream.hasEnded = true
      return .endOfStream
    }
    do {
      try pending.accept(frames: frames)
    } catch {
      return .failed(error.rawValue)
    }
    return .frames
  }

  /// Asks the proc once for packets, and decodes them: fewer frames may come of them, or none yet.
  private func pull(_ packets: PacketInput, from source: ConverterSource, frames: Int) -> Delivery {
    func take(_ frames: Int) -> Delivery {
      pending.accept(decoded: frames, at: packets.ready)
      return .frames
    }
    guard !packets.isDrained else {
      stream.hasEnded = true
      return .endOfStream
    }
    pending.offerPackets()
    var count = packets.packets(for: frames)
    var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    let status = lock.withoutLock { source(pending.list, &count, &descriptions) }
    if isDisposed { return .failed(kAudio_ParamError) }
    guard status == 0 else { return .failed(status) }
    if count == 0 { return take(packets.drain()) }
    do throws(AudioStatus) {
      return take(try packets.decode(try pending.acceptedBytes(), count: count, descriptions))
    } catch {
      return .failed(error.rawValue)
    }
  }

  private func pushPiece(frames: Int) {
    hasConverted = true
    engine.push(decoded(pending.bus, frames: frames), frames: frames)
    pending.consume(frames)
    stream.received += Int64(frames)
  }

  /// Gives the engine at most so many frames of silence; returns how many.
  private func pushSilence(frames: Int) -> Int {
    guard let silence else { return 0 }
    let frames = min(frames, silence.frameCapacity)
    hasConverted = true
    engine.push(silence.bus, frames: frames)
    return frames
  }

  /// Pops at most so many frames, to be dropped or to the client; returns how many the client got.
  private func popPiece(frames: Int, at done: Int) -> Int {
    if stream.framesToDrop > 0, let dropped {
      let drop = min(frames, stream.framesToDrop)
      engine.pop(into: dropped.bus, frames: drop)
      stream.framesToDrop -= drop
      return 0
    }
    let place = place(frame: done, frames: frames)
    engine.pop(into: samplesToCode?.bus ?? place, frames: frames)
    encode(to: place, frames: frames)
    stream.produced += Int64(frames)
    return frames
  }

  /// Before an error goes back: all that the input so far allows. Returns the frames of the list that are filled.
  private func popWhatIsReady(
    atMost wanted: Int, at start: Int, capacity: Int
  ) -> Int {
    var done = start
    while done < capacity {
      var ready = 0
      var tooMany = min(wanted, wantedFrames(capacity - done)) + 1
      while tooMany - ready > 1 {
        let middle = (ready + tooMany) / 2
        if engine.inputFramesNeeded(toProduce: middle) == 0 { ready = middle } else { tooMany = middle }
      }
      if ready == 0 { break }
      let isDropping = stream.framesToDrop > 0
      done += popPiece(frames: ready, at: done)
      if !isDropping { break }
    }
    return done
  }
}
