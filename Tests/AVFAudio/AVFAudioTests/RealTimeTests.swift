import AVFAudio
import AudioCore
import AudioEngine
import CAllocationCounter
import Foundation
import Hardware
import TestSupport
import Testing

@Suite("AVAudioEngine: in real time")
struct RealTimeTests {
  private let folder = TemporaryFolder()

  /// An engine in realtime mode at 44.1 kHz, with players of buffers and of a file, effects, a tap and a source.
  private func engine() throws -> (engine: AVAudioEngine, players: [AVAudioPlayerNode], calls: Locked<Int>) {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
    let other = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    let place = URL(fileURLWithPath: folder.file("noise.caf"))
    let written = try AVAudioFile(forWriting: place, settings: other.settings)
    try written.write(from: try EngineHarness.buffer(other, 60_000, HardwareHarness.noise))
    try written.finish()
    let engine = AVAudioEngine()
    try engine.enableManualRenderingMode(.realtime, format: format, maximumFrameCount: 512)
    let players = [AVAudioPlayerNode(), AVAudioPlayerNode(), AVAudioPlayerNode()]
    let (reverb, delay) = (AVAudioUnitReverb(), AVAudioUnitDelay())
    let source = AVAudioSourceNode(format: format) { _, _, frames, list in
      for buffer in UnsafeMutableAudioBufferListPointer(list) {
        for frame in 0..<Int(frames) { buffer.mData?.assumingMemoryBound(to: Float.self)[frame] = 0.25 }
      }
      return 0
    }
    for node in players + [reverb, delay, source] { engine.attach(node) }
    engine.connect(players[0], to: reverb, format: format)
    engine.connect(reverb, to: delay, format: format)
    engine.connect(delay, to: engine.mainMixerNode, format: format)
    engine.connect(players[1], to: engine.mainMixerNode, format: other)
    engine.connect(players[2], to: engine.mainMixerNode, format: format)
    engine.connect(source, to: engine.mainMixerNode, format: format)
    let calls = Locked(0)
    engine.mainMixerNode.installTap(onBus: 0, bufferSize: 700, format: nil) { _, _ in calls.withLock { $0 += 1 } }
    for _ in 0..<40 {
      players[0].scheduleBuffer(try EngineHarness.buffer(format, 301, HardwareHarness.noise)) {
        calls.withLock { $0 += 1 }
      }
    }
    players[1].scheduleFile(try AVAudioFile(forReading: place), at: nil)
    players[2].scheduleBuffer(try EngineHarness.buffer(format, 100, HardwareHarness.noise), at: nil, options: .loops)
    try engine.start()
    return (engine, players, calls)
  }

  @Test(
    "The block of realtime rendering allocates nothing", .enabled(if: isRelease, "counts hold in release builds only"))
  func allocations() throws {
    // An allocation of the path comes in each of three measurements. One that comes once may be the runtime's, whose caches
    // are emptied when another thread loads a library.
    var found: [String] = []
    for _ in 0..<3 {
      found = try allocationsOfSlices()
      if found.isEmpty { return }
    }
    Issue.record("\(found)")
  }

  private func allocationsOfSlices() throws -> [String] {
    var found: [String] = []
    let (engine, players, calls) = try engine()
    for player in [players[0], players[2]] { player.play() }
    let block = engine.manualRenderingBlock
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: engine.manualRenderingFormat, frameCapacity: 512))
    let list = buffer.mutableAudioBufferList
    var heard: Float = 0
    // The first call makes what the process has once.
    _ = block(512, list, nil)
    for turn in 0..<60 {
      let frames = AVAudioFrameCount(37 + 7 * turn)
      // Sets the sizes of the list.
      buffer.frameLength = frames
      allocation_counter_start()
      let status = block(frames, list, nil)
      let count = allocation_counter_stop()
      #expect(status == .success)
      if count != 0 { found.append("slice \(turn): \(String(cString: allocation_counter_first()))") }
      for frame in 0..<37 { heard = max(heard, abs(buffer.floatChannelData?[0][frame] ?? 0)) }
      players[0].volume = Float(turn) / 100
      // A file whose sound comes late must not be dearer than one that is there with the first slice.
      if turn == 5 { players[1].play() }
      if turn == 20 { engine.disconnectNodeOutput(players[2]) }
      if turn == 30 { engine.connect(players[2], to: engine.mainMixerNode, format: engine.manualRenderingFormat) }
    }
    #expect(heard > 0.3)
    #expect(eventually { calls.withLock { $0 } > 40 })
    return found
  }

  @Test("A thread that renders does not wait for one that edits")
  func locks() throws {
    let (engine, players, _) = try engine()
    players.forEach { $0.play() }
    let block = engine.manualRenderingBlock
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: engine.manualRenderingFormat, frameCapacity: 512))
    let list = buffer.mutableAudioBufferList
    engine.locked {
      let statuses = Locked(0)
      let thread = OwnThread {
        for _ in 0..<50 where block(512, list, nil) == .success { statuses.withLock { $0 += 1 } }
      }
      #expect(eventually(within: .seconds(20)) { thread.hasEnded })
      #expect(statuses.withLock { $0 } == 50)
    }
  }

  /// Seconds that the calling thread has run on a processor.
  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test("A thread that renders sleeps while an edit keeps it away, and gives up after a second")
  func held() throws {
    let (engine, players, _) = try engine()
    players.forEach { $0.play() }
    let block = engine.manualRenderingBlock
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: engine.manualRenderingFormat, frameCapacity: 512))
    buffer.frameLength = 512
    let list = buffer.mutableAudioBufferList
    let (isHeld, mayGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let holder = OwnThread {
      engine.betweenSlices {
        isHeld.signal()
        mayGo.wait()
      }
    }
    isHeld.wait()
    let before = Self.processorSeconds
    #expect(block(512, list, nil) == .cannotDoInCurrentContext)
    // Of the second: some thousand wakings. A thread that spins uses all of it.
    #expect(Self.processorSeconds - before < 0.35)
    mayGo.signal()
    #expect(eventually(within: .seconds(20)) { holder.hasEnded })
    #expect(block(512, list, nil) == .success)
  }

  @Test("In realtime mode the sound is that of offline mode")
  func sameBits() throws {
    func sound(_ mode: AVAudioEngineManualRenderingMode) throws -> [Float] {
      let (engine, players, _) = try engine()
      engine.stop()
      try engine.enableManualRenderingMode(mode, format: engine.manualRenderingFormat, maximumFrameCount: 512)
      try engine.start()
      players.forEach { $0.play() }
      let block = engine.manualRenderingBlock
      let buffer = try #require(AVAudioPCMBuffer(pcmFormat: engine.manualRenderingFormat, frameCapacity: 512))
      var out: [Float] = []
      for turn in 0..<60 {
        let frames = 37 + 7 * turn
        #expect(block(AVAudioFrameCount(frames), buffer.mutableAudioBufferList, nil) == .success)
        out += UnsafeBufferPointer(start: try #require(buffer.floatChannelData)[0], count: frames)
        // A slice takes its time: the file is read meanwhile.
        players[1].prepare(withFrameCount: 512)
      }
      return out
    }
    let expected = try sound(.offline)
    #expect(expected.contains { abs($0) > 0.3 })
    #expect(firstDifference(try sound(.realtime), expected) == nil)
  }
}
