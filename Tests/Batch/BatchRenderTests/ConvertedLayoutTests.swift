import AudioCore
import BatchRender
import SoundFile
import TestSupport
import Testing

/// A channel's label and its samples stay together, through any chain of files.
@Suite struct ConvertedLayoutTests {
  private let folder = TemporaryFolder()

  private func convert(_ input: String, to output: String) throws -> FileConversion.Report {
    try FileConversion.convert(
      folder.file(input), to: folder.file(output),
      as: FileConversion.format(
        in: SoundFileFormat(path: output).container, like: SoundFileReader(path: folder.file(input)).info))
  }

  /// Loudspeakers, at random and in random order, of one to eight channels.
  private func layout(_ generator: inout SeededGenerator) throws -> ChannelLayout {
    let names = ChannelLayout.names + ["C,L,R,Ls,Rs,LFE", "L,R,LFE", "Lw,Rw,L,R", "R", "LFE", "L,LFE2"]
    while true {
      var labels = try ChannelLayout(name: names.randomElement(using: &generator) ?? "").labels
      guard labels.count <= 8 else { continue }
      if Bool.random(using: &generator) { labels.shuffle(using: &generator) }
      return try #require(ChannelLayout(labels: labels))
    }
  }

  @Test(
    "a conversion that changes nothing gives the same samples and layout; any other keeps them together, or says so")
  func chains() throws {
    var generator = SeededGenerator(seed: 43)
    let kinds = ["wav", "rf64", "caf", "aiff", "flac", "w64", "au"]
    var (kept, told) = (0, 0)
    for number in 0..<60 {
      let layout = try layout(&generator)
      let first = "\(number).\(["caf", "aiff"][number % 2])"
      let samples = noise(layout.channelCount, frames: 200, seed: UInt64(number))
      try writeSound(
        folder.file(first), samples, encoding: .pcm16, options: SoundFileWriterOptions(layout: layout))
      var before = first
      for kind in kinds.shuffled(using: &generator).prefix(3) {
        let after = "\(number)-\(kind).\(kind)"
        let report = try convert(before, to: after)
        let (input, output) = (report.input, try SoundFileReader(path: folder.file(after)).info)
        let (old, new) = (try readSound(folder.file(before)), try readSound(folder.file(after)))
        if let from = input.layout, let to = output.layout, report.file.layoutRemark == nil {
          for (channel, position) in to.positions.enumerated() {
            let source = try #require(from.positions.firstIndex(of: position), "\(before) \(from) → \(after) \(to)")
            #expect(old[source] == new[channel], "\(before) \(from) → \(after) \(to)")
          }
          kept += 1
        } else {
          #expect(input.layout == nil || report.file.layoutRemark != nil, "\(before) → \(after)")
          #expect(report.warnings.isEmpty == (report.file.layoutRemark == nil))
          #expect(old == new)
          told += 1
        }
        let again = try convert(after, to: "again.\(kind)")
        #expect(again.warnings.isEmpty && again.file.channelOrder == nil)
        #expect(try readSound(folder.file("again.\(kind)")) == new)
        #expect(try SoundFileReader(path: folder.file("again.\(kind)")).info.layout == output.layout)
        before = after
      }
    }
    #expect(kept > 60 && told > 10, "\(kept) \(told)")
  }

  @Test("stereo, mono and surround by BS.775: by name, by number, and with low frequency effects")
  func downmix() throws {
    let samples: [[Float]] = (0..<6).map { [Float](repeating: Float($0 + 1) / 32, count: 10) }
    try writeSound(
      folder.file("in.wav"), samples, encoding: .float32,
      options: SoundFileWriterOptions(layout: ChannelLayout(name: "5.1")))
    func mixed(_ change: (inout FileConversion.Options) throws -> Void) throws -> (FileConversion.Report, [Float]) {
      var options = FileConversion.Options()
      try change(&options)
      let format = SoundFileFormat(container: .wav, encoding: .float32)
      let report = try FileConversion.convert(
        folder.file("in.wav"), to: folder.file("out.wav"), as: format, options: options)
      return (report, try readSound(folder.file("out.wav")).map { $0[5] * 32 })
    }
    let half = Float(0.5.squareRoot())
    let stereo = [1 + 3 * half + 5 * half, 2 + 3 * half + 6 * half]
    let mono = (1 + 2) * half + 3 + (5 + 6) / 2
    func near(_ values: [Float], _ others: [Float]) -> Bool {
      values.count == others.count && zip(values, others).allSatisfy { abs($0 - $1) < 1e-5 }
    }
    func check(_ expected: [Float], _ change: (inout FileConversion.Options) throws -> Void) throws {
      let found = try mixed(change).1
      #expect(near(found, expected), "\(found)")
    }
    try check(stereo) { $0.layout = try ChannelLayout(name: "stereo") }
    try check(stereo) { $0.channelCount = 2 }
    try check([mono]) { $0.layout = .mono }
    try check(stereo.map { $0 + 2 * half }) { ($0.layout, $0.effectsGain) = (.stereo, 0.5) }
    try check([1, 2, 3, 4, 5, 6]) { $0.layout = try ChannelLayout(name: "5.1(side)") }
    try check([1, 2, 3, 4, 0, 0, 5, 6]) { $0.layout = try ChannelLayout(name: "7.1") }
    // Taken for another layout, which a warning says.
    let (report, values) = try mixed {
      $0.inputLayout = try ChannelLayout(name: "C,L,R,Ls,Rs,LFE")
      $0.layout = .stereo
    }
    #expect(near(values, [2 + half + 4 * half, 3 + half + 5 * half]))
    var options = FileConversion.Options()
    options.inputLayout = try ChannelLayout(name: "C,L,R,Ls,Rs,LFE")
    #expect(options.layoutWarning(of: report.input)?.contains("5.1 as C L R Ls Rs LFE") == true)
    // A layout of other channels than the file has.
    #expect(throws: BenchError.self) { try mixed { $0.inputLayout = .stereo } }
  }
}
