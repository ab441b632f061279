// The input of a converter that decodes: packets from the client's procedure, and the frames made of them. Runs on the thread
// that fills. It allocates: codecs do.

import AudioCore
import CAudioToolbox
import PacketDecoding
import PacketFiles
import SoundFile

/// Packets of a codec on their way to frames.
package final class PacketInput {
  /// Bytes that a client may put into our memory.
  package static let roomBytes = 1 << 16
  /// Packets in a row without a frame, after which the input is taken for no sound.
  private static let mostFruitless = 1_024

  package let format: PacketFormat
  private let bytesPerFrame: Int
  /// The decoder's configuration, as files keep it. A new one counts from the next packet on.
  package var cookie: [UInt8] = [] {
    didSet { stream = nil }
  }
  /// Frames in front of the sound and behind it, as the client has set them: they are left out.
  package var trim = AudioConverterPrimeInfo(leadingFrames: 0, trailingFrames: 0)

  private var stream: PacketStream?
  /// Frames that are decoded, and not yet ready: the trailing ones may be among them.
  private var frames: [UInt8] = []
  private var skipped = 0
  /// Frames that the last packet lacks: an encoder may have ended it with the sound.
  private var lacking = 0
  /// The last error of a packet; nil: all were decoded.
  package private(set) var damage: AudioStatus?
  private var fruitless = 0
  /// The packets have ended, and all that the decoder held back has come.
  package private(set) var isDrained = false
  /// The memory of the frames that are ready.
  package private(set) var ready: UnsafeMutableRawPointer
  private var capacity = 1 << 16

  /// - Throws: 'fmt?' where the codec's decoder is not installed.
  package init(_ format: PacketFormat, bytesPerFrame: Int) throws(AudioStatus) {
    if let refusal = PacketStream.refusal(of: format) {
      Self.log(format, refusal)
      throw ConverterError.formatNotSupported
    }
    (self.format, self.bytesPerFrame) = (format, bytesPerFrame)
    ready = .allocate(byteCount: capacity, alignment: 64)
  }

  deinit { ready.deallocate() }

  /// Begins anew, also behind the end.
  package func reset() {
    stream?.restart()
    (skipped, lacking, fruitless, isDrained) = (0, 0, 0, false)
    frames.removeAll(keepingCapacity: true)
  }

  /// The packets to ask for, so that so many frames can come out.
  package func packets(for wanted: Int) -> Int {
    guard format.framesPerPacket > 0 else { return 1 }
    let packets = max(1, wanted / Int(format.framesPerPacket) + min(1, wanted % Int(format.framesPerPacket)))
    return min(packets, max(1, Self.roomBytes / max(1, Int(format.bytesPerPacket))))
  }

  /// The most bytes of a packet.
  package var mostBytes: Int {
    if format.bytesPerPacket > 0 { return Int(format.bytesPerPacket) }
    // 6144 bits a channel (ISO 13818-7); a frame of layer II at 384 kbit/s and 32 kHz; samples as they are, and a header.
    switch format.code {
    case "aac ", "aach", "aacp", "aacl", "aace": return 768 * Int(format.channelCount)
    case ".mp1", ".mp2", ".mp3": return 1_729
    default: return max(4_096, Int(format.framesPerPacket)) * Int(format.channelCount) * 4 + 64
    }
  }

  /// Decodes packets.
  /// - Returns: the frames that are ready now.
  ///
  /// - Parameter concealsDamage: a packet that cannot be decoded becomes silence, and ``damage`` says so.
  /// - Throws: 'insz' for packets that lie outside of the bytes, '!pkd' where their sizes differ and are not described,
  ///   'bada' for one that cannot be decoded, 'fmt?' where the decoder cannot be opened.
  package func decode(
    _ data: UnsafeRawBufferPointer, count: Int, _ descriptions: UnsafePointer<AudioStreamPacketDescription>?,
    concealsDamage: Bool = false
  ) throws(AudioStatus) -> Int {
    let fixed = Int(format.bytesPerPacket)
    guard fixed == 0 || data.count / fixed >= count || descriptions != nil else {
      throw ConverterError.invalidInputSize
    }
    guard fixed > 0 || descriptions != nil else { throw ConverterError.requiresPacketDescriptions }
    for index in 0..<count {
      var (start, size) = (index * fixed, fixed)
      if let description = descriptions?[index] {
        guard let first = Int(exactly: description.mStartOffset) else { throw ConverterError.invalidInputSize }
        (start, size) = (first, Int(description.mDataByteSize))
      }
      guard start >= 0, start <= data.count, size <= data.count - start else { throw ConverterError.invalidInputSize }
      try add(UnsafeRawBufferPointer(rebasing: data[start..<start + size]), concealsDamage)
    }
    return release()
  }

  private func add(_ packet: UnsafeRawBufferPointer, _ concealsDamage: Bool) throws(AudioStatus) {
    guard !packet.isEmpty else {
      // A packet that has nothing stands for silence.
      guard format.framesPerPacket > 0 else { throw ConverterError.invalidInputSize }
      addSilence()
      return
    }
    let before = frames.count
    guard try decoder().decode(packet, onto: &frames) else {
      damage = ConverterError.badData
      guard concealsDamage else { throw ConverterError.badData }
      frames.removeLast(frames.count - before)
      addSilence()
      return
    }
    let made = (frames.count - before) / bytesPerFrame
    lacking = made > 0 ? max(0, Int(clamping: format.framesPerPacket) - made) : 0
    fruitless = made > 0 ? 0 : fruitless + 1
    if fruitless > Self.mostFruitless { throw ConverterError.badData }
  }

  private func addSilence() {
    frames.append(contentsOf: repeatElement(0, count: Int(min(format.framesPerPacket, 1 << 16)) * bytesPerFrame))
  }

  private func decoder() throws(AudioStatus) -> PacketStream {
    if let stream { return stream }
    do throws(PacketDecoder.Refusal) {
      let opened = try PacketStream(format, cookie: cookie)
      stream = opened
      return opened
    } catch {
      Self.log(format, error)
      throw ConverterError.formatNotSupported
    }
  }

  private static func log(_ format: PacketFormat, _ refusal: PacketDecoder.Refusal) {
    RefusalLog.note("\(format.codecName) is not decoded: \(refusal.reason); \(refusal.advice)")
  }

  /// Takes what the decoder has held back behind the last packet.
  /// - Returns: the frames that are ready now.
  package func drain() -> Int {
    stream?.drain(onto: &frames)
    frames.removeLast(min(frames.count, max(0, Int(trim.trailingFrames) - lacking) * bytesPerFrame))
    let count = release(holding: 0)
    isDrained = true
    return count
  }

  private func release() -> Int { release(holding: Int(trim.trailingFrames)) }

  private func release(holding held: Int) -> Int {
    var first = 0
    if skipped < Int(trim.leadingFrames) {
      first = min(Int(trim.leadingFrames) - skipped, frames.count / bytesPerFrame)
      skipped += first
    }
    let count = max(0, frames.count / bytesPerFrame - first - held)
    let bytes = count * bytesPerFrame
    if bytes > capacity {
      ready.deallocate()
      capacity = bytes
      ready = .allocate(byteCount: capacity, alignment: 64)
    }
    frames.withUnsafeBytes { source in
      guard let base = source.baseAddress, bytes > 0 else { return }
      ready.copyMemory(from: base + first * bytesPerFrame, byteCount: bytes)
    }
    frames.removeFirst(first * bytesPerFrame + bytes)
    return count
  }
}
