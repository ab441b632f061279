// Whether an MP3 file says how long it is. Without its first frame's tag libsndfile guesses from the bit rate: too
// many frames, or half of them where the rate varies. Such a file is decoded once to be counted.

import Glibc

enum MPEGLength {
  /// True where the first frame carries a length: "Xing" or "Info" (LAME and most others), "VBRI" (Fraunhofer).
  static func isStated(_ descriptor: Int32) -> Bool {
    var start = [UInt8](repeating: 0, count: 10)
    guard pread(descriptor, &start, 10, 0) == 10 else { return false }
    var offset = 0
    if start.starts(with: "ID3".utf8) {
      // Four times seven bits, the header's ten bytes not counted.
      offset = 10 + start[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }
    var frame = [UInt8](repeating: 0, count: 2_048)
    let got = pread(descriptor, &frame, frame.count, off_t(offset))
    guard got > 4 else { return false }
    let names = ["Xing", "Info", "VBRI"].map { Array($0.utf8) }
    return (0..<got - 3).contains { names.contains(Array(frame[$0..<$0 + 4])) }
  }
}
