// Sound of codecs that no library of this process decodes: its packets go to the decoding program.

import AudioCore
import PacketDecoding
import PacketFiles

struct ForeignSound {
  let sound: OpenedSound

  /// Opens a track whose codec the decoding program takes.
  ///
  /// The first packets are decoded at once: only their samples say the rate and the channels of a layered codec.
  /// - Throws: `.input` where the program is not there, or takes neither the configuration nor the first packets.
  init(
    _ storage: any ByteStorage, _ file: PacketFile, _ track: PacketTrack, _ order: DecoderOrder, remarks: [String],
    path: String
  ) throws(BenchError) {
    guard let places = track.places, places.count > 0 else {
      throw ForeignCodec.error(track, file.container, path)
    }
    let decoder: ForeignDecoder
    do throws(PacketDecoder.Refusal) {
      decoder = try ForeignDecoder(PacketDecoder(order), storage, places)
    } catch {
      throw BenchError(
        .input, at: path, "holds \(track.format.codecName) in \(file.container.words), and \(error.reason)",
        advice: error.advice)
    }
    guard let form = decoder.form, StreamFormat.channelCountRange.contains(form.channelCount),
      StreamFormat.isSampleRate(form.sampleRate), form.sampleRate.remainder(dividingBy: track.format.sampleRate) == 0
    else {
      throw BenchError(
        .input, at: path, "its first packet of \(track.format.codecName) cannot be decoded",
        advice: "the file is damaged")
    }
    // A layered codec gives more frames a packet than its lowest layer has.
    let factor = max(1, Int64(clamping: form.sampleRate / track.format.sampleRate))
    let coded = (track.format.framesPerPacket > 0 ? track.codedFrames : track.durations.frameCount).scaled(factor)
    let first = min((track.trim?.priming ?? 0).scaled(factor), coded)
    let frames = min(track.trim.map { $0.valid.scaled(factor) } ?? coded, coded - first)
    let info = SoundFileInfo(
      path: path, frameCount: frames, sampleRate: form.sampleRate, channelCount: form.channelCount,
      container: file.container.ofFiles, encoding: track.format.code == "aac " ? .aac : nil,
      containerName: file.container.words, encodingName: track.format.codecName, isSeekable: true,
      metadata: SoundFileMetadata(named: file.texts), promisedFrames: nil, remarks: remarks,
      layout: form.channelCount <= 2 ? ChannelLayout(channelCount: form.channelCount) : nil)
    sound = OpenedSound(
      decoder: first == 0 && frames == coded ? decoder : TrimmedDecoder(decoder, frames: first..<first + frames),
      info: info)
  }
}

extension Int64 {
  fileprivate func scaled(_ factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}

/// Frames out of the decoding program, packet by packet from the first. It goes back to the beginning only: what a
/// packet gives depends on those before it.
final class ForeignDecoder: FrameDecoder {
  private let decoder: PacketDecoder
  private let storage: any ByteStorage
  private let places: PacketPlaces
  private var nextPacket: Int64 = 0
  private var isDrained = false
  private var values: [Float] = []
  /// The sample that comes next.
  private var start = 0
  private(set) var damage: String?
  /// The rate and the channels of the first frames; nil where nothing can be decoded.
  private(set) var form: (sampleRate: Double, channelCount: Int)?

  init(_ decoder: PacketDecoder, _ storage: any ByteStorage, _ places: PacketPlaces) {
    (self.decoder, self.storage, self.places) = (decoder, storage, places)
    _ = fill()
  }

  /// Decodes on until there are samples.
  /// - Returns: false at the end, and where no more can be decoded.
  private func fill() -> Bool {
    while start >= values.count {
      guard damage == nil, !isDrained else { return false }
      let samples: PacketDecoder.Samples?
      if nextPacket < places.count {
        guard let place = places.place(of: nextPacket),
          let bytes = storage.bytes(at: place.offset, count: Int(place.bytes))
        else { return fail("packet \(nextPacket + 1) is not in the file") }
        samples = decoder.decode(bytes)
        nextPacket += 1
      } else {
        samples = decoder.drain()
        isDrained = true
      }
      guard let samples else { return fail("packet \(nextPacket) of \(places.count) cannot be decoded") }
      guard samples.frameCount > 0 else { continue }
      if let form, form != (samples.sampleRate, samples.channelCount) {
        return fail(
          "packet \(nextPacket) has \(NumberText.short(samples.sampleRate)) Hz and \(samples.channelCount) ch in place of \(NumberText.short(form.sampleRate)) and \(form.channelCount)"
        )
      }
      form = (samples.sampleRate, samples.channelCount)
      (values, start) = (samples.values, 0)
    }
    return true
  }

  private func fail(_ words: String) -> Bool {
    damage = words
    return false
  }

  func fetch(_ count: Int, into block: UnsafeMutableRawPointer, wide: Bool) -> (frames: Int, encoding: SampleEncoding) {
    let encoding: SampleEncoding = wide ? .float64 : .float32
    guard count > 0, fill(), let channels = form?.channelCount else { return (0, encoding.native) }
    let frames = min(count, (values.count - start) / channels)
    for index in 0..<frames * channels {
      let value = values[start + index]
      if wide {
        block.storeBytes(of: Double(value), toByteOffset: index * 8, as: Double.self)
      } else {
        block.storeBytes(of: value, toByteOffset: index * 4, as: Float.self)
      }
    }
    start += frames * channels
    return (frames, encoding.native)
  }

  let jumps = false
  func jump(to frame: Int64) -> Bool { false }

  func rewind() -> Bool {
    guard decoder.openDecoder() == nil else { return false }
    (nextPacket, isDrained, values, start, damage) = (0, false, [], 0, nil)
    return true
  }
}
