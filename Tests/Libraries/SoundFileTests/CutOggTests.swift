import AudioCore
import SoundFile
import TestSupport
import Testing

/// libsndfile takes an Ogg file that was cut off for a shorter one.
@Suite("Ogg files that end early") struct CutOggTests {
  @Test(arguments: ["a.ogg", "a.opus"]) func areErrorsWhereverTheyWereCut(_ name: String) throws {
    let folder = TemporaryFolder()
    var generator = SeededGenerator(seed: 3)
    let noise = (0..<200_000).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
    try writeFile(folder.file(name), try SoundFileFormat(path: name), [noise])
    let whole = try folder.bytes(name)
    #expect(try SoundFileReader(path: folder.file(name)).info.frameCount == 200_000)
    // Every few bytes, and wherever a page begins.
    let pages = whole.indices.dropLast(3).filter { whole[$0..<$0 + 4].elementsEqual("OggS".utf8) }
    #expect(pages.count > 3)
    for length in Array(stride(from: 50, to: whole.count, by: 1_711)) + pages.dropFirst() + [whole.count - 1] {
      write(Array(whole[..<length]), to: folder.file("cut"))
      let error = #expect(throws: BenchError.self, "\(length)") { try SoundFileReader(path: folder.file("cut")) }
      #expect(error?.kind == .input && error?.message.contains("the file ends ") == true, "\(length): \(error as Any)")
    }
    // Half of it is what is left.
    write(Array(whole[..<(whole.count / 2)]), to: folder.file("cut"))
    let left = try readFile(folder.file("cut"), allowTruncated: true)
    #expect(!left[0].isEmpty && left[0].count < 200_000)
    // Bytes behind the sound are no part of it.
    write(whole + Array("TAG".utf8) + [UInt8](repeating: 0, count: 125), to: folder.file("tagged"))
    #expect(try SoundFileReader(path: folder.file("tagged")).info.frameCount == 200_000)
  }
}
