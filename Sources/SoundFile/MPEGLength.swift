// Whether an MP3 file says how long it is. Without its first frame's tag libsndfile guesses from the bit rate: too
// many frames, or half of them where the rate varies. Such a file is decoded once to be counted.

enum MPEGLength {
  /// True where the first frame carries a length: "Xing" or "Info" (LAME and most others), "VBRI" (Fraunhofer).
  static func isStated(_ storage: any ByteStorage) -> Bool {
    guard let start = storage.bytes(at: 0, count: 10) else { return false }
    var offset = 0
    if start.starts(with: "ID3".utf8) {
      // Four times seven bits, the header's ten bytes not counted.
      offset = 10 + start[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }
    let got = Int(min(2_048, storage.length - Int64(offset)))
    guard got > 4, let frame = storage.bytes(at: Int64(offset), count: got) else { return false }
    let names = ["Xing", "Info", "VBRI"].map { Array($0.utf8) }
    return (0..<got - 3).contains { names.contains(Array(frame[$0..<$0 + 4])) }
  }
}
