import AudioCore
import AudioToolbox
import BatchRender
import BuiltInUnits
import FoundationEssentials
import RenderGraph
import SoundFile
import TestSupport
import Testing

/// A window is the whole, cut: what is read from a frame on, through any interface, is what one sequential decode gives
/// there, bit for bit and from the first frame on.
///
/// WINDOWS is the number of windows; without it there are 200.
@Suite struct FileWindowTests {
  private static let windows = ProcessInfo.processInfo.environment["WINDOWS"].flatMap { Int($0) } ?? 200

  /// A file, and its sound as one sequential decode gives it.
  private struct Whole {
    let path: String
    let planes: [[Float]]
    let rate: Double
    var packets: [UInt8]?
    var converted: [Double: [[Float]]] = [:]
    var frames: Int { planes[0].count }
  }

  private enum Interface: CaseIterable { case reader, player, extended, converted, packets }

  @Test("random windows of each container and encoding, each through an interface that is drawn")
  func windows() throws {
    let folder = TemporaryFolder()
    var generator = SeededGenerator(seed: 43)
    func drawn(_ range: Range<Int>) -> Int { range.lowerBound + Int(generator.next() % UInt64(range.count)) }
    let formats = SoundFileFormat.allWritable.filter { format in
      format.container != .raw && (try? format.validate(sampleRate: 48_000, channelCount: 1)) != nil
    }
    var wholes: [SoundFileFormat: Whole] = [:]
    var tried: [Interface: Int] = [:]
    for window in 0..<Self.windows {
      let format = formats[window % formats.count]
      if wholes[format] == nil {
        let path = folder.file("\(wholes.count).\(format.container)")
        try encode(path, format, noise(1, frames: 12_000 + drawn(0..<5_000), seed: UInt64(window)))
        // Some containers cannot say every rate.
        let rate = try SoundFileReader(path: path).info.sampleRate
        wholes[format] = Whole(path: path, planes: try decode(path), rate: rate)
      }
      guard var whole = wholes[format] else { continue }
      let start = drawn(0..<whole.frames)
      let count = 1 + drawn(0..<min(3_000, whole.frames - start))
      // Containers that the C interface does not have are read by the others.
      let interface = Interface.allCases[drawn(0..<5)]
      let found: String? =
        switch interface {
        case .reader: try readerWindow(whole, start, count)
        case .player: try playerWindow(whole, start, count, loops: drawn(0..<3))
        case .extended: try extendedWindow(whole, start, count, rate: whole.rate)
        case .converted: try convertedWindow(&whole, start, count, rate: [44_100, 16_000, 96_000][drawn(0..<3)])
        case .packets: try packetWindow(&whole, start, count)
        }
      wholes[format] = whole
      guard let found else { continue }
      tried[interface, default: 0] += 1
      #expect(found == "", "\(format), \(count) frames from \(start) by \(interface): \(found)")
    }
    // Each interface has read some.
    for interface in Interface.allCases { #expect(tried[interface, default: 0] > Self.windows / 20, "\(interface)") }
  }

  /// The first difference, in words; empty: there is none.
  private func difference(_ actual: ArraySlice<Float>, _ expected: ArraySlice<Float>) -> String {
    guard actual.count == expected.count else { return "\(actual.count) frames in place of \(expected.count)" }
    let first = zip(actual, expected).enumerated().first { $1.0.bitPattern != $1.1.bitPattern }
    return first.map { "\($1.0) in place of \($1.1) at frame \($0)" } ?? ""
  }

  private func readerWindow(_ whole: Whole, _ start: Int, _ count: Int) throws -> String {
    let reader = try SoundFileReader(path: whole.path)
    // Somewhere else before.
    try reader.seek(toFrame: Int64((start + whole.frames / 2) % whole.frames))
    let buffer = PlanarBuffer(channelCount: 1, frameCapacity: count)
    _ = try reader.read(into: buffer.planes, frames: 1)
    try reader.seek(toFrame: Int64(start))
    let got = try reader.read(into: buffer.planes, frames: count)
    return difference(buffer.channel(0, got)[...], whole.planes[0][start..<start + count])
  }

  private func playerWindow(_ whole: Whole, _ start: Int, _ count: Int, loops: Int) throws -> String {
    let player = try FilePlayer(whole.path)
    player.region = Int64(start)..<Int64(start + count)
    player.loops = loops
    let graph = Graph(sampleRate: whole.rate)
    try graph.connect(try graph.add(player, as: "player"), to: try graph.add(GenericOutput(), as: "out"))
    let (channels, _) = try OfflineRenderer(graph).renderToMemory()
    let pass = whole.planes[0][start..<start + count]
    return difference(channels[0][...], ArraySlice(repeatElement(pass, count: loops + 1).joined()))
  }

  private func open(_ path: String, rate: Double) throws -> ExtAudioFileRef? {
    var file: ExtAudioFileRef?
    guard ExtAudioFileOpenURL(makeURL(path), &file) == 0, let file else { return nil }
    var client = pcm(.float32, rate: rate, channels: 1)
    try #require(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, 40, &client) == 0)
    return file
  }

  private func read(_ file: ExtAudioFileRef, _ count: Int) throws -> [Float] {
    let buffer = InterleavedBuffer(byteCount: 4 * count, channels: 1)
    var frames = UInt32(count)
    try #require(buffer.withList { ExtAudioFileRead(file, &frames, $0) }.0 == 0)
    return buffer.bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self).prefix(Int(frames))) }
  }

  private func extendedWindow(_ whole: Whole, _ start: Int, _ count: Int, rate: Double) throws -> String? {
    guard let file = try open(whole.path, rate: rate) else { return nil }
    defer { _ = ExtAudioFileDispose(file) }
    try #require(ExtAudioFileSeek(file, Int64(start)) == 0)
    return difference(try read(file, count)[...], whole.planes[0][start..<start + count])
  }

  private func convertedWindow(_ whole: inout Whole, _ start: Int, _ count: Int, rate: Double) throws -> String? {
    guard let file = try open(whole.path, rate: rate) else { return nil }
    defer { _ = ExtAudioFileDispose(file) }
    if whole.converted[rate] == nil {
      whole.converted[rate] = [try read(file, 2 * whole.frames + 1_000)]
    }
    // The client's frame nearest to the file's, half up.
    let first = Int(clamping: (Double(start) * rate / whole.rate + 0.5).rounded(.down))
    try #require(ExtAudioFileSeek(file, Int64(start)) == 0)
    var told = Int64(-1)
    try #require(ExtAudioFileTell(file, &told) == 0)
    guard told == Int64(start) else { return "tells \(told)" }
    let all = whole.converted[rate]?[0] ?? []
    return difference(try read(file, count)[...], all[first..<min(all.count, first + count)])
  }

  private func packetWindow(_ whole: inout Whole, _ start: Int, _ count: Int) throws -> String? {
    guard let file = openFile(whole.path).1 else { return nil }
    defer { _ = AudioFileClose(file) }
    var (packets, size) = (UInt64(0), UInt32(8))
    guard AudioFileGetProperty(file, kAudioFilePropertyAudioDataPacketCount, &size, &packets) == 0, packets > 0 else {
      return nil
    }
    let all = readPackets(file, count: UInt32(packets))
    guard all.status == 0 else { return nil }
    guard all.packets == packets else { return "\(all.packets) packets of \(packets)" }
    // One by one, as far as the window: the sizes tell where each begins.
    let isFixed = readPackets(file, count: 1).bytes.count * Int(packets) == all.bytes.count
    var offset = 0
    let first = start * Int(packets) / whole.frames
    let last = min(Int(packets), first + min(count, 40))
    for packet in 0..<last {
      let one = packet < first && isFixed ? nil : readPackets(file, from: Int64(packet), count: 1)
      guard let one else {
        offset += all.bytes.count / Int(packets)
        continue
      }
      guard one.status == 0, one.packets == 1 else { return "packet \(packet): \(one.status), \(one.packets)" }
      guard Array(all.bytes[offset..<offset + one.bytes.count]) == one.bytes else {
        return "packet \(packet) is another"
      }
      offset += one.bytes.count
    }
    return ""
  }
}

extension PlanarBuffer {
  fileprivate func channel(_ channel: Int, _ frames: Int) -> [Float] {
    let plane = self[channel]
    return (0..<frames).map { plane[$0] }
  }
}
