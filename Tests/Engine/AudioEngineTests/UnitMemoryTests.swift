import AudioCore
import AudioEngine
import AudioUnits
import BuiltInUnits
import CAllocationCounter
import Testing
import TestSupport
import UnitTestSupport

/// The memory that units plan for, beside the memory that they take.
@Suite struct UnitMemoryTests {
  /// The bytes that `body` allocates and keeps.
  private func held(_ body: () throws -> Void) rethrows -> Int {
    allocation_counter_start()
    defer { _ = allocation_counter_stop() }
    try body()
    return Int(allocation_counter_held_bytes())
  }

  /// One of each has been initialized: what all of a kind share, tables of their laws, is made with the first.
  private static let isWarm: Bool = {
    for component in ComponentRegistry.ofGraphFiles.components where component.shortName != "filePlayer" {
      try? fed(component, channels: 1, rate: 44_100).initialize()
    }
    return true
  }()

  init() { _ = Self.isWarm }

  private static func fed(_ component: Component, channels: Int, rate: Double, inputs: Int = 1) throws -> Unit {
    let unit = component.make()
    if unit.elementCount(.input) > 0, inputs > 1 { try unit.setElementCount(inputs, .input) }
    let format = StreamFormat(sampleRate: rate, channelCount: channels)
    for bus in 0..<unit.elementCount(.input) {
      try? unit.setStreamFormat(format, .input, element: bus)
      try unit.setRenderCallback(RenderCallback { _, _, _, _ in .noError }, input: bus)
    }
    try? unit.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: channels), .output)
    return unit
  }

  @Test(
    "No unit takes more than it says, with converters and without",
    .enabled(if: isRelease, "debug builds allocate more"), arguments: [1, 2, 6, 32], [48_000.0, 44_100])
  func bounds(channels: Int, rate: Double) throws {
    for component in ComponentRegistry.ofGraphFiles.components where component.shortName != "filePlayer" {
      let unit = try Self.fed(component, channels: channels, rate: rate)
      let said = unit.memoryBytes
      // A format or channel count that the unit does not take.
      guard let taken = try? held({ try unit.initialize() }) else { continue }
      #expect(taken <= said, "\(component.shortName): \(taken) of \(said) bytes")
      #expect(taken > 0)
    }
  }

  @Test("A matrix's crosspoints are counted", .enabled(if: isRelease, "as above"), arguments: [1, 16, 64])
  func crosspoints(channels: Int) throws {
    let unit = try Self.fed(MatrixMixer.component, channels: channels, rate: 48_000)
    try unit.setElementCount(1, .input)
    try unit.setElementCount(1, .output)
    let said = unit.memoryBytes
    let taken = try held { try unit.initialize() }
    #expect(taken <= said, "\(taken) of \(said) bytes")
  }

  @Test("What crosspoints cost by themselves is counted", .enabled(if: isRelease, "as above"))
  func crosspointsAlone() throws {
    func bytes(_ inputs: Int, _ outputs: Int) throws -> (said: Int, taken: Int) {
      let unit = MatrixMixer()
      try unit.setElementCount(1, .input)
      try unit.setElementCount(1, .output)
      try unit.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: inputs), .input)
      try unit.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: outputs), .output)
      let said = unit.memoryBytes
      return (said, try held { try unit.initialize() })
    }
    // Without what inputs and outputs cost.
    let (most, wide, high, least) = (try bytes(64, 64), try bytes(64, 1), try bytes(1, 64), try bytes(1, 1))
    let taken = most.taken - wide.taken - high.taken + least.taken
    let said = most.said - wide.said - high.said + least.said
    #expect(taken > 63 * 63 * 8)
    #expect(taken <= said, "\(taken) of \(said) bytes")
  }

  @Test("An input of a mixer costs at most 4 KiB beyond its slice buffers", .enabled(if: isRelease, "as above"))
  func inputs() throws {
    func taken(_ count: Int) throws -> Int {
      let unit = MultichannelMixer.component.make()
      return try held {
        try unit.setElementCount(count, .input)
        try unit.initialize()
      }
    }
    let perInput = (try taken(4096) - taken(64)) / (4096 - 64)
    #expect(perInput <= 4096, "\(perInput) bytes")
    // The estimate beforehand is no less than that.
    let unit = MultichannelMixer.component.make()
    try unit.setElementCount(4096, .input)
    #expect(try unit.memoryBytes >= taken(4096))
  }

  @Test("A source that the host feeds itself is counted, while the unit is initialized too")
  func hostSources() throws {
    let unit = MultichannelMixer.component.make()
    try unit.setElementCount(3, .input)
    let empty = unit.memoryBytes
    unit.feedInputFromHost(1)
    let planned = unit.memoryBytes
    let buffer = Unit.sliceBytes(try unit.streamFormat(.input, element: 1), unit.maximumFramesPerSlice)
    #expect(planned == empty + buffer)
    #expect(unit.feedBytes(ofInput: 1) == buffer && unit.feedBytes(ofInput: 2) == 0)
    try unit.initialize()
    try unit.checkMemory(ofInput: 1, insteadOf: buffer)
    // Another source of the size that anything may take at most does not fit beside it.
    #expect(throws: AudioStatus.memoryFull) {
      try unit.checkMemory(ofInput: 1, insteadOf: -MemoryBudget.standardLimitBytes)
    }
  }
}
