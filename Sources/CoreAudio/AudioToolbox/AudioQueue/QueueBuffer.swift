import AudioCore
import CAudioToolbox
import Glibc

/// The memory behind an AudioQueueBufferRef.
final class QueueBuffer: @unchecked Sendable {
  let reference: AudioQueueBufferRef
  let capacity: Int
  let descriptionCapacity: Int
  private let data: UnsafeMutableRawPointer
  private let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  /// The item of the line that stands for it.
  var item: QueueLine.Item?

  /// Nil where there is no memory.
  init?(bytes: UInt32, descriptions count: UInt32) {
    capacity = Int(bytes)
    descriptionCapacity = Int(count)
    guard let data = calloc(max(1, capacity), 1) else { return nil }
    self.data = data
    if count > 0 {
      guard let memory = calloc(Int(count), MemoryLayout<AudioStreamPacketDescription>.stride) else {
        free(data)
        return nil
      }
      descriptions = memory.bindMemory(to: AudioStreamPacketDescription.self, capacity: Int(count))
    } else {
      descriptions = nil
    }
    reference = .allocate(capacity: 1)
    reference.initialize(
      to: AudioQueueBuffer(
        mAudioDataBytesCapacity: bytes, mAudioData: data, mAudioDataByteSize: 0, mUserData: nil,
        mPacketDescriptionCapacity: count, mPacketDescriptions: descriptions, mPacketDescriptionCount: 0))
  }

  deinit {
    reference.deallocate()
    free(descriptions)
    free(data)
  }

  /// A buffer is known by its address.
  var address: UInt { UInt(bitPattern: reference) }
  /// The descriptions of packets that the program has put into it; nil where it has put none.
  var packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>? {
    let count = Int(reference.pointee.mPacketDescriptionCount)
    guard let descriptions, count > 0, count <= descriptionCapacity else { return nil }
    return UnsafeBufferPointer(start: descriptions, count: count)
  }
  /// The memory for sound: whatever the program may have written over the structure.
  var memory: UnsafeMutableRawPointer { data }
}
