import AudioCore
import AudioEngine
import BuiltInUnits
import Testing
import UnitTestSupport

/// The N-band equalizer: its bands, their table and their limits.
@Suite struct NBandEQTests {
  @Test("a fresh N-band equalizer has 8 bands with the published defaults, all bypassed, and is flat")
  func nBandTable() throws {
    let unit = NBandEQ()
    #expect(unit.numberOfBands == 8 && unit.allParameters.count == 1 + 5 * 8)
    func row(_ id: UInt32) throws -> ParameterDescriptor { try unit.descriptor(of: ParameterAddress(id)) }
    for band: UInt32 in 0..<8 {
      #expect(try row(1000 + band).initial == 1)
      #expect(try row(2000 + band).initial == 0 && row(2000 + band).maximum == 10)
      #expect(try row(3000 + band).initial == 1000 && row(3000 + band).minimum == 20)
      #expect(try row(4000 + band).initial == 0 && row(4000 + band).minimum == -96 && row(4000 + band).maximum == 24)
      #expect(try row(5000 + band).initial == 0.5 && row(5000 + band).minimum == 0.05 && row(5000 + band).maximum == 5)
    }
    #expect(try row(0).minimum == -96 && row(0).maximum == 24)
    let signal = noise(2, frames: 1000)
    #expect(try renderedSignal(try fed(unit, signal), total: 1000) == signal)
    #expect(status { () throws(AudioStatus) in try unit.setNumberOfBands(9) } == .initialized)
    unit.uninitialize()
    #expect(status { () throws(AudioStatus) in try unit.setNumberOfBands(1001) } == .invalidPropertyValue)
    try unit.setParameter(ParameterAddress(3002), to: 77)
    try unit.setNumberOfBands(3)
    #expect(try unit.parameter(ParameterAddress(3002)) == 77)
    #expect(status { () throws(AudioStatus) in _ = try unit.parameter(ParameterAddress(3003)) } == .invalidParameter)
  }

  @Test("a band beyond the 1000 ids between two kinds cannot be set")
  func nBandLimits() throws {
    let unit = NBandEQ(numberOfBands: 1000)
    #expect(unit.allParameters.count == 5001)
    #expect(status { () throws(AudioStatus) in try unit.setBand(1000, to: .init()) } == .invalidParameter)
    #expect(status { () throws(AudioStatus) in try unit.setBand(-1, to: .init()) } == .invalidParameter)
    #expect(status { () throws(AudioStatus) in try unit.setBand(999, to: .init()) } == .noError)
  }

  @Test("the N-band EQ's global gain is one parameter, whatever band it is asked for; the others are a band's own")
  func bandAddresses() {
    for band in [0, 1, 999] {
      #expect(NBandEQ.address(.globalGain, band: band) == ParameterAddress(0))
      #expect(NBandEQ.address(.gain, band: band).id == NBandEQ.Parameter.gain.rawValue + UInt32(band))
    }
  }

  @Test("a filter type outside the eleven is the nearest of them")
  func filterType() throws {
    let signal = noise(1, frames: 1000)
    func output(_ type: Float) throws -> Signal {
      let unit = try NBandEQ([NBandEQ.Band(gainDecibels: 6)])
      try unit.setParameter(NBandEQ.address(.filterType, band: 0), to: type)
      return try renderedSignal(try fed(unit, signal), total: 1000)
    }
    #expect(try output(-1e30) == output(0) && output(1e30) == output(10) && output(0) != output(10))
  }
}
