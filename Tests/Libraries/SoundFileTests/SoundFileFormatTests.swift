import AudioCore
import CSndfile
import Glibc
import SoundFile
import Testing

@Suite struct SoundFileFormatTests {
  @Test func theTableHoldsEveryContainerThatLibsndfileListsButTwo() {
    var count: Int32 = 0
    sf_command(nil, Int32(SFC_GET_FORMAT_MAJOR_COUNT), &count, Int32(MemoryLayout<Int32>.size))
    let writable = Set(SoundFileFormat.allWritable.map(\.container))
    // Ogg is two containers here; Sound Designer 2 keeps its header in a second file, which cannot be published whole;
    // of a MIDI sample dump libsndfile loses the end. MPEG-4 is written here.
    #expect(writable.count == Int(count) - 2 + 1 + 1)
    #expect(SoundFileContainer.allCases.allSatisfy { $0.encodings.contains($0.defaultEncoding) })
  }

  @Test func pathsAndNamesGiveTheFormatsTheyMean() throws {
    func format(_ path: String, _ encoding: String? = nil) throws -> SoundFileFormat {
      try SoundFileFormat(path: path, encoding: encoding)
    }
    #expect(try format("a.wav") == SoundFileFormat(container: .wav, encoding: .pcm24))
    #expect(try format("a.b/c.WAV", "16") == SoundFileFormat(container: .wav, encoding: .pcm16))
    #expect(try format("a.aif", "float") == SoundFileFormat(container: .aiff, encoding: .float32))
    #expect(try format("a.caf", "double") == SoundFileFormat(container: .caf, encoding: .float64))
    #expect(try format("a.flac", "s24") == SoundFileFormat(container: .flac, encoding: .pcm24))
    #expect(try format("a.flac", "8") == SoundFileFormat(container: .flac, encoding: .pcmS8))
    #expect(try format("a.wav", "8") == SoundFileFormat(container: .wav, encoding: .pcmU8))
    #expect(try format("a.ogg").encoding == .vorbis)
    #expect(try format("a.opus").encoding == .opus)
    #expect(try format("a.mp3").encoding == .mp3)
    #expect(try SoundFileFormat(path: "a", container: "rf64", encoding: "f32").container == .rf64)
  }

  @Test func whatCannotBeWrittenIsAUsageErrorThatListsWhatCan() {
    func message(_ path: String, _ encoding: String? = nil) -> String {
      do throws(BenchError) {
        return "no error: \(try SoundFileFormat(path: path, encoding: encoding))"
      } catch {
        return error.kind == .usage ? "\(error)" : "wrong kind: \(error)"
      }
    }
    #expect(message("a.flac", "float").contains("pcm_s8, pcm16, pcm24"))
    #expect(message("a.wav", "nonsense").contains("\"nonsense\""))
    #expect(message("a.xyz").contains("\".xyz\""))
    #expect(message("noextension").contains("no extension"))
    #expect(message(".wav").contains("no extension"))
    let opus = SoundFileFormat(container: .opus)
    #expect(throws: BenchError.self) { try opus.validate(sampleRate: 44_100, channelCount: 2) }
    let wav = SoundFileFormat(container: .wav)
    for (rate, channels) in [(0, 2), (.nan, 2), (44_100.5, 2), (48_000, 0), (48_000, 1_025), (-1, 1), (1e9, 1)] {
      #expect(throws: BenchError.self) { try wav.validate(sampleRate: rate, channelCount: channels) }
    }
  }
}
