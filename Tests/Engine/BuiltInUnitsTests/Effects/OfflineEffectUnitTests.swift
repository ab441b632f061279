import AudioCore
import AudioEngine
import BuiltInUnits
import Testing
import UnitTestSupport

/// An offline effect of a test's own: the settings of its input, and the flags of its calls for a host.
@Suite("Offline effects by a host's flags") struct OfflineEffectUnitTests {
  private static let preflight: UInt32 = 1 << 5
  private static let render: UInt32 = 1 << 6
  private static let complete: UInt32 = 1 << 7

  /// The calls of a ``Recorder``'s processor, in order.
  private final class Log: @unchecked Sendable {
    private(set) var entries: [String] = []
    func note(_ entry: String) { entries.append(entry) }
    func take() -> [String] {
      defer { entries = [] }
      return entries
    }
  }

  private final class Recorder: OfflineEffectUnit, @unchecked Sendable {
    let requirement: PreflightRequirement
    let log = Log()

    init(_ requirement: PreflightRequirement) {
      self.requirement = requirement
      super.init(
        Component(
          ComponentDescription(type: .offlineEffect, subType: "recd", manufacturer: "test"), shortName: "recorder",
          name: "Recorder", summary: "Notes what it is asked."
        ) { Recorder(.required) })
    }

    override var preflightRequirement: PreflightRequirement { requirement }
    override func forgetPreflight() { log.note("forget") }
    override func makeEffect() throws(AudioStatus) -> EffectProcessor { RecorderProcessor(self) }
  }

  /// Doubles what it renders.
  private final class RecorderProcessor: OfflineEffectProcessor, @unchecked Sendable {
    private let log: Log

    init(_ unit: Recorder) {
      log = unit.log
      super.init(unit)
    }

    override func beginPreflight() { log.note("begin") }
    override func preflight(_ piece: RenderPiece, frames: Int) { log.note("look \(frames)") }
    override func endPreflight() { log.note("end") }
    override func renderOffline(_ piece: RenderPiece) throws(AudioStatus) {
      for frame in piece.offset..<piece.offset + piece.frames {
        piece.outputs[0].planes[0][frame] = 2 * piece.inputs[0].planes[0][frame]
      }
    }
  }

  /// A unit without any own words on preflights.
  private final class Plain: OfflineEffectUnit, @unchecked Sendable {
    override func makeEffect() throws(AudioStatus) -> EffectProcessor { OfflineEffectProcessor(self) }
  }

  /// A unit that a host pulls, with the flags of each call.
  private final class Host {
    let unit: Recorder
    private let domain = RenderDomain()
    private let memory: HostMemory
    private let feed = InputFeed()
    private let flags = FlatMemory<UInt32>(repeating: 0, count: 1)
    private var time: Int64 = 0

    init(_ unit: Recorder, frames: Int = 10_000) throws {
      memory = HostMemory(isMixer: false, inputsHaveOwnFlags: false, domain: domain)
      self.unit = try fed(unit, noise(1, frames: frames))
      let node = try #require(unit.node)
      node.attach(memory, feed: feed, ringFrames: nil)
      memory.state.pointee.call.flags = flags.all.start
    }

    /// Renders a slice behind the one before, and returns the flags that come back.
    func slice(_ frames: Int, _ word: UInt32) throws(AudioStatus) -> UInt32 {
      flags[0] = word
      let start = time
      time += Int64(frames)
      _ = try unit.render(sampleTime: start, frames: frames)
      return flags[0]
    }

    func status(_ frames: Int, _ word: UInt32) -> AudioStatus {
      do throws(AudioStatus) { _ = try slice(frames, word) } catch { return error }
      return .noError
    }
  }

  @Test("without a length a render is never said to be complete; with one it is, at the slice that reaches it")
  func complete() throws {
    let host = try Host(Recorder(.notRequired))
    for _ in 0..<5 { #expect(try host.slice(100, Self.render) == Self.render) }
    for length: Int64 in [300, 301, 299] {
      try host.unit.setInput(frames: length)
      #expect(host.unit.inputFrames == length && host.unit.outputFrames == length)
      var count: Int64 = 0
      // Twice: what is complete begins anew.
      for _ in 0..<2 {
        count = 0
        while count < 1000 {
          count += 100
          if try host.slice(100, Self.render) != Self.render { break }
        }
        #expect(count == (length + 99) / 100 * 100, "\(length)")
      }
    }
    try host.unit.setInput(frames: 300)
    #expect(try host.slice(299, Self.render) == Self.render)
    #expect(try host.slice(1, Self.render) == Self.render | Self.complete)
    // No length again, and frames that were counted before.
    #expect(try host.slice(200, Self.render) == Self.render)
    try host.unit.setInput(frames: 0)
    for _ in 0..<4 { #expect(try host.slice(200, Self.render) == Self.render) }
  }

  @Test("a host that does not speak of renders is told of no end, and a reset begins the count anew")
  func unflagged() throws {
    let host = try Host(Recorder(.notRequired))
    try host.unit.setInput(frames: 300)
    for _ in 0..<3 { #expect(try host.slice(200, 0) == 0) }
    host.unit.reset()
    #expect(try host.slice(200, Self.render) == Self.render)
    host.unit.reset()
    #expect(try host.slice(200, Self.render) == Self.render)
    #expect(try host.slice(200, Self.render) == Self.render | Self.complete)
  }

  @Test("a preflight looks at no frame behind the length, begins and ends once, and lets the input through")
  func preflights() throws {
    let host = try Host(Recorder(.required))
    #expect(host.status(100, Self.preflight) == .invalidOfflineRender)
    try host.unit.setInput(frames: 250)
    #expect(host.unit.log.take() == ["forget"])
    for _ in 0..<2 {
      for _ in 0..<2 { #expect(try host.slice(100, Self.preflight) == Self.preflight) }
      #expect(try host.slice(100, Self.preflight) == Self.preflight | Self.complete)
      #expect(host.unit.log.take() == ["begin", "look 100", "look 100", "look 50", "end"])
    }
    // Half of one is none, and behind a reset it begins anew.
    #expect(try host.slice(100, Self.preflight) == Self.preflight)
    #expect(host.status(100, Self.render) == .invalidOfflineRender)
    host.unit.reset()
    #expect(try host.slice(249, Self.preflight) == Self.preflight)
    #expect(try host.slice(1, Self.preflight) == Self.preflight | Self.complete)
    #expect(host.unit.log.take() == ["begin", "look 100", "begin", "look 249", "look 1", "end"])
    #expect(try host.slice(100, Self.render) == Self.render)
  }

  @Test("a preflight puts its input out, and a render what the unit makes of it")
  func sound() throws {
    let signal = noise(1, frames: 600)
    let unit = try fed(Recorder(.required), signal)
    unit.beginPreflight()
    #expect(try renderedSignal(unit, total: 600) == signal)
    unit.endPreflight()
    unit.reset()
    #expect(try renderedSignal(unit, total: 600) == [signal[0].map { 2 * $0 }])
  }

  @Test(
    "only what requires its preflight refuses a host's render without one; without flags all render",
    arguments: [(.notRequired, 0), (.optional, 1), (.required, 2)]
      as [(OfflineEffectUnit.PreflightRequirement, UInt32)])
  func requirements(_ requirement: OfflineEffectUnit.PreflightRequirement, _ number: UInt32) throws {
    let host = try Host(Recorder(requirement))
    let unit = host.unit
    #expect(try unit.property(.offlinePreflightRequirements) == .uint32(number))
    #expect(unit.wantsPreflight == (requirement != .notRequired))
    unit.setBypass(true)
    #expect(!unit.wantsPreflight)
    unit.setBypass(false)
    try unit.setInput(frames: 100)
    let answer = host.status(50, Self.render)
    #expect(answer == (requirement == .required ? .invalidOfflineRender : .noError))
    #expect(host.status(100, Self.preflight) == .noError)
    #expect(host.status(50, Self.render) == .noError)
    // Another input, even of the same length, has not been seen.
    try unit.setInput(frames: 100)
    #expect(host.status(50, Self.render) == answer)
    let own = try fed(Recorder(requirement), noise(1, frames: 100))
    #expect(status { () throws(AudioStatus) in _ = try own.render(sampleTime: 0, frames: 50) } == .noError)
  }

  @Test("the engine's preflight sees all frames of an input of unknown length, and ends also where it saw none")
  func engine() throws {
    let unit = try fed(Recorder(.optional), noise(1, frames: 1000))
    unit.beginPreflight()
    for time in stride(from: Int64(0), to: 300, by: 100) { _ = try unit.render(sampleTime: time, frames: 100) }
    unit.endPreflight()
    #expect(unit.log.take() == ["begin", "look 100", "look 100", "look 100", "end"])
    unit.beginPreflight()
    unit.endPreflight()
    #expect(unit.log.take() == ["begin", "end"])
    try unit.setInput(frames: 150)
    unit.beginPreflight()
    for time in stride(from: Int64(300), to: 600, by: 100) { _ = try unit.render(sampleTime: time, frames: 100) }
    unit.endPreflight()
    #expect(unit.log.take() == ["forget", "begin", "look 100", "look 50", "look 0", "end"])
  }

  @Test("what a subclass does not say: a required preflight by its plain name, an output as long as the input")
  func defaults() throws {
    let unit = Plain(Recorder(.required).component)
    #expect(unit.preflightRequirement == .required && unit.preflightName == "Preflight" && unit.wantsPreflight)
    #expect(try unit.property(.offlineInputSize) == .int64(0) && unit.property(.offlineOutputSize) == .int64(0))
    try unit.setProperty(.offlineInputSize, to: .int64(Int64.max))
    #expect(try unit.property(.offlineOutputSize) == .int64(.max))
    #expect(
      status { () throws(AudioStatus) in try unit.setProperty(.offlineInputSize, to: .int64(-1)) }
        == .invalidPropertyValue)
    #expect(unit.inputFrames == .max)
    #expect(try unit.property(.offlineStartOffset) == .int64(0))
  }
}
