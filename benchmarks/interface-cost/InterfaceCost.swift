// What the C interface costs: the same unit, rendered by the engine's own call and through AudioUnitRender, in turns in
// one run. Prints nanoseconds per call, and the difference. Then what threads give: a graph of file players, each through
// an equalizer into one mixer.

import AudioCore
import AudioEngine
import AudioToolbox
import BuiltInUnits
import Foundation
import Glibc
import RenderGraph

@main
struct InterfaceCost {
  /// Keeps what is copied from being left out.
  nonisolated(unsafe) static var keep: Float = 0

  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The fastest of some rounds, in nanoseconds per call: what disturbs a round only makes it longer.
  static func best(calls: Int, rounds: Int = 30, _ body: (Int) -> Void) -> Double {
    var least = Double.infinity
    for _ in 0..<rounds {
      let start = now()
      for call in 0..<calls { body(call) }
      least = min(least, Double(now() - start) / Double(calls))
    }
    return least
  }

  static func main() throws {
    print("unit               frames   engine ns   interface ns   difference ns")
    for (subType, name) in [
      (kAudioUnitSubType_LowPassFilter, "low pass"), (kAudioUnitSubType_NBandEQ, "8 idle bands"),
    ] {
      for frames in [1, 64, 512, 4096] {
        let engine = try engineCost(subType, frames: frames)
        let interface = interfaceCost(subType, frames: frames)
        let columns = [engine, interface, interface - engine].map { String(Int(clamping: $0.rounded())) }
        print(
          name.padded(18), String(frames).leftPadded(6), columns[0].leftPadded(11), columns[1].leftPadded(14),
          columns[2].leftPadded(15))
      }
    }
    print("\nplayers   frames   1 thread µs   2 threads µs   ratio")
    for players in [2, 8, 32] {
      for frames in [64, 512] {
        let times = [1, 2].map { graphCost(players: players, threads: $0, frames: frames) }
        let columns = times.map { String(Int(clamping: ($0 / 1000).rounded())) }
        let ratio = (times[0] / times[1] * 100).rounded() / 100
        print(
          String(players).leftPadded(7), String(frames).leftPadded(8), columns[0].leftPadded(13),
          columns[1].leftPadded(14),
          "\(ratio)".leftPadded(7))
      }
    }
  }

  /// The time of a slice of a graph, in nanoseconds.
  static func graphCost(players: Int, threads: Int, frames: Int) -> Double {
    var made: AUGraph?
    let runner = threads > 1 ? BranchThreads(threads: threads) : nil
    guard newAUGraph(&made, branchRunner: runner) == noErr, let graph = made else { return .nan }
    defer { DisposeAUGraph(graph) }
    func add(_ type: UInt32, _ subType: UInt32) -> AUNode {
      var wanted = AudioComponentDescription(
        componentType: type, componentSubType: subType, componentManufacturer: kAudioUnitManufacturer_Apple,
        componentFlags: 0, componentFlagsMask: 0)
      var node: AUNode = 0
      AUGraphAddNode(graph, &wanted, &node)
      return node
    }
    let output = add(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
    let mixer = add(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    let sources = (0..<players).map { _ in
      (
        player: add(kAudioUnitType_Generator, kAudioUnitSubType_AudioFilePlayer),
        equalizer: add(kAudioUnitType_Effect, kAudioUnitSubType_NBandEQ)
      )
    }
    AUGraphOpen(graph)
    func unit(_ node: AUNode) -> AudioUnit? {
      var unit: AudioUnit?
      AUGraphNodeInfo(graph, node, nil, &unit)
      return unit
    }
    var file: AudioFileID?
    guard AudioFileOpenURL(URL(fileURLWithPath: "fixtures/audio/drums.flac"), .readPermission, 0, &file) == noErr,
      let file,
      let mixerUnit = unit(mixer), let head = unit(output)
    else { return .nan }
    defer { AudioFileClose(file) }
    func set<Value: BitwiseCopyable>(_ node: AUNode, _ id: UInt32, _ value: Value) {
      guard let unit = unit(node) else { return }
      var value = value
      AudioUnitSetProperty(unit, id, kAudioUnitScope_Global, 0, &value, UInt32(MemoryLayout<Value>.size))
    }
    var count = UInt32(players)
    AudioUnitSetProperty(mixerUnit, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &count, 4)
    for (bus, source) in sources.enumerated() {
      AUGraphConnectNodeInput(graph, source.player, 0, source.equalizer, 0)
      AUGraphConnectNodeInput(graph, source.equalizer, 0, mixer, UInt32(bus))
    }
    AUGraphConnectNodeInput(graph, mixer, 0, output, 0)
    AUGraphInitialize(graph)
    for source in sources {
      guard let equalizer = unit(source.equalizer) else { continue }
      for band in 0..<8 as Range<UInt32> {
        AudioUnitSetParameter(equalizer, 1000 + band, kAudioUnitScope_Global, 0, 0, 0)
        AudioUnitSetParameter(equalizer, 4000 + band, kAudioUnitScope_Global, 0, 3, 0)
      }
      var region = ScheduledAudioFileRegion(
        mTimeStamp: AudioTimeStamp(), mCompletionProc: nil, mCompletionProcUserData: nil, mAudioFile: file,
        mLoopCount: 1_000_000, mStartFrame: 0, mFramesToPlay: 44_100)
      region.mTimeStamp.mFlags = .sampleTimeValid
      set(source.player, kAudioUnitProperty_ScheduledFileIDs, file)
      set(source.player, kAudioUnitProperty_ScheduledFileRegion, region)
      var start = AudioTimeStamp()
      start.mFlags = .sampleTimeValid
      start.mSampleTime = -1
      set(source.player, kAudioUnitProperty_ScheduleStartTimeStamp, start)
    }
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    for index in 0..<2 {
      list[index] = AudioBuffer(UnsafeMutableBufferPointer<Float>.allocate(capacity: frames), numberOfChannels: 1)
    }
    defer { for buffer in list { buffer.mData?.deallocate() } }
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    return best(calls: 200) { _ in
      keep += Float(AudioUnitRender(head, nil, &stamp, 0, UInt32(frames), list.unsafeMutablePointer))
      stamp.mSampleTime += Double(frames)
    }
  }

  static func calls(_ frames: Int) -> Int { max(200, 100_000 / (frames + 20)) }

  static func engineCost(_ subType: UInt32, frames: Int) throws -> Double {
    let wanted = ComponentDescription(
      type: .effect, subType: FourCharCode(rawValue: subType))
    guard let component = ComponentRegistry.builtIn.matching(wanted).first else { return .nan }
    let unit = component.make()
    try unit.setMaximumFramesPerSlice(4096)
    try unit.setRenderCallback(RenderCallback { _, _, _, _ in .noError }, input: 0)
    try unit.initialize()
    var time: Int64 = 0
    let left = UnsafeMutablePointer<Float>.allocate(capacity: 4096)
    let right = UnsafeMutablePointer<Float>.allocate(capacity: 4096)
    return best(calls: calls(frames)) { _ in
      // Into memory of the caller's, as the interface is asked below.
      if let output = try? unit.render(sampleTime: time, frames: frames) {
        memcpy(left, output.buffers[0], frames * 4)
        keep = left[frames - 1]
        memcpy(right, output.buffers[1], frames * 4)
        keep += right[frames - 1]
      }
      time += Int64(frames)
    }
  }

  static func interfaceCost(_ subType: UInt32, frames: Int) -> Double {
    var wanted = AudioComponentDescription(
      componentType: kAudioUnitType_Effect, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    var instance: AudioUnit?
    guard let component = AudioComponentFindNext(nil, &wanted),
      AudioComponentInstanceNew(component, &instance) == noErr, let unit = instance
    else { return .nan }
    var most: UInt32 = 4096
    var callback = AURenderCallbackStruct(inputProc: { _, _, _, _, _, _ in noErr }, inputProcRefCon: nil)
    AudioUnitSetProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &most, 4)
    AudioUnitSetProperty(
      unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
      UInt32(MemoryLayout<AURenderCallbackStruct>.size))
    AudioUnitInitialize(unit)
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    let spare = UnsafeMutableBufferPointer<Float>.allocate(capacity: 333)
    _ = spare
    for index in 0..<2 {
      list[index] = AudioBuffer(
        UnsafeMutableBufferPointer(
          rebasing: UnsafeMutableBufferPointer<Float>.allocate(capacity: 8192)[
            (16 * (index + 1))..<(16 * (index + 1) + frames)]), numberOfChannels: 1)
    }
    return best(calls: calls(frames)) { _ in
      AudioUnitRender(unit, nil, &stamp, 0, UInt32(frames), list.unsafeMutablePointer)
      stamp.mSampleTime += Double(frames)
    }
  }
}

extension String {
  func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
  func leftPadded(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
