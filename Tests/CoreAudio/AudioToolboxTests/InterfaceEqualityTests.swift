// The C interface renders the same bits as the engine: every unit and a whole graph, in random slices there and in
// slices of one length here.

import AudioCore
import AudioEngine
import AudioToolbox
import BuiltInUnits
import RenderGraph
import TestSupport
import Testing

@Suite("The C interface sounds like the engine")
struct InterfaceEqualityTests {
  /// The engine's rendering, in slices of 1000 that are cut at the events.
  private func expected(_ unit: AudioEngine.Unit, _ subject: InterfaceSubject) throws -> [[UInt8]] {
    var bytes = [[UInt8]](repeating: [], count: subject.output.bufferCount)
    var at = 0
    for frames in Partition.reference.lengths(total: InterfaceSubject.frames, bounds: subject.events.map(\.frame)) {
      for event in subject.events where event.frame == at {
        try unit.setParameter(event.setting.address, to: event.setting.value)
      }
      let bus = try unit.render(sampleTime: Int64(at), frames: frames)
      for index in bytes.indices {
        bytes[index] += UnsafeRawBufferPointer(
          start: bus.buffers[index], count: frames * subject.output.bytesPerFrame)
      }
      at += frames
    }
    return bytes
  }

  @Test("each unit, whatever the slices and whoever's the memory", arguments: InterfaceSubject.all, [UInt64(1), 2, 3])
  func units(subject: InterfaceSubject, seed: UInt64) throws {
    let wanted = try expected(try subject.makeUnit(), subject)
    #expect(wanted[0].contains { $0 != 0 })
    let host = try subject.open()
    var bytes = [[UInt8]](repeating: [], count: subject.output.bufferCount)
    var at = 0
    let lengths = Partition.random(seed: seed).lengths(
      total: InterfaceSubject.frames, bounds: subject.events.map(\.frame))
    for (slice, frames) in lengths.enumerated() {
      for event in subject.events where event.frame == at { #expect(host.set(event.setting) == noErr) }
      try #require(host.render(at: at, frames: frames, intoOwnMemory: slice % 3 != 0) == noErr)
      for (index, more) in host.bytes(frames: frames).enumerated() { bytes[index] += more }
      at += frames
    }
    #expect(host.failures == 0)
    let difference = firstDifference(bytes, wanted, bytesPerFrame: subject.output.bytesPerFrame)
    #expect(difference == nil, "\(difference ?? "")")
  }

  /// A region of a file of 48 kHz, from a frame on, played twice.
  @Test("a scheduled region of a file, and the file player of graph files", arguments: [UInt64(1), 2])
  func filePlayer(seed: UInt64) throws {
    let path = Repository.path + "/fixtures/audio/tabla-48000.flac"
    let player = try FilePlayer(path)
    player.startFrame = 777
    player.region = 100..<3100
    player.loops = 1
    let format = StreamFormat(sampleRate: 44_100, channelCount: try #require(player.file).channelCount)
    try player.setStreamFormat(format, .output)
    try player.initialize()
    var wanted = [[UInt8]](repeating: [], count: format.bufferCount)
    for slice in 0..<9 {
      let bus = try player.render(sampleTime: Int64(slice * 1000), frames: 1000)
      for index in wanted.indices { wanted[index] += UnsafeRawBufferPointer(start: bus.buffers[index], count: 4000) }
    }
    #expect(wanted[0].contains { $0 != 0 })

    let host = try ScheduledPlayer(path, format, region: 100..<3100, loops: 1, at: 777)
    var bytes = [[UInt8]](repeating: [], count: format.bufferCount)
    var at = 0
    for frames in Partition.random(seed: seed).lengths(total: 9000) {
      try #require(host.host.render(at: at, frames: frames) == noErr)
      for (index, more) in host.host.bytes(frames: frames).enumerated() { bytes[index] += more }
      at += frames
    }
    let difference = firstDifference(bytes, wanted, bytesPerFrame: 4)
    #expect(difference == nil, "\(difference ?? "")")
  }

  /// Three sounds into a mixer into an equalizer into the output.
  @Test("a whole graph", arguments: [UInt64(1), 2, 3])
  func graph(seed: UInt64) throws {
    let total = 20_000
    let volumes: [Float] = [0.5, 0.8, 0.3]
    let sources = (1...3).map { GraphSource(UInt64($0)) }

    let graph = Graph(sampleRate: 44_100)
    let engineMixer = try graph.add(MultichannelMixer(inputs: 3))
    for (bus, source) in sources.enumerated() {
      try engineMixer.setRenderCallback(
        RenderCallback { time, _, frames, buffer in
          for channel in 0..<2 {
            for frame in 0..<frames {
              buffer.planes[channel][frame] = source.sample(Int(time) + frame, channel: channel)
            }
          }
          return .noError
        }, input: bus)
      try engineMixer.setVolume(volumes[bus], input: bus)
    }
    let engineEqualizer = try graph.add(IPodEQ(preset: 17))
    try graph.connect(engineMixer, to: engineEqualizer)
    try graph.connect(engineEqualizer, to: try graph.add(GenericOutput()))
    let renderer = GraphRenderer(try graph.compile(parallel: false))
    var wanted: [[Float]] = [[], []]
    for slice in 0..<(total / 1000) {
      try renderer.render(sampleTime: Int64(slice * 1000), frames: 1000) { output, _, frames in
        for channel in 0..<2 {
          wanted[channel] += output.planes[channel].prefix(frames).elements
        }
      }
    }

    let bench = try GraphBench()
    let (output, mixer, equalizer) = (try bench.addOutput(), try bench.addMixer(), try bench.addEqualizer())
    expectNoError(bench.connect(mixer, to: equalizer))
    expectNoError(bench.connect(equalizer, to: output))
    expectNoError(AUGraphOpen(bench.graph))
    try bench.select(preset: 17, equalizer)
    for (bus, source) in sources.enumerated() {
      expectNoError(bench.feed(mixer, input: UInt32(bus), source))
      let status = AudioUnitSetParameter(
        try bench.unit(mixer), mixerVolume, kAudioUnitScope_Input, UInt32(bus), volumes[bus], 0)
      expectNoError(status)
    }
    expectNoError(AUGraphInitialize(bench.graph))
    let head = try bench.unit(output)
    var signal: [[Float]] = [[], []]
    for frames in Partition.random(seed: seed).lengths(total: total) {
      let result = renderSlice(head, at: signal[0].count, frames: frames)
      try #require(result.status == noErr)
      for channel in 0..<2 { signal[channel] += result.signal[channel] }
    }
    let difference = firstDifference(signal, wanted)
    #expect(difference == nil, "\(difference ?? "")")
  }
}

/// A file player of the C interface with one region scheduled.
final class ScheduledPlayer {
  let host: InterfaceHost
  private let file: AudioFileID

  init(_ path: String, _ format: StreamFormat, region: Range<Int64>, loops: UInt32, at frame: Int) throws {
    let opened = try OpenedUnit(type: kAudioUnitType_Generator, kAudioUnitSubType_AudioFilePlayer)
    host = InterfaceHost(opened, output: format)
    let (status, file) = openFile(path)
    try #require(status == noErr)
    self.file = try #require(file)
    try #require(
      opened.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, to: format.audioStreamBasicDescription)
        == noErr)
    try #require(opened.set(kAudioUnitProperty_ScheduledFileIDs, to: self.file) == noErr)
    try #require(AudioUnitInitialize(opened.unit) == noErr)
    var scheduled = ScheduledAudioFileRegion(
      mTimeStamp: AudioTimeStamp(), mCompletionProc: nil, mCompletionProcUserData: nil, mAudioFile: self.file,
      mLoopCount: loops, mStartFrame: region.lowerBound, mFramesToPlay: UInt32(region.count))
    scheduled.mTimeStamp.mFlags = .sampleTimeValid
    scheduled.mTimeStamp.mSampleTime = Double(frame)
    try #require(opened.set(kAudioUnitProperty_ScheduledFileRegion, to: scheduled) == noErr)
    try #require(prime() == noErr)
    var start = AudioTimeStamp()
    start.mFlags = .sampleTimeValid
    try #require(opened.set(kAudioUnitProperty_ScheduleStartTimeStamp, to: start) == noErr)
  }

  func prime() -> OSStatus { host.opened.set(kAudioUnitProperty_ScheduledFilePrime, to: UInt32(0)) }

  deinit {
    host.opened.dispose()
    AudioFileClose(file)
  }
}
