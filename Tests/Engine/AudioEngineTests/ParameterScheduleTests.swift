import AudioCore
import AudioEngine
import Testing
import UnitTestSupport

/// What can be scheduled, and when.
@Suite struct ParameterScheduleTests {
  @Test("everything is checked before anything is scheduled")
  func refusals() throws {
    let unit = try GainMixer.made()
    let good = ParameterEvent.immediate(GainMixer.volume, offset: 0, value: 0.5)
    let meter = try #require(unit.allParameters.first { $0.descriptor.isReadOnly }).address
    let bad: [(ParameterEvent, AudioStatus)] = [
      (.immediate(GainMixer.volume, value: .nan), .invalidParameterValue),
      (.ramp(GainMixer.volume, durationFrames: 10, from: .infinity, to: 0), .invalidParameterValue),
      (.ramp(GainMixer.volume, durationFrames: 10, from: 0, to: -.infinity), .invalidParameterValue),
      (.immediate(ParameterAddress(777, scope: .input), value: 0), .invalidParameter),
      (.immediate(ParameterAddress(2, scope: .output), value: 0), .invalidScope),
      (.immediate(ParameterAddress(0, scope: .input, element: 5), value: 0), .invalidElement),
      (.immediate(ParameterAddress(0, scope: .note), value: 0), .invalidScope),
      (.immediate(meter, value: 0), .invalidParameter),
    ]
    for (event, expected) in bad {
      #expect(status { () throws(AudioStatus) in try unit.scheduleParameters([good, event]) } == expected)
    }
    try unit.scheduleParameters([])
    let refusal = status { () throws(AudioStatus) in
      try unit.scheduleParameters(count: 2) { (index) throws(AudioStatus) in
        if index == 1 { throw .parameterError }
        return good
      }
    }
    #expect(refusal == .parameterError)
    #expect(try unit.parameter(GainMixer.volume) == 1)
    #expect(try left(unit, at: 0, 2) == [1, 1])
  }

  @Test("512 events wait for a slice; one more is refused, and the slice makes room again")
  func capacity() throws {
    let unit = try GainMixer.made()
    for round in 0..<3 {
      let events = (0..<512).map {
        ParameterEvent.immediate(GainMixer.volume, offset: UInt32($0), value: Float($0) / 512)
      }
      try unit.scheduleParameters(events)
      let more = [ParameterEvent.immediate(GainMixer.volume, offset: 0, value: 9)]
      #expect(status { () throws(AudioStatus) in try unit.scheduleParameters(more) } == .memoryFull)
      #expect(try unit.parameter(GainMixer.volume) == 511 / 512)
      #expect(try left(unit, at: Int64(round * 512), 512) == (0..<512).map { Float($0) / 512 })
    }
    let tooMany = Array(repeating: ParameterEvent.immediate(GainMixer.volume, value: 0), count: 513)
    #expect(status { () throws(AudioStatus) in try unit.scheduleParameters(tooMany) } == .memoryFull)
  }

  /// Changes of a host's memory during the call.
  @Test("events that change while they are scheduled are left out, and nothing gets stuck")
  func changing() throws {
    let unit = try GainMixer.made()
    var asked = 0
    try unit.scheduleParameters(count: 3) { _ in
      asked += 1
      return .immediate(GainMixer.volume, offset: 0, value: asked == 5 ? .nan : 0.5)
    }
    #expect(asked == 6)
    #expect(try left(unit, at: 0, 2) == [0.5, 0.5])
    try unit.scheduleParameters([.immediate(GainMixer.volume, offset: 1, value: 0.25)])
    #expect(try left(unit, at: 2, 2) == [0.5, 0.25])
  }

  @Test("while open an immediate event sets the value and a ramp waits for the first slice")
  func whileOpen() throws {
    let unit = try GainMixer.made()
    unit.uninitialize()
    try unit.scheduleParameters([
      .immediate(GainMixer.volume, offset: 100, value: 0.5),
      .ramp(GainMixer.volume, startOffset: 2, durationFrames: 2, from: 1, to: 3),
    ])
    #expect(try unit.parameter(GainMixer.volume) == 0.5)
    try unit.initialize()
    _ = try unit.render(sampleTime: 0, frames: 0)
    #expect(try left(unit, at: 0, 6) == [0.5, 0.5, 1, 2, 3, 3], "a slice of no frames is none")
  }

  @Test("a timeline keeps its parameter from events")
  func timeline() throws {
    let unit = try GainMixer.made { try $0.setTimeline(.through((0, 0.25)), for: GainMixer.volume) }
    try unit.scheduleParameters([.immediate(GainMixer.volume, value: 0.5)])
    #expect(try left(unit, at: 0, 3) == [0.25, 0.25, 0.25])
  }
}
