import AudioCore
import CSndfile
import Glibc
import SoundFile
import Testing
import TestSupport

@Suite struct RoundTripTests {
  /// The largest change that a codec may make to a sine of half scale, as a fraction of its RMS. PCM of n bits rounds
  /// by half a step.
  private static func allowedError(_ encoding: SoundFileEncoding) -> Double {
    switch encoding {
    case .vorbis, .opus, .mp3, .gsm610, .voxADPCM, .nmsADPCM16, .nmsADPCM24, .nmsADPCM32, .g721, .g723At24, .g723At40,
      .dwvw12, .dpcm8:
      0.5
    case .imaADPCM, .msADPCM, .ulaw, .alaw: 0.1
    // Half a step against half a sine: 2^-bits ÷ 0.35.
    default: pow(2, 1.6 - Double(min(encoding.bits ?? 8, 24)))
    }
  }

  /// libsndfile does not read m4a: MPEG4WritingTests has other judges.
  @Test(arguments: SoundFileFormat.allWritable.filter { $0.container != .m4a })
  func everyContainerAndEncodingComesBackAsLibsndfileReadsIt(_ format: SoundFileFormat) throws {
    let folder = TemporaryFolder()
    let path = folder.file("sound.\(format.container.fileExtensions.first ?? "wav")")
    var written = 0
    for channels in [1, 2, 6] {
      for rate in [8_000.0, 48_000] {
        guard (try? format.validate(sampleRate: rate, channelCount: channels)) != nil else { continue }
        written += 1
        let frames = 9_600
        let sound = sines(channels, frames: frames, rate: rate)
        let report = try writeFile(path, format, sound, rate: rate)
        #expect(report.frames == Int64(frames) && report.bytes == Int64(bytes(ofFile: path).count))
        #expect(folder.names.count == 1)
        guard format.container != .raw else { continue }

        var truth = try #require(sndfileRead(path))
        let read = try readFile(path)
        // libsndfile gives the whole last block of a codec; the header has the frames that went in.
        if [.imaADPCM, .msADPCM, .gsm610].contains(format.encoding), read[0].count == frames {
          truth = truth.map { Array($0.prefix(frames)) }
        }
        #expect(bits(read) == bits(truth), "\(format) \(channels) ch")
        let info = try SoundFileReader(path: path).info
        #expect(info.encoding == format.encoding)
        #expect(info.channelCount == channels)
        // These cannot say every rate: a Psion file is always 8 kHz, an instrument has none, others keep a divisor.
        #expect(info.sampleRate == rate || [.wve, .xi, .voc, .htk].contains(format.container))
        if format.encoding.isLossless { #expect(abs(read[0].count - frames) <= 512 && read[0].count >= frames - 1) }
        var difference = 0.0
        var power = 0.0
        for frame in 4_000..<min(8_000, read[0].count) {
          difference += pow(Double(read[0][frame] - sound[0][frame]), 2)
          power += pow(Double(sound[0][frame]), 2)
        }
        let loss = sqrt(difference / power)
        #expect(loss <= Self.allowedError(format.encoding), "\(format) \(channels) ch at \(rate): \(loss)")
      }
    }
    #expect(written > 0)
  }

  /// Every value of 8 and 16 bits, and of 24 bits, in each container that keeps them.
  @Test(arguments: [8, 16, 24], [SoundFileContainer.wav, .aiff, .caf, .w64, .rf64, .au, .flac, .raw])
  func everyIntegerSurvives(_ width: Int, _ container: SoundFileContainer) throws {
    let encodings: [Int: [SoundFileEncoding]] = [8: [.pcmS8, .pcmU8], 16: [.pcm16], 24: [.pcm24]]
    for encoding in encodings[width] ?? [] {
      let format = SoundFileFormat(container: container, encoding: encoding)
      guard format.isWritable, container != .raw else { continue }
      // All 2^24 values once, in the container that goes through the fast path; every 61st elsewhere.
      let step = width < 24 || container == .wav ? 1 : 61
      let half = 1 << (width - 1)
      let values = stride(from: -half, to: half, by: step).map { Float($0) / Float(half) }
      let folder = TemporaryFolder()
      let report = try writeFile(folder.file("a"), format, [values], slice: 65_536)
      #expect(report.clippedSamples == 0)
      let back = try readFile(folder.file("a"), slice: 65_536)
      let isSame = back[0] == values
      #expect(isSame)
    }
  }

  @Test func integersOf32BitsAndDoublesSurviveTheWidePath() throws {
    let folder = TemporaryFolder()
    var generator = SeededGenerator(seed: 7)
    let integers = (0..<5_000).map { _ in Double(Int32(truncatingIfNeeded: generator.next())) / 0x1p31 }
    let doubles = (0..<5_000).map { _ in Double(Int64(truncatingIfNeeded: generator.next())) / 0x1p60 }
    let cases: [(SoundFileFormat, [Double])] = [
      (.init(container: .wav, encoding: .pcm32), integers), (.init(container: .nist, encoding: .pcm32), integers),
      (.init(container: .aiff, encoding: .pcm32), integers), (.init(container: .wav, encoding: .float64), doubles),
      (.init(container: .mat5, encoding: .float64), doubles), (.init(container: .au, encoding: .float64), doubles),
    ]
    for (format, values) in cases {
      let (source, back) = (DoubleBuffer([values]), DoubleBuffer(channelCount: 1, frameCapacity: values.count))
      let path = folder.file("wide")
      let writer = try SoundFileWriter(path: path, format: format, sampleRate: 96_000, channelCount: 1)
      try writer.write(source.planes, frames: values.count)
      _ = try writer.finish()
      let reader = try SoundFileReader(path: path)
      #expect(try reader.read(into: back.planes, frames: values.count) == values.count)
      #expect(Array(back[0].elements) == values, "\(format)")
    }
  }

  @Test func clippingIsCountedAndHeldToTheRange() throws {
    let folder = TemporaryFolder()
    let sound: [[Float]] = [[1, -1, 0.999, 2, -2, .infinity, -.infinity, .nan, 0]]
    let expected: [Float] = [
      32767 / 32768, -1, 32735 / 32768, 32767 / 32768, -1, 32767 / 32768, -1, 0, 0,
    ]
    for container in [SoundFileContainer.wav, .flac, .aiff] {
      let report = try writeFile(folder.file("c"), .init(container: container, encoding: .pcm16), sound)
      #expect(report.clippedSamples == 3)
      #expect(try readFile(folder.file("c")) == [expected])
    }
    let floats = try writeFile(folder.file("f"), .init(container: .wav, encoding: .float32), sound)
    #expect(floats.clippedSamples == 0)
    #expect(try bits(readFile(folder.file("f"))) == bits(sound))
    for format in SoundFileFormat.allWritable where !format.encoding.isLossless {
      guard (try? format.validate(sampleRate: 8_000, channelCount: 1)) != nil else { continue }
      // Samples beyond full scale, or that are no numbers, harm no codec.
      let wild = (0..<4_000).map { frame -> Float in frame % 3 == 0 ? .nan : frame % 3 == 1 ? 1e30 : -.infinity }
      // NaN and infinities are no clipping.
      #expect(try writeFile(folder.file("wild"), format, [wild], rate: 8_000).clippedSamples == 1333, "\(format)")
    }
  }

  @Test func metadataIsCarriedAndWhatIsLostIsNamed() throws {
    let folder = TemporaryFolder()
    var all = SoundFileMetadata()
    for field in SoundFileMetadata.Field.allCases { all[field] = "the \(field.rawValue) ü" }
    all[.date] = "2024-05-06"
    all[.tracknumber] = "7"
    let options = SoundFileWriterOptions(metadata: all)
    for container in [SoundFileContainer.wav, .aiff, .caf, .flac, .ogg, .opus, .mp3, .w64, .au, .raw, .rf64] {
      let report = try writeFile(
        folder.file("m"), .init(container: container), sines(2, frames: 5_000), options: options)
      guard container != .raw, container != .au else {
        #expect(report.droppedMetadata == SoundFileMetadata.Field.allCases)
        continue
      }
      let kept = try SoundFileReader(path: folder.file("m")).info.metadata
      for field in SoundFileMetadata.Field.allCases {
        let isKept = kept[field]?.hasPrefix(all[field] ?? "?") ?? false
        #expect(isKept != report.droppedMetadata.contains(field), "\(container) \(field): \(kept[field] ?? "nil")")
      }
      if [.flac, .ogg].contains(container) { #expect(report.droppedMetadata.isEmpty) }
      if container == .wav { #expect(!report.droppedMetadata.contains(.title)) }
    }
    try writeFile(folder.file("none"), .init(container: .wav), sines(2, frames: 100))
    #expect(try SoundFileReader(path: folder.file("none")).info.metadata.isEmpty)
  }

  @Test func ditherDoesNotDependOnTheSlices() throws {
    let folder = TemporaryFolder()
    let format = SoundFileFormat(container: .wav, encoding: .pcm16)
    let sound = sines(2, frames: 20_000, amplitude: 0.001)
    let options = SoundFileWriterOptions(ditherSeed: 42)
    for (name, slice) in [("a", 64), ("b", 20_000), ("c", 4_097)] {
      try writeFile(folder.file(name), format, sound, slice: slice, options: options)
    }
    try writeFile(folder.file("plain"), format, sound)
    #expect(bytes(ofFile: folder.file("a")) == bytes(ofFile: folder.file("b")))
    #expect(bytes(ofFile: folder.file("a")) == bytes(ofFile: folder.file("c")))
    #expect(bytes(ofFile: folder.file("a")) != bytes(ofFile: folder.file("plain")))
  }
}
