import AudioCore
import Foundation
import SoundFile
import TestSupport
import Testing

/// m4a files: of the length and at the place that was asked for, by this project's reader and by FFmpeg's.
@Suite("AAC and Apple Lossless in m4a") struct MPEG4WritingTests {
  private let folder = TemporaryFolder()

  /// FFmpeg's samples of a file, interleaved; nil where it is not installed.
  private static func ffmpeg(_ path: String) throws -> [Float]? {
    let program = "/usr/bin/ffmpeg"
    guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["-v", "error", "-i", path, "-f", "f32le", "-"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return data.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }

  @Test("Apple Lossless comes back sample for sample", arguments: [1, 2, 6], [1, 4_095, 4_096, 4_097, 50_001])
  func lossless(_ channels: Int, _ frames: Int) throws {
    let path = folder.file("a.m4a")
    let format = SoundFileFormat(container: .m4a, encoding: .alac16)
    var generator = SeededGenerator(seed: UInt64(channels * frames))
    let sound = (0..<channels).map { _ in
      generator.noise(frames: frames).map { ($0 * 32_768).rounded() / 32_768 }
    }
    let report = try writeFile(path, format, sound, rate: 44_100)
    #expect(report.frames == Int64(frames) && report.bytes == Int64(bytes(ofFile: path).count))
    #expect(folder.names == ["a.m4a"])
    let info = try SoundFileReader(path: path).info
    #expect(info.frameCount == Int64(frames) && info.container == .m4a && info.encoding == .alac16)
    #expect(info.remarks == [] && info.sampleRate == 44_100)
    let read = try readFile(path)
    #expect(read == sound)
    // FFmpeg 5.1 refuses an edit of one frame.
    guard frames > 1, let foreign = try Self.ffmpeg(path) else { return }
    #expect(foreign.count == frames * channels)
    // FFmpeg gives six channels in the order of WAVE.
    if channels <= 2 {
      #expect(foreign == (0..<frames).flatMap { frame in sound.map { $0[frame] } })
    }
  }

  /// A sound whose place can be found: tones that begin and end.
  private static func bursts(_ channels: Int, frames: Int, rate: Double) -> [[Float]] {
    (0..<channels).map { channel in
      (0..<frames).map { frame in
        let hertz = 300.0 * Double(channel + 1) + Double(frame) / Double(max(1, frames)) * 500
        let isOn = frame / max(1, frames / 7) % 2 == 0
        return isOn ? Float(0.4 * sin(2 * .pi * hertz * Double(frame) / rate)) : 0
      }
    }
  }

  /// Decibels of the sound over the difference.
  private static func fidelity(_ heard: [Float], _ sound: [Float]) -> Double {
    var (signal, error) = (0.0, 1e-12)
    for index in sound.indices {
      signal += Double(sound[index]) * Double(sound[index])
      error += pow(Double(heard[index]) - Double(sound[index]), 2)
    }
    return 10 * log10(signal / error)
  }

  @Test(
    "AAC is as long as the sound, and lies where it lay", .enabled(if: SoundFileFormat(container: .m4a).isWritable),
    arguments: [(1, 44_100.0), (2, 48_000), (2, 16_000), (1, 8_000)], [1, 1_023, 1_024, 20_000, 44_101])
  func lossy(_ form: (channels: Int, rate: Double), _ frames: Int) throws {
    let path = folder.file("a.m4a")
    let sound = Self.bursts(form.channels, frames: frames, rate: form.rate)
    let report = try writeFile(path, SoundFileFormat(container: .m4a), sound, rate: form.rate)
    #expect(report.frames == Int64(frames) && report.encoding == .aac && folder.names == ["a.m4a"])
    let info = try SoundFileReader(path: path).info
    #expect(info.frameCount == Int64(frames) && info.channelCount == form.channels && info.sampleRate == form.rate)
    #expect(info.container == .m4a && info.encoding == .aac && info.remarks == [])
    let read = try readFile(path)
    #expect(read.allSatisfy { $0.count == frames })
    guard frames >= 20_000 else { return }
    for (heard, original) in zip(read, sound) {
      #expect(Self.fidelity(heard, original) > 15, "\(form) \(frames): \(Self.fidelity(heard, original))")
    }
    guard let foreign = try Self.ffmpeg(path) else { return }
    // FFmpeg's own program ends with the last packet where a player ends with the edit.
    #expect(foreign.count >= frames * form.channels && foreign.count < (frames + 1_024) * form.channels)
    let first = (0..<frames).map { foreign[$0 * form.channels] }
    #expect(Self.fidelity(first, sound[0]) > 15)
  }

  @Test(
    "a bit rate is kept within a tenth", .enabled(if: SoundFileFormat(container: .m4a).isWritable),
    arguments: [32, 96, 192, 320])
  func bitRate(_ kilobits: Int) throws {
    var generator = SeededGenerator(seed: 4)
    let sound = (0..<2).map { _ in generator.noise(frames: 441_000, amplitude: 0.3) }
    let report = try writeFile(
      folder.file("a.m4a"), SoundFileFormat(container: .m4a), sound, rate: 44_100,
      options: SoundFileWriterOptions(bitRate: kilobits))
    #expect(abs(Double(report.bytes) * 8 / 10_000 / Double(kilobits) - 1) < 0.1, "\(report.bytes)")
  }

  @Test("texts are kept; what AAC cannot be is refused before a file is there")
  func texts() throws {
    let texts = SoundFileMetadata([.title: "Größe", .artist: "Nobody", .album: "None", .comment: "said"])
    for encoding in SoundFileContainer.m4a.encodings {
      let report = try writeFile(
        folder.file("a.m4a"), SoundFileFormat(container: .m4a, encoding: encoding), [[0, 0.1, 0.2]],
        options: SoundFileWriterOptions(metadata: texts))
      #expect(report.droppedMetadata == [])
      let read = try SoundFileReader(path: folder.file("a.m4a")).info.metadata
      for field in [SoundFileMetadata.Field.title, .artist, .album, .comment] { #expect(read[field] == texts[field]) }
    }
    let aac = SoundFileFormat(container: .m4a, encoding: .aac)
    guard aac.isWritable else { return }
    for (rate, channels) in [(44_100.0, 3), (44_101, 1), (192_000, 2)] {
      let error = #expect(throws: BenchError.self) { try aac.validate(sampleRate: rate, channelCount: channels) }
      #expect(error?.kind == .usage)
    }
    let tooMuch = SoundFileWriterOptions(bitRate: 400)
    #expect(throws: BenchError.self) { try writeFile(folder.file("b.m4a"), aac, [[0]], options: tooMuch) }
    #expect(folder.names == ["a.m4a"])
  }

  @Test("a full disk leaves nothing", arguments: SoundFileContainer.m4a.encodings)
  func fullDisk(_ encoding: SoundFileEncoding) throws {
    var options = SoundFileWriterOptions()
    options.space = 20_000
    var generator = SeededGenerator(seed: 4)
    let error = #expect(throws: BenchError.self) {
      try writeFile(
        folder.file("a.m4a"), SoundFileFormat(container: .m4a, encoding: encoding),
        [generator.noise(frames: 400_000)], options: options)
    }
    #expect(error?.kind == .output && folder.names.isEmpty, "\(encoding)")
  }
}
