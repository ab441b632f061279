import AudioCore
import CAudioToolbox
import Foundation

/// Packets of a codec, up to a capacity. No converter here fills or reads them yet: that is the documented error.
open class AVAudioCompressedBuffer: AVAudioBuffer, @unchecked Sendable {
  /// The packets that there is room for.
  public let packetCapacity: AVAudioPacketCount
  /// The packets that are valid; more than ``packetCapacity`` end the process.
  public var packetCount: AVAudioPacketCount = 0 {
    didSet {
      require(packetCount <= packetCapacity, "packetCount <= packetCapacity (\(packetCount) of \(packetCapacity))")
    }
  }
  /// The largest packet, in bytes.
  public let maximumPacketSize: Int
  /// The bytes that there is room for.
  public let byteCapacity: UInt32
  /// The bytes that are valid; more than ``byteCapacity`` end the process.
  public var byteLength: UInt32 = 0 {
    didSet {
      require(byteLength <= byteCapacity, "byteLength <= byteCapacity (\(byteLength) of \(byteCapacity))")
      setSizes(of: readable, byteLength)
    }
  }
  /// The packets' bytes, one behind another.
  public let data: UnsafeMutableRawPointer
  /// Place and size of each packet; nil for a codec whose packets are all of one size.
  public let packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?

  /// Room for so many packets of at most so many bytes. A format of PCM ends the process, as does one whose packets are
  /// larger than 32 bits count.
  public init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount, maximumPacketSize: Int) {
    require(format.stream == nil, "!isPCMFormat")
    let (bytes, overflows) = Int(packetCapacity).multipliedReportingOverflow(by: maximumPacketSize)
    require(maximumPacketSize >= 0 && !overflows && bytes <= Int(UInt32.max), "byteCapacity <= UINT32_MAX")
    self.packetCapacity = packetCapacity
    self.maximumPacketSize = maximumPacketSize
    byteCapacity = UInt32(bytes)
    guard let data = calloc(max(1, bytes), 1) else { fatalError("no memory for \(bytes) bytes of packets") }
    self.data = data
    let varies = format.streamDescription.pointee.mBytesPerPacket == 0
    packetDescriptions = varies ? .allocate(capacity: max(1, Int(packetCapacity))) : nil
    packetDescriptions?.initialize(repeating: AudioStreamPacketDescription(), count: max(1, Int(packetCapacity)))
    super.init(format: format, channels: format.channelCount, memory: [data])
    setSizes(of: writable, byteCapacity)
  }

  /// Room for so many packets of a codec whose packets are all of one size.
  public convenience init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount) {
    let bytes = Int(format.streamDescription.pointee.mBytesPerPacket)
    require(bytes > 0, "format.streamDescription.mBytesPerPacket > 0")
    self.init(format: format, packetCapacity: packetCapacity, maximumPacketSize: bytes)
  }

  /// A buffer of the same capacity with the same packets. No memory for it ends the process.
  public override func copy(with zone: NSZone? = nil) -> Any {
    let copy = AVAudioCompressedBuffer(
      format: format, packetCapacity: packetCapacity, maximumPacketSize: maximumPacketSize)
    (copy.packetCount, copy.byteLength) = (packetCount, byteLength)
    copy.data.copyMemory(from: data, byteCount: Int(byteCapacity))
    if let packetDescriptions {
      copy.packetDescriptions?.update(from: packetDescriptions, count: Int(packetCapacity))
    }
    return copy
  }

  deinit {
    free(data)
    packetDescriptions?.deallocate()
  }
}
