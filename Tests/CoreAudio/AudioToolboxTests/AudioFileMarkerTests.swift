import AudioCore
import AudioToolbox
import CoreFoundation
import TestSupport
import Testing

/// Markers and regions by the lists of AudioFile.h, and by the bytes of the file.
@Suite struct AudioFileMarkerTests {
  private let positions = [0.0, 7, 333]
  private let names = ["first", "Zwölf", ""]

  /// A list of markers with names that the caller releases.
  private func list(_ positions: [Double], _ names: [String]) -> [UInt8] {
    var bytes = words([0, UInt32(positions.count)])
    for (position, name) in zip(positions, names) {
      bytes += marker(position, name)
    }
    return bytes
  }

  private func marker(_ position: Double, _ name: String) -> [UInt8] {
    withUnsafeBytes(of: position) { Array($0) } + pointer(name) + [UInt8](repeating: 0, count: 24)
  }

  private func words(_ words: [UInt32]) -> [UInt8] { words.flatMap { withUnsafeBytes(of: $0) { Array($0) } } }

  private func pointer(_ text: String) -> [UInt8] {
    let string = CFStringCreateWithCString(kCFAllocatorDefault, text, CFStringBuiltInEncodings.UTF8.rawValue)
    return withUnsafeBytes(of: string.map { Unmanaged.passRetained($0).toOpaque() }) { Array($0) }
  }

  private func text(_ bytes: [UInt8], _ place: Int) -> String {
    let pointer = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UnsafeRawPointer?.self) }
    guard let pointer else { return "null" }
    var characters = [CChar](repeating: 0, count: 200)
    let string = Unmanaged<CFString>.fromOpaque(pointer).takeRetainedValue()
    guard CFStringGetCString(string, &characters, 200, CFStringBuiltInEncodings.UTF8.rawValue) else { return "none" }
    return String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func number<T: BitwiseCopyable>(_ bytes: [UInt8], _ place: Int, _ type: T.Type) -> T {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: type) }
  }

  private func get(_ file: AudioFileID, _ id: AudioFilePropertyID) -> [UInt8] {
    var size: UInt32 = 0
    #expect(AudioFileGetPropertyInfo(file, id, &size, nil) == 0)
    var bytes = [UInt8](repeating: 0xAA, count: Int(size))
    #expect(AudioFileGetProperty(file, id, &size, &bytes) == 0)
    #expect(Int(size) == bytes.count)
    return bytes
  }

  @Test(arguments: [kAudioFileWAVEType, kAudioFileAIFFType, kAudioFileCAFType, kAudioFileRF64Type], [true, false])
  func markersComeBack(_ type: AudioFileTypeID, isFirst: Bool) throws {
    let folder = TemporaryFolder()
    let encoding: SampleEncoding = type == kAudioFileAIFFType ? .int16.bigEndian : .int16
    let file = try #require(createFile(folder.file("a"), type, pcm(encoding, channels: 1)).1)
    var packets: UInt32 = 400
    if !isFirst { #expect(AudioFileWritePackets(file, false, 800, nil, 0, &packets, noiseBytes(800)) == 0) }
    // Twice, so that the second list takes the place of the first.
    for wanted in [list([5], ["old"]), list(positions, names)] {
      #expect(AudioFileSetProperty(file, kAudioFilePropertyMarkerList, UInt32(wanted.count), wanted) == 0)
    }
    if isFirst { #expect(AudioFileWritePackets(file, false, 800, nil, 0, &packets, noiseBytes(800)) == 0) }
    #expect(AudioFileClose(file) == 0)
    if type == kAudioFileWAVEType {
      let whole = bytes(ofFile: folder.file("a"))
      let cue = try #require(whole.indices.last { whole[$0...].starts(with: "cue ".utf8) })
      #expect(number(whole, cue + 8, UInt32.self) == 3)
      #expect((0..<3).map { Double(number(whole, cue + 12 + 24 * $0 + 20, UInt32.self)) } == positions)
    }
    let again = try #require(openFile(folder.file("a")).1)
    let found = get(again, kAudioFilePropertyMarkerList)
    #expect(number(found, 4, UInt32.self) == 3 && found.count == 8 + 3 * 40)
    for index in 0..<min(3, (found.count - 8) / 40) {
      #expect(number(found, 8 + 40 * index, Double.self) == positions[index])
      #expect(text(found, 16 + 40 * index) == names[index])
      #expect(number(found, 24 + 40 * index, Int32.self) == Int32(index + 1))
    }
    #expect(get(again, kAudioFilePropertyRegionList) == [0, 0, 0, 0, 0, 0, 0, 0])
    #expect(readPackets(again, count: 400).bytes == noiseBytes(800))
    let one = list([1], ["x"])
    #expect(
      AudioFileSetProperty(again, kAudioFilePropertyMarkerList, UInt32(one.count), one) == kAudioFilePermissionsError)
    #expect(AudioFileClose(again) == 0)
  }

  @Test(arguments: [kAudioFileWAVEType, kAudioFileCAFType, kAudioFileAIFFType])
  func regionsComeBackBesideMarkers(_ type: AudioFileTypeID) throws {
    let folder = TemporaryFolder()
    let encoding: SampleEncoding = type == kAudioFileAIFFType ? .int16.bigEndian : .int16
    let file = try #require(createFile(folder.file("a"), type, pcm(encoding, channels: 1)).1)
    var packets: UInt32 = 400
    #expect(AudioFileWritePackets(file, false, 800, nil, 0, &packets, noiseBytes(800)) == 0)
    let points = list([9], ["point"])
    #expect(AudioFileSetProperty(file, kAudioFilePropertyMarkerList, UInt32(points.count), points) == 0)
    let head = words([1, 0]) + pointer("verse") + words([2, 2])
    let wanted = words([0, 1]) + head + marker(20, "") + marker(120, "")
    let status = AudioFileSetProperty(file, kAudioFilePropertyRegionList, UInt32(wanted.count), wanted)
    // AIFF has no lengths.
    #expect(status == (type == kAudioFileAIFFType ? kAudioFileOperationNotSupportedError : 0))
    // Sizes and numbers from outside.
    let wrong: [([UInt8], OSStatus)] = [
      (words([0, 2]) + marker(1, ""), kAudioFileBadPropertySizeError),
      (words([0, .max]), kAudioFileBadPropertySizeError),
      (words([0]), kAudioFileBadPropertySizeError), (words([0, 1]) + marker(.nan, ""), -50),
      (words([0, 1]) + marker(-1, ""), -50), (words([0, 1]) + marker(1e300, ""), -50),
    ]
    for (bytes, expected) in wrong {
      #expect(AudioFileSetProperty(file, kAudioFilePropertyMarkerList, UInt32(bytes.count), bytes) == expected)
    }
    #expect(AudioFileClose(file) == 0)
    let again = try #require(openFile(folder.file("a")).1)
    let found = get(again, kAudioFilePropertyMarkerList)
    #expect(number(found, 4, UInt32.self) == 1 && number(found, 8, Double.self) == 9 && text(found, 16) == "point")
    let regions = get(again, kAudioFilePropertyRegionList)
    if type != kAudioFileAIFFType {
      #expect(regions.count == 8 + 24 + 80 && number(regions, 4, UInt32.self) == 1)
      #expect(text(regions, 16) == "verse" && number(regions, 28, UInt32.self) == 2)
      #expect(number(regions, 32, Double.self) == 20 && number(regions, 72, Double.self) == 120)
    }
    #expect(AudioFileClose(again) == 0)
  }
}
