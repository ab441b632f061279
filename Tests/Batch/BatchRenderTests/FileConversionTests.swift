import BatchRender
import Glibc
import TestSupport
import Testing

/// Conversion of files: exact length, exact bits, whatever the threads.
@Suite struct FileConversionTests {
  private let folder = TemporaryFolder()

  private func convert(
    _ input: String, to output: String, _ encoding: SoundFileEncoding? = nil,
    _ change: (inout FileConversion.Options) -> Void = { _ in }
  ) throws -> FileConversion.Report {
    var format = try SoundFileFormat(path: output)
    if let encoding { format.encoding = encoding }
    var options = FileConversion.Options()
    change(&options)
    return try FileConversion.convert(folder.file(input), to: folder.file(output), as: format, options: options)
  }

  /// A file of doubles, of more frames than a block.
  private func writeWide(_ name: String, _ encoding: SoundFileEncoding, _ values: [Double]) throws {
    var format = try SoundFileFormat(path: name)
    format.encoding = encoding
    let writer = try SoundFileWriter(
      path: folder.file(name), format: format, sampleRate: 48_000, channelCount: 1, expectedFrames: Int64(values.count))
    let samples = DoubleBuffer([values])
    try writer.write(samples.planes, frames: values.count)
    _ = try writer.finish()
  }

  @Test(
    "the same encoding comes out as the same bytes, from 8-bit integers to doubles",
    arguments: [SoundFileEncoding.pcmU8, .pcm16, .pcm24, .pcm32, .float32, .float64], [1, 2])
  func unchanged(encoding: SoundFileEncoding, threads: Int) throws {
    var generator = SeededGenerator(seed: 3)
    let values: [Double] = (0..<30_000).map { _ in
      switch encoding {
      case .pcmU8: Double(Int8.random(in: .min ... .max, using: &generator)) / 0x1p7
      case .pcm16: Double(Int16.random(in: .min ... .max, using: &generator)) / 0x1p15
      case .pcm24: Double(Int32.random(in: -(1 << 23)..<(1 << 23), using: &generator)) / 0x1p23
      case .pcm32: Double(Int32.random(in: .min ... .max, using: &generator)) / 0x1p31
      case .float32: Double(Float(Double.random(in: -3...3, using: &generator)))
      default: Double.random(in: -3...3, using: &generator)
      }
    }
    try writeWide("in.wav", encoding, values)
    let report = try convert("in.wav", to: "out.wav", encoding) { $0.threads = threads }
    #expect(report.file.frames == 30_000 && report.file.clippedSamples == 0)
    let before = bytes(ofFile: folder.file("in.wav"))
    #expect(before.count > 30_000)
    #expect(bytes(ofFile: folder.file("out.wav")) == before)
    #expect(folder.names == ["in.wav", "out.wav"])
  }

  @Test("wide samples are exact from container to container, and narrower ones go through Float")
  func wide() throws {
    var generator = SeededGenerator(seed: 4)
    let values = (0..<20_000).map { _ in Double(Int32.random(in: .min ... .max, using: &generator)) / 0x1p31 }
    try writeWide("in.wav", .pcm32, values)
    _ = try convert("in.wav", to: "a.caf", .float64)
    _ = try convert("a.caf", to: "b.wav", .pcm32)
    #expect(bytes(ofFile: folder.file("b.wav")) == bytes(ofFile: folder.file("in.wav")))
    _ = try convert("in.wav", to: "c.wav", .pcm16)
    let narrow = try readSound(folder.file("c.wav"))[0]
    for (frame, value) in values.enumerated() {
      // Half a step, and half a step of Float's 24 bits.
      #expect(abs(Double(narrow[frame]) - value) <= 0.5 / 0x1p15 + 0.5 / 0x1p24, "frame \(frame)")
    }
  }

  @Test(
    "a rate conversion is that of RateConverter, bit for bit, with any number of threads",
    arguments: RateConversionQuality.allCases, [(44_100.0, 48_000.0), (48_000, 22_050)])
  func rates(quality: RateConversionQuality, rates: (Double, Double)) throws {
    for channels in [1, 2, 9] {
      let sound = noise(channels, frames: 20_011, seed: 5)
      try writeSound(folder.file("in.wav"), sound, rate: rates.0, encoding: .float32)
      let expected = try RateConverter.convert(sound, from: rates.0, to: rates.1, quality: quality)
      var files: [[UInt8]] = []
      for threads in [1, 2, 4] {
        let report = try convert("in.wav", to: "out.wav", .float32) {
          $0.sampleRate = rates.1
          $0.quality = quality
          $0.threads = threads
        }
        #expect(report.file.frames == FrameCount.converted(20_011, from: rates.0, to: rates.1))
        #expect(report.sampleRate == rates.1 && report.channelCount == channels)
        let difference = firstDifference(try readSound(folder.file("out.wav")), expected)
        #expect(difference == nil, "\(channels) channels, \(threads) threads: \(difference ?? "")")
        files.append(bytes(ofFile: folder.file("out.wav")))
      }
      #expect(files[0] == files[1] && files[0] == files[2])
      #expect(expected[channels - 1].contains { abs($0) > 0.1 })
    }
  }

  @Test("the length is frames × rate ÷ rate, rounded half up", arguments: [0, 1, 2, 7, 441, 8191, 8192, 8193, 44_101])
  func lengths(frames: Int) throws {
    try writeSound(folder.file("in.wav"), noise(1, frames: frames), rate: 44_100)
    for rate in [8000, 22_050, 44_100, 48_000, 96_000] {
      let report = try convert("in.wav", to: "out.wav") {
        $0.sampleRate = Double(rate)
        $0.quality = .linear
      }
      let expected = (2 * frames * rate + 44_100) / (2 * 44_100)
      #expect(report.file.frames == Int64(expected), "to \(rate)")
      #expect(try SoundFileReader(path: folder.file("out.wav")).info.frameCount == Int64(expected))
    }
  }

  @Test("more channels than one converter takes are converted all the same", arguments: [1, 2, 5])
  func manyChannels(threads: Int) throws {
    let sound = noise(260, frames: 900, seed: 8)
    try writeSound(folder.file("in.wav"), sound, rate: 48_000, encoding: .float32)
    _ = try convert("in.wav", to: "out.wav", .float32) {
      $0.sampleRate = 44_100
      $0.quality = .linear
      $0.threads = threads
    }
    let converted = try readSound(folder.file("out.wav"))
    try #require(converted.count == 260)
    for channel in [0, 63, 127, 128, 129, 255, 256, 259] {
      let alone = try RateConverter.convert([sound[channel]], from: 48_000, to: 44_100, quality: .linear)
      #expect(firstDifference([converted[channel]], alone) == nil)
    }
  }

  @Test("channels go where a person expects, or where the map says", arguments: [1, 2])
  func channels(threads: Int) throws {
    let sound = noise(2, frames: 10_000, seed: 6)
    try writeSound(folder.file("in.wav"), sound, encoding: .float32)
    try writeSound(folder.file("mono.wav"), [sound[0]], encoding: .float32)
    func result(_ input: String, _ change: (inout FileConversion.Options) -> Void) throws -> [[Float]] {
      _ = try convert(input, to: "out.wav", .float32) {
        change(&$0)
        $0.threads = threads
      }
      return try readSound(folder.file("out.wav"))
    }
    // Mono to both, the mean to mono, straight through otherwise.
    #expect(try result("mono.wav") { $0.channelCount = 2 } == [sound[0], sound[0]])
    let mean = zip(sound[0], sound[1]).map { $0 * 0.5 + $1 * 0.5 }
    #expect(try result("in.wav") { $0.channelCount = 1 } == [mean])
    #expect(try result("in.wav") { $0.channelCount = 3 } == sound + [Array(repeating: 0, count: 10_000)])
    func map(_ list: [Int]) -> (Int) throws(BenchError) -> ChannelMatrix {
      { (inputs) throws(BenchError) in
        guard let matrix = ChannelMatrix(map: list, inputCount: inputs) else {
          throw BenchError(.usage, at: "map", "no such channel in \(inputs)")
        }
        return matrix
      }
    }
    #expect(try result("in.wav") { $0.matrix = map([1, 0]) } == [sound[1], sound[0]])
    #expect(try result("in.wav") { $0.matrix = map([1]) } == [sound[1]])
    #expect(
      try result("in.wav") { $0.matrix = map([-1, 0, 1, 0]) }.map { $0[77] } == [
        0, sound[0][77], sound[1][77], sound[0][77],
      ])
    // With a change of rate, too.
    let swapped = try result("in.wav") {
      $0.matrix = map([1, 0, 1])
      $0.sampleRate = 48_000
      $0.quality = .fast
    }
    let expected = try RateConverter.convert(sound, from: 44_100, to: 48_000, quality: .fast)
    #expect(firstDifference(swapped, [expected[1], expected[0], expected[1]]) == nil)
    // A map that does not fit is refused.
    let before = folder.names
    expect(failure { _ = try result("in.wav") { $0.matrix = map([2]) } }, .usage, ["no such channel"])
    expect(
      failure {
        _ = try result("in.wav") {
          $0.matrix = map([1, 0])
          $0.channelCount = 1
        }
      }, .usage, ["2 channels", "1"])
    #expect(folder.names == before)
  }

  @Test("texts go along unless they are to stay")
  func metadata() throws {
    let texts = SoundFileMetadata([.title: "Crow", .artist: "A bird", .comment: "as recorded"])
    try writeSound(folder.file("in.wav"), noise(frames: 100), options: SoundFileWriterOptions(metadata: texts))
    _ = try convert("in.wav", to: "out.wav")
    let kept = try SoundFileReader(path: folder.file("out.wav")).info.metadata
    for field in [SoundFileMetadata.Field.title, .artist, .comment] { #expect(kept[field] == texts[field]) }
    _ = try convert("in.wav", to: "out.flac") { $0.sampleRate = 48_000 }
    #expect(try SoundFileReader(path: folder.file("out.flac")).info.metadata[.title] == "Crow")
    _ = try convert("in.wav", to: "bare.wav") { $0.keepsMetadata = false }
    #expect(try SoundFileReader(path: folder.file("bare.wav")).info.metadata.isEmpty)
  }

  @Test("a stop asked for, a full disk or a broken input leave nothing behind", arguments: [1, 2])
  func failures(threads: Int) throws {
    let sound = noise(2, frames: 300_000)
    for encoding in [SoundFileEncoding.pcm16, .pcm32] {
      for rate in [44_100.0, 48_000] {
        try writeSound(folder.file("in.wav"), sound, encoding: encoding)
        func error(_ change: (inout FileConversion.Options) -> Void) -> BenchError? {
          failure {
            _ = try convert("in.wav", to: "out.wav", encoding) {
              $0.threads = threads
              $0.sampleRate = rate
              $0.quality = .linear
              change(&$0)
            }
          }
        }
        expect(error { $0.progress = { _ in false } }, .interrupted, [])
        expect(error { $0.writer.space = 100_000 }, .output, ["out.wav", "no space left"])
        let input = folder.file("in.wav")
        let bytesPerFrame = encoding == .pcm16 ? 4 : 8
        let cut = error {
          // Asked for when the input is open and before its first frame is read, whatever the threads.
          $0.matrix = { inputs in
            truncate(input, 44 + bytesPerFrame * 100_000)
            return .conventional(inputCount: inputs, outputCount: inputs)
          }
        }
        expect(cut, .input, [input], "\(encoding) to \(rate)")
        #expect(folder.names == ["in.wav"])
      }
    }
    expect(failure { _ = try convert("none.wav", to: "out.wav") }, .input, ["none.wav"])
    try writeSound(folder.file("in.wav"), noise(frames: 10))
    expect(failure { _ = try convert("in.wav", to: "out.wav") { $0.sampleRate = 1 } }, .usage, [])
    expect(failure { _ = try convert("in.wav", to: "out.wav") { $0.sampleRate = .nan } }, .usage, [])
    expect(failure { _ = try convert("in.wav", to: "out.wav") { $0.sampleRate = -48_000 } }, .usage, [])
    expect(failure { _ = try convert("in.wav", to: "out.wav") { $0.channelCount = 0 } }, .usage, [])
    #expect(folder.names == ["in.wav"])
  }

  @Test("progress has frames, rate and time each in its place, and ends with all that there are")
  func progress() throws {
    try writeSound(folder.file("in.wav"), noise(frames: 60_000))
    let states = Locked<[RenderProgress]>([])
    _ = try convert("in.wav", to: "out.wav") {
      $0.sampleRate = 96_000
      $0.progress = { state in
        states.withLock { $0.append(state) }
        return true
      }
    }
    let found = states.withLock { $0 }
    #expect(found.allSatisfy { $0.sampleRate == 48_000 || $0.sampleRate == 96_000 }, "\(found)")
    #expect(
      found.allSatisfy { $0.elapsedSeconds >= 0 && $0.elapsedSeconds < 1000 && $0.framesDone <= $0.framesTotal ?? .max }
    )
    #expect(found.last.map { $0.framesDone == $0.framesTotal } ?? false)
  }

  @Test("a file may be converted into itself")
  func inPlace() throws {
    let sound = noise(2, frames: 50_000)
    try writeSound(folder.file("in.wav"), sound, encoding: .float32)
    _ = try convert("in.wav", to: "in.wav", .float32) { $0.channelCount = 1 }
    #expect(try readSound(folder.file("in.wav")) == [zip(sound[0], sound[1]).map { $0 * 0.5 + $1 * 0.5 }])
    #expect(folder.names == ["in.wav"])
  }
}
