import AudioToolbox
import Testing

@Suite("What the environment sets for units") struct InterfaceDefaultsTests {
  @Test(
    "A number is in range, or is complained about and left out of account",
    arguments: [("AUBENCH_MAXIMUM_FRAMES", 1 << 20), ("AUBENCH_THREADS", 256)])
  func numbers(name: String, most: Int) {
    for (text, number, complaints) in [
      (nil, nil, 0), ("", nil, 0), ("1", 1, 0), ("\(most)", most, 0), ("0", nil, 1), ("\(most + 1)", nil, 1),
      ("-1", nil, 1),
      ("16 ", nil, 1), ("many", nil, 1), ("99999999999999999999", nil, 1),
    ] as [(String?, Int?, Int)] {
      var said: [String] = []
      let defaults = InterfaceDefaults(variable: { $0 == name ? text : nil }, complain: { said.append($0) })
      let isFrames = name == "AUBENCH_MAXIMUM_FRAMES"
      #expect(defaults.maximumFrames == (isFrames ? number : nil) && defaults.threads == (isFrames ? 1 : number ?? 1))
      #expect(said.count == complaints)
      for line in said { #expect(line.contains(name) && line.contains("1 to \(most)")) }
    }
  }
}
