import AudioCore
import AudioEngine
import BuiltInUnits
import DeviceUnits
import DSPKernels
import Hardware
import Testing
import TestSupport
import UnitTestSupport

/// The results of every unit for random calls of its Swift interface, and the changes of its properties by each call.
///
/// New texts: ``HeldText``.
@Suite("Units answer random calls as they always have")
struct RandomCallsTests {
  private static let courses = 6
  private static let parts = 6
  private static let callsOfPart = 30

  @Test("every built-in unit")
  func everyUnit() throws {
    var answers = HeldDigests()
    // Hardware of their own: other tests set up the process's at the same time.
    let hardware = SimulatedHardware(DeviceConfiguration())
    let devices = DeviceOutput.Kind.allCases.map { kind in { DeviceOutput(kind, hardware: hardware) as Unit } }
    for make in ComponentRegistry.builtIn.components.map(\.make) + devices {
      for seed in 1...Self.courses {
        let unit = make()
        var calls = RandomCalls(unit, seed: UInt64(seed))
        for part in 1...Self.parts {
          answers.add("\(unit.component.shortName) \(seed).\(part)", (0..<Self.callsOfPart).map { _ in calls.next() })
        }
      }
    }
    let difference = try answers.difference(from: "random-calls", leavingOut: Configuration.missingUnits)
    #expect(difference == nil, "\(difference ?? "")")
  }
}

/// Random calls of one unit, a line for each: what was called, what it answered, and what is different since.
private struct RandomCalls {
  private let unit: Unit
  private var random: SeededGenerator
  private var time: Int64 = 0
  private var notifies: [Int] = []
  private let counts = Counts()
  private var before: [(name: String, text: String)] = []

  /// The host's functions that the unit called.
  private final class Counts: @unchecked Sendable {
    var pulls = 0
    var notified = 0
    var ends: [String] = []
  }

  init(_ unit: Unit, seed: UInt64) {
    self.unit = unit
    random = SeededGenerator(seed: seed)
    before = state()
  }

  mutating func next() -> String {
    let (call, answer) = call()
    let now = state()
    let known = Dictionary(before.map { ($0.name, $0.text) }) { first, _ in first }
    let names = Set(now.map(\.name))
    let changed =
      now.filter { known[$0.name] != $0.text }.map { "\($0.name) = \($0.text)" }
      + before.filter { !names.contains($0.name) }.map { "\($0.name) is gone" }
    before = now
    return ([call + ": " + answer] + changed).joined(separator: "; ")
  }

  // MARK: What a unit says of itself

  private func state() -> [(name: String, text: String)] {
    var rows: [(String, String)] = [
      ("initialized", "\(unit.isInitialized)"), ("latency", "\(unit.latencyFrames)"),
      ("tail", "\(unit.tailFrames ?? -1)"), ("source", "\((unit as? any SourceUnit)?.sourceFrames ?? -1)"),
      ("pulls", "\(counts.pulls)"), ("notified", "\(counts.notified)"), ("ends", "\(counts.ends)"),
    ]
    if let player = unit as? ScheduledFilePlayer {
      rows.append(("play time", "\(player.currentPlayTime) of \(player.startTime ?? -2), \(player.fileCount) files"))
    }
    for property in unit.properties where property.id != .lastRenderError && property.id != .parameterList {
      for scope in [Scope.global, .input, .output] where property.scopes.contains(scope) {
        for element in 0..<(scope == .global ? 1 : min(3, unit.elementCount(scope))) {
          rows.append(("\(property.name) \(scope) \(element)", value(property.id, scope, element)))
        }
      }
    }
    for (address, _) in unit.allParameters.prefix(120) {
      let value = (try? unit.parameter(address)).map { Self.rounded(Double($0)) } ?? "none"
      rows.append(("\(address.scope) \(address.element) \(address.id)", value))
    }
    return rows
  }

  private func value(_ id: PropertyID, _ scope: Scope, _ element: Int) -> String {
    do throws(AudioStatus) {
      switch try unit.property(id, scope, element: element) {
      case .text(let path): return "\(path.split(separator: "/").last ?? "")"
      case .float64s(let values): return values.map(Self.rounded).joined(separator: " ")
      case let value: return "\(value)"
      }
    } catch {
      return "\(error)"
    }
  }

  /// Four places: the last bits of a cosine are the mathematical library's affair.
  private static func rounded(_ value: Double) -> String {
    guard value.isFinite, value != 0 else { return "\(value == 0 ? 0 : value)" }
    var unit = 1.0
    while abs(value) / unit >= 10_000 { unit *= 10 }
    while abs(value) / unit < 1000, unit > 1e-9 { unit /= 10 }
    return "\((value / unit).rounded())e\(unit)"
  }

  // MARK: Calls

  private mutating func call() -> (call: String, answer: String) {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<26: return render()
    case 26..<36:
      let (address, value) = (address(), number())
      return ("set \(address) \(value)", answer { () throws(AudioStatus) in try unit.setParameter(address, to: value) })
    case 36..<44:
      let events = (0..<Int.random(in: 0...4, using: &random)).map { _ in event() }
      return ("schedule \(events)", answer { () throws(AudioStatus) in try unit.scheduleParameters(events) })
    case 44..<54:
      let (format, scope, element) = (format(), scope(), element())
      return (
        "format \(scope) \(element) \(format)",
        answer { () throws(AudioStatus) in try unit.setStreamFormat(format, scope, element: element) }
      )
    case 54..<62: return ("initialize", answer { () throws(AudioStatus) in try unit.initialize() })
    case 62..<66:
      unit.uninitialize()
      return ("uninitialize", "")
    case 66..<69:
      unit.reset()
      return ("reset", "")
    case 69..<73:
      let (count, scope) = (Int.random(in: -1...9, using: &random), scope())
      return (
        "count \(scope) \(count)", answer { () throws(AudioStatus) in try unit.setElementCount(count, scope) }
      )
    case 73..<75:
      let frames = [0, 1, 100, 512, 4096, 1 << 20, (1 << 20) + 1][Int.random(in: 0..<7, using: &random)]
      return ("frames \(frames)", answer { () throws(AudioStatus) in try unit.setMaximumFramesPerSlice(frames) })
    case 75..<77:
      let frames = Int.random(in: -1...200, using: &random)
      return ("smoothing \(frames)", answer { () throws(AudioStatus) in try unit.setSmoothingFrames(frames) })
    case 77..<80: return setTimeline()
    case 80..<88: return feed()
    case 88..<91: return notify()
    default: return callOfKind()
    }
  }

  private mutating func render() -> (String, String) {
    let frames = [0, 1, 64, 200, 333, 512, 5000, -1][Int.random(in: 0..<8, using: &random)]
    let bus = Int.random(in: 0..<16, using: &random) == 0 ? 1 : 0
    if Int.random(in: 0..<10, using: &random) == 0 { time += Int64.random(in: -300...2000, using: &random) }
    let name = "render \(bus) at \(time) \(frames)"
    do throws(AudioStatus) {
      let buffer = try unit.render(output: bus, sampleTime: time, frames: frames)
      time += Int64(frames)
      let format = try unit.streamFormat(.output, element: bus)
      return (name, levels(buffer, format, frames: frames))
    } catch {
      return (name, "\(error), last \(value(.lastRenderError, .global, 0))")
    }
  }

  /// The level of each buffer: the mean of its samples' magnitudes.
  private func levels(_ buffer: BusBuffer, _ format: StreamFormat, frames: Int) -> String {
    (0..<buffer.count).map { index in
      let count = frames * (format.isInterleaved ? format.channelCount : 1)
      let samples = FlatMemory<Float>(repeating: 0, count: count)
      PCMCodec.decode(
        buffer.buffers[index], as: format.encoding, stride: format.encoding.containerBytes, frames: count,
        into: samples.all)
      return Self.rounded(samples.all.elements.reduce(0) { $0 + abs(Double($1)) } / Double(max(1, count)))
    }.joined(separator: " ")
  }

  private mutating func setTimeline() -> (String, String) {
    let address = address()
    let points = (0..<Int.random(in: 0...3, using: &random)).map { index in
      ParameterTimeline.Point(frame: time + Int64(index * 150), value: number())
    }
    let timeline = ParameterTimeline(points)
    return (
      "timeline \(address) \(points.map { "\($0.frame): \($0.value)" })",
      answer { () throws(AudioStatus) in try unit.setTimeline(timeline, for: address) }
    )
  }

  private mutating func feed() -> (String, String) {
    let bus = element()
    if Int.random(in: 0..<6, using: &random) == 0 {
      return ("feed \(bus) nothing", answer { () throws(AudioStatus) in try unit.setRenderCallback(nil, input: bus) })
    }
    let (fails, counts) = (Int.random(in: 0..<8, using: &random) == 0, counts)
    let fedBus = bus
    let callback = RenderCallback { [unowned unit] time, bus, frames, buffer in
      counts.pulls += 1
      // A converter in front of an input calls with a bus of its own: what is written must fit that of the unit.
      guard !fails, let format = try? unit.streamFormat(.input, element: bus),
        let room = try? unit.streamFormat(.input, element: fedBus).bytesPerFrame
      else { return .invalidFile }
      // A ramp by the clock, in any format.
      for index in 0..<buffer.count {
        for byte in 0..<frames * min(room, format.bytesPerFrame) {
          let isFloat = format.encoding.kind == .float
          let value =
            isFloat
            ? [0, 0, UInt8(truncatingIfNeeded: time) | 1, 0x3E][byte % 4] : UInt8(truncatingIfNeeded: byte &* 7)
          buffer.buffers[index].storeBytes(of: value, toByteOffset: byte, as: UInt8.self)
        }
      }
      return .noError
    }
    return (
      "feed \(bus)\(fails ? " what fails" : "")",
      answer { () throws(AudioStatus) in try unit.setRenderCallback(callback, input: bus) }
    )
  }

  private mutating func notify() -> (String, String) {
    if !notifies.isEmpty, Bool.random(using: &random) {
      unit.removeRenderNotify(notifies.removeLast())
      return ("notify less", "")
    }
    let counts = counts
    notifies.append(unit.addRenderNotify { _, _, _, _ in counts.notified += 1 })
    return ("notify", "")
  }

  /// Calls that only some kinds of unit have, and properties.
  private mutating func callOfKind() -> (String, String) {
    if let player = unit as? ScheduledFilePlayer, Int.random(in: 0..<3, using: &random) > 0 { return schedule(player) }
    if let mixer = unit as? MultichannelMixer, Int.random(in: 0..<3, using: &random) == 0 {
      let bus = element()
      let levels = (0..<[1, 2, 4, 8][Int.random(in: 0..<4, using: &random)]).map { _ in number() }
      return (
        "matrix \(bus) \(levels)", answer { () throws(AudioStatus) in try mixer.setMatrixLevels(levels, input: bus) }
      )
    }
    let property = unit.properties[Int.random(in: 0..<unit.properties.count, using: &random)]
    let (name, value) = PropertyTableTests.values[Int.random(in: 0..<PropertyTableTests.values.count, using: &random)]
    let (scope, element) = (scope(), element())
    return (
      "\(property.name) \(scope) \(element) = \(name)",
      answer { () throws(AudioStatus) in try unit.setProperty(property.id, scope, element: element, to: value) }
    )
  }

  private mutating func schedule(_ player: ScheduledFilePlayer) -> (String, String) {
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      let paths = [[SoundFiles.stereo], [SoundFiles.mono], [SoundFiles.mono, SoundFiles.stereo]][
        Int.random(in: 0..<3, using: &random)]
      return ("files \(paths.count)", (try? player.setFiles(paths)) == nil ? "refused" : "")
    case 1:
      let start = Bool.random(using: &random) ? Double(time) + 50.4 : nil
      player.setStartTime(sampleTime: start)
      return ("start \(start ?? -1)", "")
    case 2:
      let frames = UInt32.random(in: 0...3000, using: &random)
      return ("prime \(frames)", answer { () throws(AudioStatus) in try player.prime(frames: frames) })
    default:
      let counts = counts
      let region = ScheduledRegion(
        file: Int.random(in: 0...1, using: &random), startFrame: Int64.random(in: -1...2000, using: &random),
        frameCount: UInt32.random(in: 0...900, using: &random), loopCount: UInt32.random(in: 0...2, using: &random),
        sampleTime: Bool.random(using: &random) ? Int64.random(in: 0...2000, using: &random) : nil
      ) { end in counts.ends.append("\(end)") }
      return (
        "region \(region.file) \(region.startFrame)+\(region.frameCount)x\(region.loopCount) at \(region.sampleTime ?? -1)",
        answer { () throws(AudioStatus) in try player.scheduleRegion(region) }
      )
    }
  }

  // MARK: Random arguments

  private func answer(_ body: () throws(AudioStatus) -> Void) -> String {
    let status = status(body)
    return status == .noError ? "" : "\(status)"
  }

  private mutating func scope() -> Scope {
    [Scope.global, .input, .input, .input, .output, .output, .output, Scope.group][
      Int.random(in: 0..<8, using: &random)]
  }

  private mutating func element() -> Int { [0, 0, 0, 0, 0, 0, 1, 1, 2, 9, -1][Int.random(in: 0..<11, using: &random)] }

  private mutating func number() -> Float {
    [0, 0.25, 0.5, 1, -1, 3, 100, 440.5, 9000, -60, .nan, 1e9][Int.random(in: 0..<12, using: &random)]
  }

  private mutating func address() -> ParameterAddress {
    let all = unit.allParameters
    if !all.isEmpty, Int.random(in: 0..<8, using: &random) > 0 {
      return all[Int.random(in: 0..<min(all.count, 30), using: &random)].address
    }
    return ParameterAddress(UInt32.random(in: 0..<3, using: &random), scope: scope(), element: element())
  }

  private mutating func event() -> ParameterEvent {
    let address = address()
    if Bool.random(using: &random) {
      return .immediate(address, offset: UInt32.random(in: 0...300, using: &random), value: number())
    }
    return .ramp(
      address, startOffset: Int32.random(in: -100...300, using: &random),
      durationFrames: UInt32.random(in: 0...400, using: &random), from: number(), to: number())
  }

  private mutating func format() -> StreamFormat {
    let encodings: [SampleEncoding] = [.float32, .float32, .float32, .int16, .int24, .uint8, .float64, .fixed8_24]
    return StreamFormat(
      sampleRate: [44_100, 44_100, 44_100, 48_000, 22_050, 0][Int.random(in: 0..<6, using: &random)],
      channelCount: [1, 2, 2, 2, 4, 6, 0][Int.random(in: 0..<7, using: &random)],
      encoding: encodings[Int.random(in: 0..<8, using: &random)],
      isInterleaved: Int.random(in: 0..<4, using: &random) == 0)
  }
}
