import AudioCore
import Foundation
import Glibc
import SoundFile
import TestSupport
import Testing

/// Sound that `aubench-decode` decodes: held to the sound that was coded, frame for frame. FFmpeg's coders are lossy, so
/// the measure is the level of the difference.
@Suite("AAC, AC-3 and Opus out of the decoding program")
struct ForeignSoundTests {
  private static func coded(_ name: String) -> String { "\(Repository.path)/fixtures/audio/coded/\(name)" }

  /// Decibels of the sound over its difference from the coded one, at the best of some shifts, and that shift.
  private func fidelity(_ heard: [Float], _ original: [Float], shifts: ClosedRange<Int>) -> (decibels: Double, at: Int)
  {
    var best = (decibels: -Double.infinity, at: 0)
    for shift in shifts {
      var (signal, error) = (0.0, 0.0)
      for index in original.indices where heard.indices.contains(index + shift) {
        signal += Double(original[index]) * Double(original[index])
        let difference = Double(heard[index + shift]) - Double(original[index])
        error += difference * difference
      }
      let decibels = 10 * log10(signal / error)
      if decibels > best.decibels { best = (decibels, shift) }
    }
    return best
  }

  @Test(
    "a file is as long as its edit list says, and its sound lies where it lay",
    arguments: [
      ("tabla-aac.m4a", "tabla.flac", 31_500, 0, 18.0), ("tabla-opus.mp4", "tabla-48000.flac", 34_286, 0, 15.0),
      ("tabla.ac3", "tabla-48000.flac", 35_328, 256, 15.0), ("drums-aac.aac", "drums.flac", 46_080, 1_024, 10.0),
    ])
  func sound(_ name: String, _ source: String, _ frames: Int, _ delay: Int, _ decibels: Double) throws {
    let heard = try readFile(Self.coded(name))
    let original = try readFile("\(Repository.path)/fixtures/audio/\(source)")
    #expect(heard.count == original.count && heard[0].count == frames)
    for (channel, samples) in heard.enumerated() {
      let found = fidelity(samples, Array(original[channel].prefix(44_100)), shifts: delay - 3...delay + 3)
      #expect(found.at == delay && found.decibels > decibels, "\(name) \(channel): \(found)")
    }
  }

  @Test("six channels come in AAC's order, centre first")
  func surround() throws {
    let heard = try readFile(Self.coded("surround-aac.m4a"))
    let tones: [Double] = [800, 400, 600, 1_000, 1_200, 100]
    try #require(heard.count == 6)
    for (channel, tone) in tones.enumerated() {
      let levels = tones.map { other -> Double in
        var (real, imaginary) = (0.0, 0.0)
        for frame in 2_400..<12_000 {
          let phase = 2 * Double.pi * other * Double(frame) / 48_000
          real += Double(heard[channel][frame]) * cos(phase)
          imaginary += Double(heard[channel][frame]) * sin(phase)
        }
        return (real * real + imaginary * imaginary).squareRoot() / 4_800
      }
      let loudest = tones[levels.indices.max { levels[$0] < levels[$1] } ?? 0]
      #expect(loudest == tone && abs((levels.max() ?? 0) - 0.2) < 0.03, "channel \(channel + 1): \(levels)")
    }
  }

  @Test("any slices, and any order of seeking, give the same samples")
  func slicesAndSeeking() throws {
    let path = Self.coded("drums-aac.aac")
    let whole = try readFile(path)
    #expect(try readFile(path, slice: 333) == whole)
    let reader = try SoundFileReader(path: path)
    let buffer = PlanarBuffer(channelCount: 2, frameCapacity: 500)
    for frame in [30_000, 100, 100, 45_900, 0] {
      try reader.seek(toFrame: Int64(frame))
      let got = try reader.read(into: buffer.planes, frames: 500)
      #expect(got == min(500, 46_080 - frame))
      #expect(buffer.channels(got) == whole.map { Array($0[frame..<frame + got]) }, "\(frame)")
    }
  }

  @Test("facts name container and codec")
  func facts() throws {
    let info = try SoundFileReader(path: Self.coded("tabla-aac.m4a")).info
    #expect(info.containerName == "MPEG-4" && info.encodingName == "AAC" && info.encoding == .aac)
    #expect(info.sampleRate == 44_100 && info.channelCount == 1 && info.isSeekable && info.remarks.isEmpty)
  }

  @Test("damaged packets are errors of the file, and neither crash nor hang")
  func damage() throws {
    let folder = TemporaryFolder()
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Self.coded("drums-aac.aac"))))
    var draw = SeededGenerator(seed: 12)
    var refused = 0
    for round in 0..<40 {
      var mutated = bytes
      for _ in 0..<Int.random(in: 1...40, using: &draw) {
        mutated[Int.random(in: 60..<mutated.count, using: &draw)] = UInt8.random(in: 0...255, using: &draw)
      }
      let path = folder.file("damaged-\(round).aac")
      write(mutated, to: path)
      do { _ = try readFile(path) } catch {
        refused += 1
        #expect("\(error)".contains("damaged-\(round).aac"))
      }
    }
    #expect(refused > 5)
  }

  @Test("the program ends with its reader, and a reader whose program is killed says so")
  func processes() async throws {
    await #expect(processExitsWith: .success) {
      let path = "\(Repository.path)/fixtures/audio/coded/drums-aac.aac"
      var reader: SoundFileReader? = try SoundFileReader(path: path)
      let buffer = PlanarBuffer(channelCount: 2, frameCapacity: 46_080)
      guard try reader?.read(into: buffer.planes, frames: 10) == 10, let child = Self.decoders().first else { exit(1) }
      kill(child, SIGKILL)
      do {
        _ = try reader?.read(into: buffer.planes, frames: 46_000)
        exit(2)
      } catch { guard "\(error)".contains("cannot be decoded") else { exit(3) } }
      // Read anew from the beginning, the program is started anew.
      reader = try SoundFileReader(path: path)
      guard try reader?.read(into: buffer.planes, frames: 46_080) == 46_080, Self.decoders().count == 1 else { exit(4) }
      reader = nil
      exit(Self.decoders().isEmpty ? 0 : 5)
    }
  }

  /// Processes of the program that this one has started.
  private static func decoders() -> [Int32] {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return folders.compactMap { number in
      guard let status = try? String(contentsOfFile: "/proc/\(number)/status", encoding: .utf8),
        status.contains("Name:\taubench-decode\n") && status.contains("PPid:\t\(getpid())\n")
      else { return nil }
      return Int32(number)
    }
  }

  @Test("without the program the error says what is missing")
  func absent() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      setenv("AUBENCH_DECODER", "", 1)
      do {
        _ = try SoundFileReader(path: "\(Repository.path)/fixtures/audio/coded/tabla-aac.m4a")
        exit(1)
      } catch { FileHandle.standardError.write(Data("\(error)\n".utf8)) }
      exit(0)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("holds AAC in MPEG-4") && text.contains("aubench-decode") && text.contains("not installed"))
  }
}
