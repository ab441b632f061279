import AudioCore
import TestSupport
import Testing

/// Layouts against the tables of the documents that define them.
@Suite struct ChannelLayoutTests {
  @Test("a mask of WAVE names its loudspeakers from the lowest bit up, and comes back")
  func masks() throws {
    var tried = 0
    for mask in UInt32(1)..<(1 << 18) where mask % 61 == 0 || mask.nonzeroBitCount <= 3 {
      let layout = try #require(ChannelLayout(waveMask: mask, channelCount: mask.nonzeroBitCount))
      let places = try #require(layout.wavePlaces)
      let labels = (UInt32(0)..<18).filter { mask & (1 << $0) != 0 }.map { $0 + 1 }
      guard layout.labels == labels, places.mask == mask, places.order.elementsEqual(labels.indices) else {
        Issue.record("\(mask): \(layout.labels), \(places)")
        return
      }
      tried += 1
    }
    #expect(tried > 4_000)
    // More channels than loudspeakers have no position; bits that name none are left out.
    #expect(ChannelLayout(waveMask: 3, channelCount: 4)?.labels == [1, 2, 0xFFFF_FFFF, 0xFFFF_FFFF])
    #expect(ChannelLayout(waveMask: 3, channelCount: 4)?.wavePlaces?.mask == 3)
    #expect(ChannelLayout(waveMask: 0x63F, channelCount: 6)?.labels == [1, 2, 3, 4, 5, 6])
    #expect(ChannelLayout(waveMask: 0, channelCount: 6) == nil)
    #expect(ChannelLayout(waveMask: 0x8000_0000, channelCount: 1) == nil)
  }

  /// Masks as FFmpeg prints them for its names (`ffmpeg -layouts`).
  @Test(
    arguments: [
      ("mono", 0x4), ("stereo", 0x3), ("2.1", 0xB), ("3.0", 0x7), ("3.0(back)", 0x103), ("4.0", 0x107), ("quad", 0x33),
      ("quad(side)", 0x603), ("3.1", 0xF), ("5.0", 0x37), ("5.0(side)", 0x607), ("4.1", 0x10F), ("5.1", 0x3F),
      ("5.1(side)", 0x60F), ("6.0", 0x707), ("6.0(front)", 0x6C3), ("hexagonal", 0x137), ("6.1", 0x70F),
      ("6.1(back)", 0x13F), ("6.1(front)", 0x6CB), ("7.0", 0x637), ("7.0(front)", 0x6C7), ("7.1", 0x63F),
      ("7.1(wide)", 0xFF), ("7.1(wide-side)", 0x6CF), ("octagonal", 0x737),
    ] as [(String, UInt32)])
  func names(name: String, mask: UInt32) throws {
    let layout = try ChannelLayout(name: name)
    #expect(layout.wavePlaces?.mask == mask)
    #expect(layout.name == name)
    #expect(try ChannelLayout(name: "0x" + String(mask, radix: 16)).isSame(as: layout))
    #expect(try ChannelLayout(name: " \(name.uppercased()) ").isSame(as: layout))
  }

  @Test("channels can be listed, and names that are none get those that are like them")
  func lists() throws {
    #expect(try ChannelLayout(name: "L,R,C,LFE").name == "3.1")
    #expect(try ChannelLayout(name: "FL+FR+FC+LFE+SL+SR").name == "5.1(side)")
    #expect(try ChannelLayout(name: "C L R Ls Rs LFE").description == "5.1 as C L R Ls Rs LFE")
    #expect(try ChannelLayout(name: "0x007C0006").description == "5.1 as C L R Ls Rs LFE")
    for (name, near) in [("5.2", "5.1"), ("quadd", "quad"), ("sterio", "stereo"), ("7.1(wid)", "7.1(wide)")] {
      let error = #expect(throws: BenchError.self) { try ChannelLayout(name: name) }
      #expect(error?.advice?.contains(near) == true, "\(name): \(error?.advice ?? "")")
    }
    for name in ["", "L,L", "0x", "0x0", "0x12345678", ",,", "L,Q", String(repeating: "L,", count: 9_999)] {
      #expect(throws: BenchError.self) { try ChannelLayout(name: name) }
    }
  }

  /// The orders of CoreAudioBaseTypes.h, whose tags say them.
  @Test("the same loudspeakers have one mask, whatever their order and labels")
  func orders() throws {
    let tags: [(UInt32, UInt32, [Int])] = [
      (0x0079_0006, 0x3F, [0, 1, 2, 3, 4, 5]), (0x007A_0006, 0x3F, [0, 1, 4, 5, 2, 3]),
      (0x007B_0006, 0x3F, [0, 2, 1, 5, 3, 4]), (0x007C_0006, 0x3F, [1, 2, 0, 5, 3, 4]),
      // 7.1 with sides and rears: these are the bits 4 and 5 of WAVE.
      (0x0080_0008, 0x63F, [0, 1, 2, 3, 6, 7, 4, 5]), (0x00BD_0008, 0x63F, [0, 1, 2, 3, 4, 5, 6, 7]),
      (0x00BB_0006, 0x3F, [0, 1, 2, 3, 4, 5]), (0x0085_0003, 0xB, [0, 1, 2]),
    ]
    for (tag, mask, order) in tags {
      let layout = try #require(ChannelNumbers.labels(ofTag: tag).flatMap(ChannelLayout.init(labels:)))
      let places = try #require(layout.wavePlaces)
      #expect(places.mask == mask && places.order == order, "\(String(tag, radix: 16)): \(places)")
      #expect(ChannelLayout(chunk: layout.chunk) == layout)
    }
  }

  @Test("chunks: tag, bitmap and descriptions; what contradicts itself is none")
  func chunks() throws {
    func words(_ words: UInt32...) -> [UInt8] {
      words.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }
    #expect(ChannelLayout(chunk: words(0x0088_0004, 0, 0))?.labels == [1, 2, 3, 4])
    #expect(ChannelLayout(chunk: words(0x0001_0000, 0x60F, 0))?.labels == [1, 2, 3, 4, 10, 11])
    #expect(ChannelLayout(chunk: words(0, 0, 2, 4, 0, 0, 0, 0, 3, 0, 0, 0, 0))?.labels == [4, 3])
    for bytes in [
      [], words(0), words(0, 0, 1), words(0, 0, 0xFFFF_FFFF, 1, 0, 0, 0, 0), words(0x0001_0000, 0, 0),
      words(0x0093_0006, 0, 0), words(0xFFFF_FFFF, 0, 0), words(0x1234_0006, 0, 0), words(0x00BE_FFFF, 0, 0),
    ] { #expect(ChannelLayout(chunk: bytes) == nil) }
    let own = try ChannelLayout(name: "LFE,C,Lw")
    #expect(own.chunk == words(0, 0, 3, 4, 0, 0, 0, 0, 3, 0, 0, 0, 0, 35, 0, 0, 0, 0))
    #expect(ChannelLayout(chunk: own.chunk) == own)
  }

  /// ITU-R BS.1770-4, table 4: 1.41 from 60° to 120° to either side, 1 elsewhere; low frequency effects do not count.
  @Test(
    arguments: [
      ("3.1", [1, 1, 1, 0]), ("2.1", [1, 1, 0]), ("4.0", [1, 1, 1, 1]), ("quad", [1, 1, 1.41, 1.41]),
      ("5.1", [1, 1, 1, 0, 1.41, 1.41]), ("5.1(side)", [1, 1, 1, 0, 1.41, 1.41]),
      ("6.1", [1, 1, 1, 0, 1, 1.41, 1.41]), ("7.1", [1, 1, 1, 0, 1, 1, 1.41, 1.41]),
      ("7.1(wide)", [1, 1, 1, 0, 1.41, 1.41, 1, 1]), ("5.1.2", [1, 1, 1, 0, 1.41, 1.41, 1, 1]),
      ("C,L,R,Ls,Rs,LFE", [1, 1, 1, 1.41, 1.41, 0]), ("L,R,C,LFE,Ls,Rs,Rls,Rrs", [1, 1, 1, 0, 1.41, 1.41, 1, 1]),
    ] as [(String, [Double])])
  func weights(name: String, weights: [Double]) throws {
    #expect(try ChannelLayout(name: name).loudnessWeights == weights)
  }

  /// ITU-R BS.775-3, annex 4, table 2: 3/2 to two and to one channel.
  @Test("downmix by BS.775, with the effects at a gain of their own")
  func downmix() throws {
    let half = Float(0.5.squareRoot())
    let surround = try ChannelLayout(name: "5.1").positions
    let stereo = ChannelMixing.matrix(from: surround, to: [1, 2])
    #expect(stereo == [1, 0, 0, 1, half, half, 0, 0, half, 0, 0, half])
    #expect(ChannelMixing.matrix(from: surround, to: [3]).map { Double($0) } ~~ [0.7071, 0.7071, 1, 0, 0.5, 0.5])
    let audible = ChannelMixing.matrix(from: surround, to: [1, 2], effects: 0.5)
    #expect(Array(audible[6..<8]).map { Double($0) } ~~ [0.35355, 0.35355])
    #expect(ChannelMixing.matrix(from: surround, to: [3], effects: 0.5)[3] == 0.5)
    // An output with effects of its own gets them as they are.
    #expect(ChannelMixing.matrix(from: surround, to: [1, 2, 4], effects: 0.5)[11] == 1)
  }
}

infix operator ~~
private func ~~ (values: [Double], others: [Double]) -> Bool {
  values.count == others.count && zip(values, others).allSatisfy { abs($0 - $1) < 1e-4 }
}
