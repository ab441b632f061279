import AudioCore
import Testing

@Suite("Numbers with nouns")
struct NumberTextTests {
  @Test("One of a thing is no plural, and anything else is one")
  func plurals() {
    #expect([0, 1, 2, 21].map { NumberText.count($0, "frame") } == ["0 frames", "1 frame", "2 frames", "21 frames"])
    #expect(NumberText.count(Int64(2), "process") == "2 processes" && NumberText.count(1, "bus") == "1 bus")
    #expect(NumberText.count(3, "frequency") == "3 frequencies")
    #expect(NumberText.count("0.25", "frame") == "0.25 frames" && NumberText.count("1", "frame") == "1 frame")
    #expect(NumberText.count("1 or 2", "channel") == "1 or 2 channels")
    #expect(NumberText.count(1, "sample", "is", "are") == "1 sample is")
    #expect(NumberText.count(4, "sample", "is", "are") == "4 samples are")
  }
}
