/// The first difference of two renders in a bit or in length; nil if they are the same.
///
/// - Parameter bytesPerFrame: the size of a frame in one buffer.
public func firstDifference(_ a: [[UInt8]], _ b: [[UInt8]], bytesPerFrame: Int) -> String? {
  guard a.count == b.count else { return "\(a.count) buffers against \(b.count)" }
  for index in a.indices where a[index] != b[index] {
    guard a[index].count == b[index].count else { return "\(a[index].count) bytes against \(b[index].count)" }
    let byte = zip(a[index], b[index]).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? -1
    return "buffer \(index) differs from frame \(byte / bytesPerFrame) on"
  }
  return nil
}

/// The first difference of two signals in a bit or in length; nil if they are the same.
public func firstDifference(_ a: [[Float]], _ b: [[Float]]) -> String? {
  guard a.count == b.count else { return "\(a.count) channels against \(b.count)" }
  for channel in a.indices {
    guard a[channel].count == b[channel].count else {
      return "channel \(channel) has \(a[channel].count) frames against \(b[channel].count)"
    }
    for frame in a[channel].indices where a[channel][frame].bitPattern != b[channel][frame].bitPattern {
      return "channel \(channel) differs from frame \(frame) on: \(a[channel][frame]) against \(b[channel][frame])"
    }
  }
  return nil
}
