// Units of a graph pull one another through wires from the second slice behind an edit on, and with several threads
// branches of them render ahead. A graph that is listened to everywhere has neither: whatever a host does, all must
// answer and sound the same.

import AudioCore
import AudioEngine
import AudioToolbox
import Foundation
import Glibc
import HandOver
import RenderGraph
import TestSupport
import Testing

@Suite("Units that pull one another through wires")
struct WireTests {
  /// One thing that a host does; numbers beyond what there is mean what is left of them by division.
  enum Act {
    /// The last: the slice that the output rendered last, with as many frames.
    enum Stamp { case next, same, back, fraction, hostTime, nothing, asOutput }
    case render(frames: UInt32, Stamp, isSilent: Bool, ownMemory: Bool)
    case renderInside(unit: Int, frames: UInt32, Stamp, ownMemory: Bool)
    /// A unit is pulled for another time, and then each for the slice that the output rendered last.
    case inspect(unit: Int, frames: UInt32)
    case push(unit: Int, frames: UInt32)
    case parameter(unit: Int, index: Int, Float)
    case reset(unit: Int)
    case restart(unit: Int)
    case listen(unit: Int)
    case reconnect(unit: Int)
    case dispose(unit: Int)
    /// The status and flags of callbacks from now on.
    case source(status: OSStatus, isSilent: Bool, isZero: Bool)
    /// The act of a callback of the next slice, after so many others.
    case inside(Inside, after: Int)
    enum Inside {
      case render(unit: Int, frames: UInt32, isLater: Bool)
      case reset(unit: Int)
      case parameter(unit: Int, index: Int, Float)
      case restart(unit: Int)
    }
  }

  @Test("the engine knows the flag of silence by the interface's number")
  func flag() {
    #expect(HostCall.outputIsSilence == AudioUnitRenderActionFlags.unitRenderAction_OutputIsSilence.rawValue)
  }

  /// `WIRE_SEEDS`, by itself for a long hunt, is how many graphs each case tries.
  @Test("sound and answer as units that are listened to", arguments: 0..<12)
  func equality(group: Int) throws {
    let count = ProcessInfo.processInfo.environment["WIRE_SEEDS"].flatMap { Int($0) } ?? 100
    var silent = 0
    let branches = CountingRunner()
    for seed in group * count..<(group + 1) * count {
      var generator = SeededGenerator(seed: UInt64(seed) &* 7919 &+ 1)
      let shape = Rig.Shape(&generator)
      let acts = (0..<80).map { _ in Act(&generator) }
      let (wired, heard) = (try Rig(shape, isHeard: false), try Rig(shape, isHeard: true))
      let ahead = try Rig(shape, isHeard: false, branches)
      for (place, act) in acts.enumerated() {
        let wanted = heard.answer(to: act)
        for (name, rig) in [("one thread", wired), ("three threads", ahead)] {
          let answer = rig.answer(to: act)
          let word = zip(answer, wanted).prefix { $0 == $1 }.count
          #expect(
            answer == wanted ? true : false,
            "seed \(seed), \(name), act \(place): \(act), word \(word) of \(wanted.count); \(shape); before: \(acts[max(0, place - 6)..<place])"
          )
          guard answer == wanted else { return }
        }
      }
      if !wired.heardSound { silent += 1 }
    }
    // A broken source or a stale handle may silence a graph from the start.
    #expect(silent * 10 < count)
    #expect(branches.count > count)
  }
}

/// Three threads that count what they have rendered: of four stretches one is pulled as all else is, one is rendered by
/// the thread that pulls it, and two by all.
private final class CountingRunner: BranchRunner, @unchecked Sendable {
  private let threads = BranchThreads(threads: 3, rule: .always)
  private(set) var count = 0
  private var turn = 0

  func claim(costs: Plane<WorkCost>, frames: Int) -> HandOverChoice {
    turn += 1
    if turn % 4 == 0 { return .plain }
    let choice = threads.claim(costs: costs, frames: frames)
    guard turn % 4 == 1, case .shared = choice else { return choice }
    return .alone
  }

  func release() { threads.release() }

  func run(
    _ choice: HandOverChoice, _ branches: Range<Int>, of list: any BranchList, costs: Plane<WorkCost>,
    sampleTime: Int64, frames: Int
  ) {
    count += branches.filter(list.isActive).count
    threads.run(choice, branches, of: list, costs: costs, sampleTime: sampleTime, frames: frames)
  }
}

extension WireTests.Act {
  init(_ generator: inout SeededGenerator) {
    let unit = Int.random(in: 0..<1000, using: &generator)
    let index = Int.random(in: 0..<1000, using: &generator)
    let frames = UInt32([1, 64, 64, 128, 300, 512, 0, 5000][Int.random(in: 0..<8, using: &generator)])
    let value = Float.random(in: 0...1, using: &generator)
    let isOdd = Bool.random(using: &generator)
    let stamps: [Stamp] = [
      .next, .next, .next, .next, .same, .back, .fraction, .hostTime, .nothing, .asOutput, .asOutput,
    ]
    let stamp = stamps[Int.random(in: 0..<stamps.count, using: &generator)]
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<50:
      self = .render(
        frames: frames, stamp, isSilent: index % 10 == 0, ownMemory: isOdd)
    case 50..<55: self = .renderInside(unit: unit, frames: frames, stamp, ownMemory: isOdd)
    case 55..<60: self = .inspect(unit: unit, frames: frames)
    case 60..<62: self = .push(unit: unit, frames: frames)
    case 62..<70: self = .parameter(unit: unit, index: index, value)
    case 70..<74: self = .reset(unit: unit)
    case 74..<77: self = .restart(unit: unit)
    case 77..<79: self = .listen(unit: unit)
    case 79..<82: self = .reconnect(unit: unit)
    case 82..<90:
      self = .source(
        status: index % 8 == 0 ? -1 : noErr, isSilent: index % 3 == 0, isZero: isOdd)
    case 90..<93: self = .inside(.render(unit: unit, frames: frames, isLater: isOdd), after: index % 4)
    case 93..<95: self = .inside(.reset(unit: unit), after: index % 4)
    case 95..<98: self = .inside(.parameter(unit: unit, index: index, value), after: index % 4)
    case 98: self = .inside(.restart(unit: unit), after: index % 4)
    default: self = index % 3 == 0 ? .dispose(unit: unit) : .reset(unit: unit)
    }
  }
}

/// A graph of random shape with everything that a host does to it.
private final class Rig {
  /// The kind of each unit, nil for a file player, and the units that feed its inputs; an input without one has a
  /// callback. The last is pulled.
  struct Shape: CustomStringConvertible {
    var kinds: [OpenedUnit.Kind?] = []
    var inputs: [[Int?]] = []
    /// Players whose regions say when they have ended.
    var reporters: Set<Int> = []

    init(_ generator: inout SeededGenerator) {
      var free: [Int] = []
      let hasPlayers = Int.random(in: 0..<3, using: &generator) > 0
      for place in 0..<Int.random(in: 2...9, using: &generator) {
        if hasPlayers, Int.random(in: 0..<2, using: &generator) == 0 {
          kinds.append(nil)
          inputs.append([])
          if Int.random(in: 0..<4, using: &generator) == 0 { reporters.insert(place) }
          free.append(place)
          continue
        }
        let kinds: [OpenedUnit.Kind] = [.mixer, .mixer, .nBandEQ, .nBandEQ, .lowPass, .converter, .iPodEQ]
        self.kinds.append(kinds[Int.random(in: 0..<kinds.count, using: &generator)])
        let count = self.kinds[place] == .mixer ? Int.random(in: 1...3, using: &generator) : 1
        inputs.append(
          (0..<count).map { _ in
            guard !free.isEmpty, Int.random(in: 0..<5, using: &generator) > 0 else { return nil }
            return free.removeLast()
          })
        free.append(place)
      }
      // Whatever is left goes into one mixer, and that into the output.
      if free.count > 1 {
        kinds.append(.mixer)
        inputs.append(free.map { $0 })
        free = [kinds.count - 1]
      }
      kinds.append(.genericOutput)
      inputs.append([free.last])
    }

    var description: String {
      zip(kinds, inputs).map {
        "\($0?.rawValue ?? "player")(\($1.map { $0.map(String.init) ?? "-" }.joined(separator: ",")))"
      }
      .joined(separator: " ")
    }
  }

  /// The result of an act, in words of bits.
  typealias Answer = [UInt64]

  private let bench: GraphBench
  private let shape: Shape
  private var nodes: [AUNode] = []
  private var units: [AudioUnit] = []
  private var parameters: [[AudioUnitParameterID]] = []
  private var time = 0.0
  private var hostTime: UInt64 = 1000
  private var outputTime = 0.0
  private var outputFrames: UInt32 = 64
  private var sourceStatus = noErr
  private var isSilent = false
  private var isZero = false
  private var inside: WireTests.Act.Inside?
  private var callbacksToGo = 0
  private var log: Answer = []
  private(set) var heardSound = false

  init(_ shape: Shape, isHeard: Bool, _ branchRunner: CountingRunner? = nil) throws {
    self.shape = shape
    bench = try GraphBench(branchRunner)
    for kind in shape.kinds {
      let codes = (kind?.rawValue ?? "augnafpl").utf8.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      nodes.append(try bench.add(UInt32(codes >> 32), UInt32(truncatingIfNeeded: codes)))
    }
    try #require(AUGraphOpen(bench.graph) == noErr)
    units = try nodes.map { try bench.unit($0) }
    for (place, sources) in shape.inputs.enumerated() {
      if shape.kinds[place] == .mixer {
        var count = UInt32(sources.count)
        try #require(
          AudioUnitSetProperty(units[place], kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &count, 4)
            == noErr)
      }
      for (bus, source) in sources.enumerated() { connect(source, place, bus) }
    }
    try #require(AUGraphInitialize(bench.graph) == noErr)
    for place in units.indices { play(place) }
    for unit in units where isHeard {
      try #require(AudioUnitAddRenderNotify(unit, { _, _, _, _, _, _ in noErr }, Self.nobody) == noErr)
    }
    parameters = units.map { unit in
      var size: UInt32 = 0
      AudioUnitGetPropertyInfo(unit, kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0, &size, nil)
      var list = [AudioUnitParameterID](repeating: 0, count: Int(size) / 4)
      AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0, &list, &size)
      return list
    }
  }

  private nonisolated(unsafe) static let nobody = UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped

  private func connect(_ source: Int?, _ place: Int, _ bus: Int) {
    if let source {
      log.append(UInt64(bitPattern: Int64(bench.connect(nodes[source], to: nodes[place], input: UInt32(bus)))))
    } else {
      var callback = AURenderCallbackStruct(
        inputProc: Self.source, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
      log.append(
        UInt64(bitPattern: Int64(AUGraphSetNodeInputCallback(bench.graph, nodes[place], UInt32(bus), &callback))))
    }
  }

  private static let source: AURenderCallback = { context, flags, timeStamp, bus, frames, data in
    Unmanaged<Rig>.fromOpaque(context).takeUnretainedValue().deliver(flags, timeStamp, bus, frames, data)
  }

  private func deliver(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    _ bus: UInt32,
    _ frames: UInt32, _ data: UnsafeMutablePointer<AudioBufferList>?
  ) -> OSStatus {
    log += [UInt64(flags.pointee.rawValue), timeStamp.pointee.mSampleTime.bitPattern, UInt64(bus), UInt64(frames)]
    if callbacksToGo > 0 {
      callbacksToGo -= 1
    } else if let act = inside {
      inside = nil
      self.do(act)
    }
    if isSilent { flags.pointee.insert(.unitRenderAction_OutputIsSilence) }
    guard let data else { return sourceStatus }
    for (channel, buffer) in UnsafeMutableAudioBufferListPointer(data).enumerated() {
      guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
      for frame in 0..<Int(frames) {
        let phase = (timeStamp.pointee.mSampleTime + Double(frame)) * Double(channel + 3) * 0.01
        samples[frame] = isZero ? 0 : Float(sin(phase))
      }
    }
    return sourceStatus
  }

  private func `do`(_ act: WireTests.Act.Inside) {
    switch act {
    case .render(let unit, let frames, let isLater):
      var stamp = AudioTimeStamp()
      stamp.mSampleTime = isLater ? time + 10_000 : time
      stamp.mFlags = .sampleTimeValid
      pull(unit % units.count, frames, stamp, isSilent: false, ownMemory: true)
    case .reset(let unit): note(AudioUnitReset(units[unit % units.count], kAudioUnitScope_Global, 0))
    case .parameter(let unit, let index, let value): set(unit, index, value)
    case .restart(let unit): restart(unit)
    }
  }

  /// Lets a player begin with the next slice; other units are left alone.
  private func play(_ place: Int) {
    guard shape.kinds[place] == nil, let file = Self.file else { return }
    let isReporter = shape.reporters.contains(place)
    var region = ScheduledAudioFileRegion(
      mTimeStamp: AudioTimeStamp(), mCompletionProc: isReporter ? Self.ended : nil,
      mCompletionProcUserData: Unmanaged.passUnretained(self).toOpaque(), mAudioFile: file, mLoopCount: 3,
      mStartFrame: Int64(place * 5000), mFramesToPlay: isReporter ? 700 : 5000)
    region.mTimeStamp.mFlags = .sampleTimeValid
    var files: AudioFileID? = file
    var start = AudioTimeStamp()
    start.mSampleTime = -1
    start.mFlags = .sampleTimeValid
    note(AudioUnitSetProperty(units[place], kAudioUnitProperty_ScheduledFileIDs, kAudioUnitScope_Global, 0, &files, 8))
    note(
      AudioUnitSetProperty(
        units[place], kAudioUnitProperty_ScheduledFileRegion, kAudioUnitScope_Global, 0, &region,
        UInt32(MemoryLayout<ScheduledAudioFileRegion>.size)))
    note(
      AudioUnitSetProperty(
        units[place], kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitScope_Global, 0, &start,
        UInt32(MemoryLayout<AudioTimeStamp>.size)))
  }

  private static let ended: ScheduledAudioFileRegionCompletionProc = { context, _, status in
    context.map { Unmanaged<Rig>.fromOpaque($0).takeUnretainedValue().ended(status) }
  }

  /// Does what a callback would do, now and then.
  private func ended(_ status: OSStatus) {
    note(status)
    if let act = inside {
      inside = nil
      self.do(act)
    }
  }

  private nonisolated(unsafe) static let file = openFile(Repository.path + "/fixtures/audio/drums.flac").1

  private func note(_ status: OSStatus) { log.append(UInt64(bitPattern: Int64(status))) }

  private func set(_ unit: Int, _ index: Int, _ value: Float) {
    let unit = unit % units.count
    guard !parameters[unit].isEmpty else { return }
    let id = parameters[unit][index % parameters[unit].count]
    var info = AudioUnitParameterInfo()
    var size = UInt32(MemoryLayout<AudioUnitParameterInfo>.size)
    note(
      AudioUnitGetProperty(units[unit], kAudioUnitProperty_ParameterInfo, kAudioUnitScope_Global, id, &info, &size))
    let there = info.minValue + (info.maxValue - info.minValue) * value
    note(AudioUnitSetParameter(units[unit], id, kAudioUnitScope_Global, 0, there, 0))
  }

  private func restart(_ unit: Int) {
    note(AudioUnitUninitialize(units[unit % units.count]))
    note(AudioUnitInitialize(units[unit % units.count]))
    play(unit % units.count)
  }

  func answer(to act: WireTests.Act) -> Answer {
    log = []
    switch act {
    case .render(let frames, let stamp, let isSilent, let ownMemory):
      let there = self.stamp(stamp, frames)
      (outputTime, outputFrames) = (there.mSampleTime, frames)
      pull(units.count - 1, frames, there, isSilent: isSilent, ownMemory: ownMemory)
    case .renderInside(let unit, let frames, let stamp, let ownMemory):
      let count = stamp == .asOutput ? outputFrames : frames
      pull(unit % units.count, count, self.stamp(stamp, frames), isSilent: false, ownMemory: ownMemory)
    case .inspect(let unit, let frames):
      pull(unit % units.count, frames, stamp(.next, frames), isSilent: false, ownMemory: true)
      for place in units.indices {
        pull(place, outputFrames, stamp(.asOutput, frames), isSilent: false, ownMemory: true)
      }
    case .push(let unit, let frames):
      let buffers = RenderBuffers(frames: Int(frames))
      var stamp = self.stamp(.next, frames)
      note(AudioUnitProcess(units[unit % units.count], nil, &stamp, frames, buffers.pointer))
      log += buffers.samples(frames: Int(frames)).map { UInt64($0.bitPattern) }
    case .parameter(let unit, let index, let value): set(unit, index, value)
    case .reset(let unit):
      note(AudioUnitReset(units[unit % units.count], kAudioUnitScope_Global, 0))
      play(unit % units.count)
    case .restart(let unit): restart(unit)
    case .listen(let unit):
      let unit = units[unit % units.count]
      note(AudioUnitAddPropertyListener(unit, kAudioUnitProperty_LastRenderError, { _, _, _, _, _ in }, Self.nobody))
    case .reconnect(let unit):
      let place = unit % units.count
      for (bus, source) in shape.inputs[place].enumerated() {
        note(AUGraphDisconnectNodeInput(bench.graph, nodes[place], UInt32(bus)))
        note(AUGraphUpdate(bench.graph, nil))
        connect(source, place, bus)
      }
      note(AUGraphUpdate(bench.graph, nil))
    case .dispose(let unit):
      // Its handle is stale from then on.
      note(AudioComponentInstanceDispose(units[unit % units.count]))
    case .source(let status, let isSilent, let isZero):
      (sourceStatus, self.isSilent, self.isZero) = (status, isSilent, isZero)
    case .inside(let act, let others): (inside, callbacksToGo) = (act, others)
    }
    for unit in units {
      var (error, last, size) = (OSStatus(0), 0.0, UInt32(4))
      note(AudioUnitGetProperty(unit, kAudioUnitProperty_LastRenderError, kAudioUnitScope_Global, 0, &error, &size))
      size = 8
      note(AudioUnitGetProperty(unit, kAudioUnitProperty_LastRenderSampleTime, kAudioUnitScope_Global, 0, &last, &size))
      note(error)
      log.append(last.bitPattern)
    }
    return log
  }

  private func stamp(_ kind: WireTests.Act.Stamp, _ frames: UInt32) -> AudioTimeStamp {
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    switch kind {
    case .next: time += Double(frames)
    case .same: break
    case .back: time = max(0, time - 200)
    case .fraction: time += 0.5
    case .hostTime:
      stamp.mFlags = .hostTimeValid
      hostTime += 100
    case .nothing: stamp.mFlags = []
    case .asOutput: break
    }
    stamp.mSampleTime = kind == .asOutput ? outputTime : time
    stamp.mHostTime = hostTime
    return stamp
  }

  private func pull(_ place: Int, _ frames: UInt32, _ stamp: AudioTimeStamp, isSilent: Bool, ownMemory: Bool) {
    let buffers = RenderBuffers(frames: Int(frames), ownMemory: ownMemory)
    var stamp = stamp
    var flags = AudioUnitRenderActionFlags(rawValue: 0)
    if isSilent { flags.insert(.unitRenderAction_OutputIsSilence) }
    let status = AudioUnitRender(units[place], &flags, &stamp, 0, frames, buffers.pointer)
    note(status)
    log.append(UInt64(flags.rawValue))
    guard status == noErr else { return }
    for buffer in buffers.list {
      guard let data = buffer.mData?.assumingMemoryBound(to: UInt32.self) else { continue }
      for frame in 0..<Int(frames) {
        log.append(UInt64(data[frame]))
        if data[frame] != 0 { heardSound = true }
      }
    }
  }
}
