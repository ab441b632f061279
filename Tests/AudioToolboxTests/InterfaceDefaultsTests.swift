import AudioToolbox
import Testing

@Suite("What the environment sets for units") struct InterfaceDefaultsTests {
  @Test("The longest slice of fresh units is a number in range, or is complained about and left as it is")
  func maximumFrames() {
    for (text, frames, complaints) in [
      (nil, nil, 0), ("", nil, 0), ("1024", 1024, 0), ("1", 1, 0), ("1048576", 1 << 20, 0), ("0", nil, 1),
      ("1048577", nil, 1), ("-1", nil, 1), ("1024 ", nil, 1), ("many", nil, 1), ("99999999999999999999", nil, 1),
    ] as [(String?, Int?, Int)] {
      var said: [String] = []
      let defaults = InterfaceDefaults(
        variable: { $0 == "AUBENCH_MAXIMUM_FRAMES" ? text : nil }, complain: { said.append($0) })
      #expect(defaults.maximumFrames == frames && said.count == complaints)
      for line in said { #expect(line.contains("AUBENCH_MAXIMUM_FRAMES") && line.contains("1 to 1048576")) }
    }
  }
}
