import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import TestSupport
import UnitTestSupport

/// Units keep values outside a range as given, so every finite value must render to
/// something finite: clamped in CookbookFilter's `Prototype`, in the pan laws, and nowhere else.
@Suite struct NBandEQExtremeTests {
  @Test(
    "the N-band equalizer stays finite for any values of any type", arguments: NBandEQ.FilterType.allCases,
    extremeFloats)
  func nBands(_ type: NBandEQ.FilterType, _ frequency: Float) throws {
    let signal = noise(1, frames: 6000)
    for width in extremeFloats {
      for gain: Float in [0, 24, -96, 1e30, -1e30] {
        let band = NBandEQ.Band(type, frequencyHertz: frequency, bandwidthOctaves: width, gainDecibels: gain)
        let unit = try fed(try NBandEQ([band]), signal)
        try expectFinite(unit, "\(type.name) at \(frequency) Hz, \(width) octaves, \(gain) dB", limit: 1e12)
      }
    }
  }

  @Test("a whole equalizer of extremes gives no NaN", arguments: [44_100.0, 8000, 192_000, 3_000_000])
  func whole(_ rate: Double) throws {
    let bands = extremeFloats.flatMap { value in
      NBandEQ.FilterType.allCases.prefix(3).map {
        NBandEQ.Band($0, frequencyHertz: value, bandwidthOctaves: value, gainDecibels: value)
      }
    }
    let unit = try fed(try NBandEQ(bands, globalGainDecibels: 1e30), noise(1, frames: 6000), sampleRate: rate)
    try expectFinite(unit, "a band of each value")
  }

  @Test("extreme gains of the whole equalizer silence or boost, and give no NaN")
  func globalGain() throws {
    let signal = noise(1, frames: 6000)
    for gain: Float in [1e30, -1e30, 300, -300] {
      let unit = try fed(try NBandEQ([NBandEQ.Band()], globalGainDecibels: gain), signal)
      try expectFinite(unit, "global gain \(gain)")
      unit.reset()
      let output = try renderedSignal(unit, total: 6000)[0]
      #expect(output.contains { $0 != 0 } == (gain > 0 || gain == -300))
    }
  }

  @Test("ramps between extremes stay finite")
  func ramps() throws {
    let unit = try NBandEQ([NBandEQ.Band(gainDecibels: 12)])
    try unit.setTimeline(.through((0, -1e30), (3000, 1e30), (6000, 0)), for: NBandEQ.address(.frequency, band: 0))
    try unit.setTimeline(.through((0, 1e30), (4000, -1)), for: NBandEQ.address(.bandwidth, band: 0))
    try unit.setTimeline(.through((0, -500), (5000, 500)), for: NBandEQ.address(.globalGain, band: 0))
    try expectFinite(try fed(unit, noise(1, frames: 6000)), "ramps")
  }
}
