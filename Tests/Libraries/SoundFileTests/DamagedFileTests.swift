import AudioCore
import Glibc
import SoundFile
import TestSupport
import Testing

@Suite struct DamagedFileTests {
  /// The message of the error, which must be of kind `.input` and name the file.
  private func refusal(_ path: String) -> String {
    do {
      let read = try readFile(path)
      return "no error, \(read[0].count) frames"
    } catch let error as BenchError {
      return error.kind == .input && error.place.contains(path) ? "\(error)" : "wrong kind or place: \(error)"
    } catch { return "not a BenchError" }
  }

  @Test func everythingThatIsNoSoundFileIsNamedForWhatItIs() throws {
    let folder = TemporaryFolder()
    #expect(refusal(folder.file("missing.wav")).contains("no such file"))
    #expect(refusal(folder.path).contains("is a folder"))
    #expect(refusal("/dev/null").contains("is a device"))
    #expect(refusal("").contains("is not the name of a file"))
    mkfifo(folder.file("pipe"), 0o600)
    #expect(refusal(folder.file("pipe")).contains("is a pipe"))
    write([], to: folder.file("empty.wav"))
    #expect(refusal(folder.file("empty.wav")).contains("is empty"))
    write(Array("hello, this is a text and no sound at all, however long one looks".utf8), to: folder.file("t.wav"))
    let message = refusal(folder.file("t.wav"))
    #expect(message.contains("is not a sound file") && !message.contains("hello"), "what a file holds is not shown")
    try writeFile(folder.file("a.wav"), .init(container: .wav), sines(2, frames: 100), expectedFrames: 100)
    let whole = bytes(ofFile: folder.file("a.wav"))
    write(Array(whole[..<20]), to: folder.file("b.wav"))
    #expect(refusal(folder.file("b.wav")).contains("within its header"))
    for (offset, values, expected) in [
      (22, [UInt8](repeating: 0, count: 2), "channel"), (24, [UInt8](repeating: 0, count: 4), "0 Hz"),
      (24, [0xFF, 0xFF, 0xFF, 0x7F], "2147483647 Hz"), (22, [0xFF, 0xFF], "channels"),
    ] {
      var damaged = whole
      damaged.replaceSubrange(offset..<offset + values.count, with: values)
      write(damaged, to: folder.file("d.wav"))
      let message = refusal(folder.file("d.wav"))
      #expect(!message.hasPrefix("no error") && message.lowercased().contains(expected.lowercased()), "\(message)")
    }
    if getuid() != 0 {
      chmod(folder.file("a.wav"), 0)
      #expect(refusal(folder.file("a.wav")).contains("may not be read"))
    }
  }

  @Test(arguments: [SoundFileContainer.wav, .rf64, .w64, .aiff, .au])
  func aFileThatWasCutOffIsAnErrorWithTheTwoLengths(_ container: SoundFileContainer) throws {
    let folder = TemporaryFolder()
    let frames = 5_000
    let sound = sines(2, frames: frames)
    try writeFile(folder.file("a"), .init(container: container, encoding: .pcm16), sound, expectedFrames: 5_000)
    let whole = bytes(ofFile: folder.file("a"))
    // Not the whole tail: W64 and CAF may pad.
    for lost in [4, 400, 19_000] {
      write(Array(whole[..<(whole.count - lost)]), to: folder.file("b"))
      let message = refusal(folder.file("b"))
      #expect(message.contains("ends at frame") && message.contains("promises 5000 frames"), "\(container): \(message)")
      let left = try readFile(folder.file("b"), allowTruncated: true)
      #expect(left[0].count == frames - lost / 4)
      let reader = try SoundFileReader(path: folder.file("b"), allowTruncated: true)
      #expect(reader.info.promisedFrames == 5_000)
    }
    #expect(try SoundFileReader(path: folder.file("a")).info.promisedFrames == nil)
  }

  /// libsndfile itself refuses some of these: there the error counts bytes.
  @Test func aCoreAudioFileThatWasCutOffIsAnErrorToo() throws {
    let folder = TemporaryFolder()
    try writeFile(folder.file("a"), .init(container: .caf, encoding: .pcm16), sines(2, frames: 5_000))
    let whole = bytes(ofFile: folder.file("a"))
    for lost in [4, 400, 19_000] {
      write(Array(whole[..<(whole.count - lost)]), to: folder.file("b"))
      let message = refusal(folder.file("b"))
      #expect(message.contains("promises 5000 frames") || message.contains("\(lost) bytes before"), "\(message)")
    }
  }

  @Test func aWavFromAStreamWithoutALengthIsReadToItsEnd() throws {
    let folder = TemporaryFolder()
    let sound = sines(2, frames: 1_000)
    try writeFile(folder.file("a"), .init(container: .wav, encoding: .pcm16), sound, expectedFrames: 1_000)
    var streamed = bytes(ofFile: folder.file("a"))
    for size in [[UInt8](repeating: 0xFF, count: 4), [0x00, 0xF0, 0xFF, 0x7F]] {
      streamed.replaceSubrange(40..<44, with: size)
      streamed.replaceSubrange(4..<8, with: size)
      write(streamed, to: folder.file("b"))
      #expect(try readFile(folder.file("b")) == readFile(folder.file("a")))
    }
  }

  @Test func anMP3ThatDoesNotStateItsLengthIsReadToItsEnd() throws {
    let folder = TemporaryFolder()
    try writeFile(folder.file("a"), .init(container: .mp3), sines(2, frames: 100_000))
    var whole = bytes(ofFile: folder.file("a"))
    let tag = try #require(
      (0..<2_000).first { ["Xing", "Info"].contains(String(decoding: whole[$0..<$0 + 4], as: UTF8.self)) })
    // The tag's frame goes, and with it the length; what is left is a stream as old encoders wrote it.
    // Without its name the tag is a frame of silence, and the stream one as old encoders wrote it.
    whole.replaceSubrange(tag..<tag + 4, with: [0, 0, 0, 0])
    write(whole, to: folder.file("b"))
    let info = try SoundFileReader(path: folder.file("b")).info
    #expect(try readFile(folder.file("b"))[0].count == Int(info.frameCount))
    #expect(info.frameCount >= 100_000)
  }

  @Test(arguments: [SoundFileContainer.flac, .ogg, .opus, .mp3])
  func aCodedFileThatWasCutOffEndsInAnErrorNotInSilence(_ container: SoundFileContainer) throws {
    let folder = TemporaryFolder()
    try writeFile(folder.file("a"), .init(container: container), sines(2, frames: 100_000))
    let whole = bytes(ofFile: folder.file("a"))
    write(Array(whole[..<(whole.count / 2)]), to: folder.file("b"))
    let message = refusal(folder.file("b"))
    #expect(
      message.contains("ends at frame") || message.contains("libsndfile") || message.contains("the file ends "),
      "\(container): \(message)")
  }

  /// Headers with bytes turned over, doubled, dropped: an error or the same values as libsndfile, never a crash or a
  /// hang.
  @Test(arguments: [
    SoundFileContainer.wav, .wavex, .rf64, .w64, .aiff, .caf, .au, .flac, .ogg, .opus, .mp3, .voc, .nist, .svx, .mat5,
    .xi, .avr,
  ])
  func damagedHeadersNeverCrashOrHang(_ container: SoundFileContainer) throws {
    let folder = TemporaryFolder()
    let path = folder.file("fuzz")
    let channels = [.xi, .svx].contains(container) ? 1 : 2
    try writeFile(path, .init(container: container), sines(channels, frames: 2_000))
    let whole = bytes(ofFile: path)
    var generator = SeededGenerator(seed: UInt64(container.rawValue.utf8.reduce(0) { $0 * 31 + Int($1) }))
    let start = time(nil)
    for _ in 0..<60 {
      var damaged = whole
      let header = min(whole.count, 128)
      for _ in 0...(generator.next() % 4) {
        let place = Int(generator.next() % UInt64(header))
        switch generator.next() % 6 {
        case 0: damaged[place] = UInt8(truncatingIfNeeded: generator.next())
        case 1: damaged[place] ^= 1 << UInt8(generator.next() % 8)
        case 2: damaged[place] = 0xFF
        case 3: damaged[place] = 0
        case 4: damaged.insert(contentsOf: whole[place..<min(whole.count, place + 8)], at: place)
        default: damaged.removeSubrange(place..<min(damaged.count, place + 3))
        }
      }
      write(damaged, to: path)
      do throws(BenchError) {
        let reader = try SoundFileReader(path: path, allowTruncated: true)
        let buffer = PlanarBuffer(channelCount: reader.info.channelCount, frameCapacity: 512)
        var total = 0
        while total < 100_000 {
          let got = try reader.read(into: buffer.planes, frames: 512)
          if got == 0 { break }
          total += got
        }
        try? reader.seek(toFrame: reader.info.frameCount / 2)
      } catch {
        #expect(error.kind == .input)
      }
    }
    #expect(time(nil) - start < 60)
  }

  @Test func randomBytesAreRefused() throws {
    let folder = TemporaryFolder()
    var generator = SeededGenerator(seed: 11)
    let beginnings = ["", "RIFF", "FORM", "OggS", "fLaC", "caff", "RF64", "riff", ".snd", "ID3", "\u{7F}", "Creative"]
    for round in 0..<120 {
      let start = Array(beginnings[round % beginnings.count].utf8)
      let count = Int(generator.next() % 4_000)
      let noise = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      write(start + noise, to: folder.file("r"))
      do throws(BenchError) {
        _ = try SoundFileReader(path: folder.file("r"))
      } catch {
        #expect(error.kind == .input)
      }
    }
  }
}
