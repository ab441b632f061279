// A stream's description in an archive: its rate, and its other fields in their order.

import AudioCore
import CAudioToolbox
import Foundation

extension AudioStreamBasicDescription {
  /// Nil where the archive has none.
  init?(_ coder: NSCoder) {
    let list = coder.decodeObject(of: [NSArray.self, NSNumber.self], forKey: "description") as? [NSNumber]
    guard let fields = list?.map(\.uint32Value), fields.count == 7 else { return nil }
    self.init()
    mSampleRate = coder.decodeDouble(forKey: "sampleRate")
    (mFormatID, mFormatFlags, mBytesPerPacket, mFramesPerPacket) = (fields[0], fields[1], fields[2], fields[3])
    (mBytesPerFrame, mChannelsPerFrame, mBitsPerChannel) = (fields[4], fields[5], fields[6])
  }

  func encode(with coder: NSCoder) {
    coder.encode(mSampleRate, forKey: "sampleRate")
    let fields = [
      mFormatID, mFormatFlags, mBytesPerPacket, mFramesPerPacket, mBytesPerFrame, mChannelsPerFrame, mBitsPerChannel,
    ]
    coder.encode(fields.map { NSNumber(value: $0) } as NSArray, forKey: "description")
  }
}
