import AudioCore
import AudioToolbox
import Glibc
import Testing

/// A render callback that writes down the memory it is given, and puts other memory in its place.
private final class Feeder {
  var memory: [UnsafeMutableRawPointer?] = []
  var byteSizes: [UInt32] = []
  /// The addresses in the buffers when it returns; nil: those that were passed in, filled with `level`.
  var answer: [UnsafeMutableRawPointer?]?
  var level: Float = 0.5

  var callback: AURenderCallbackStruct {
    AURenderCallbackStruct(
      inputProc: { context, _, _, _, frames, data in
        let feeder = Unmanaged<Feeder>.fromOpaque(context).takeUnretainedValue()
        guard let list = UnsafeMutableAudioBufferListPointer(data) else { return kAudio_ParamError }
        feeder.memory = list.map(\.mData)
        feeder.byteSizes = list.map(\.mDataByteSize)
        for index in list.indices {
          if let answer = feeder.answer {
            list[index].mData = answer[index]
          } else {
            list[index].mData?.assumingMemoryBound(to: Float.self)
              .update(repeating: feeder.level, count: Int(frames))
          }
        }
        return noErr
      }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
  }
}

/// AudioUnitRender, connections and formats, clause by clause.
@Suite struct AudioUnitRenderTests {
  typealias Kind = OpenedUnit.Kind
  static let float = StreamFormat(sampleRate: 44_100, channelCount: 2)
  static let int16 = StreamFormat(sampleRate: 44_100, channelCount: 2, encoding: .int16, isInterleaved: true)

  private static func connect(
    _ source: AudioUnit?, _ bus: UInt32 = 0, to unit: OpenedUnit, input: UInt32 = 0
  ) -> OSStatus {
    unit.set(
      kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input,
      to: AudioUnitConnection(sourceAudioUnit: source, sourceOutputNumber: bus, destInputNumber: input))
  }

  private static func render(_ unit: AudioUnit, at time: Double, frames: UInt32, into list: RenderBuffers) -> OSStatus {
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = time
    stamp.mFlags = .sampleTimeValid
    var flags = AudioUnitRenderActionFlags(rawValue: 0)
    return AudioUnitRender(unit, &flags, &stamp, 0, frames, list.pointer)
  }

  /// No unit of this package has two outputs of one render: a device's two elements are two streams that share nothing.
  @Test("The same sample time, to the bit, is the slice that is there: for any memory, puller and output of a cycle")
  func sameSampleTime() throws {
    let host = try RenderHost(.lowPass)
    host.signal = { Float($0 % 7) / 8 }
    let first = host.render().samples
    // A host that forgets to move on, and whose source has moved on.
    host.signal = { _ in 1 }
    for ownMemory in [true, true, false] {
      host.sampleTime = 0
      #expect(host.render(into: RenderBuffers(frames: 64, ownMemory: ownMemory)).samples == first)
    }
    #expect(host.pulls == [64])
    // The next number after 0.
    host.sampleTime = 0.0.nextUp
    #expect(host.render().samples != first)
    #expect(host.pulls == [64, 64])

    // Two inputs of one cycle pull the same output: it renders once.
    let mixer = try OpenedUnit(.mixer)
    for input in 0..<UInt32(2) { #expect(Self.connect(host.unit, to: mixer, input: input) == noErr) }
    expectNoError(AudioUnitInitialize(mixer.unit))
    host.forgetCalls()
    host.signal = { Float($0 % 5) / 8 }
    let list = RenderBuffers(frames: 64)
    expectNoError(Self.render(mixer.unit, at: 6400, frames: 64, into: list))
    #expect(host.pulls == [64] && host.pullTimes == [6400])
    host.sampleTime = 6400
    let once = host.render().samples
    #expect(host.pulls == [64] && once.contains { $0 != 0 })
    #expect(list.samples(frames: 64) == once.map { $0 + $0 })

    // Two outputs of one unit are pulled with the same time.
    let source = try RecordedSource()
    for bus in 0..<UInt32(2) { #expect(Self.connect(source.unit, bus, to: mixer, input: bus) == noErr) }
    expectNoError(Self.render(mixer.unit, at: 32, frames: 64, into: list))
    #expect(source.calls.map(\.bus) == [0, 1] && source.calls.map(\.sampleTime) == [32, 32])
    let sum = (32..<96).map { RecordedSource.sample($0, channel: 0) + RecordedSource.sample($0, channel: 0, bus: 1) }
    #expect(list.samples(frames: 64) == sum)
  }

  @Test("No memory means the unit's own: always so over a connection; callbacks get memory that they may replace")
  func buffersWithoutMemory() throws {
    for kind in [Kind.nBandEQ, .mixer, .genericOutput] {
      let host = try RenderHost(kind)
      host.signal = { Float($0) }
      let list = RenderBuffers(frames: 64, bytes: 0, ownMemory: false)
      #expect(host.render(into: list).samples == (0..<64).map { Float($0) })
      let pointers = list.list.map(\.mData)
      #expect(pointers.allSatisfy { $0 != nil } && Set(pointers).count == 2)
      #expect(list.list.map(\.mDataByteSize) == [256, 256])
      // Memory of the caller's stays the caller's.
      let own = RenderBuffers(frames: 64)
      let before = own.list.map(\.mData)
      #expect(host.render(into: own).samples == (64..<128).map { Float($0) })
      #expect(own.list.map(\.mData) == before)

      // A connection passes no memory, and takes what the source has.
      let source = try RecordedSource()
      expectNoError(Self.connect(source.unit, to: host.opened))
      host.sampleTime = 0
      expectNoError(host.render().status)
      host.sampleTime = 128
      let passed = host.render(into: RenderBuffers(frames: 64)).samples
      #expect(passed == (128..<192).map { RecordedSource.sample($0, channel: 0) }, "\(kind)")
      #expect(source.calls.count == 2)
      #expect(source.calls.allSatisfy { $0.memory == [nil, nil] && $0.byteSizes == [256, 256] && $0.frames == 64 })
    }

    let unit = try OpenedUnit(.nBandEQ)
    let feeder = Feeder()
    expectNoError(unit.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, to: feeder.callback))
    expectNoError(AudioUnitInitialize(unit.unit))
    let list = RenderBuffers(frames: 64)
    expectNoError(Self.render(unit.unit, at: 0, frames: 64, into: list))
    #expect(feeder.memory.allSatisfy { $0 != nil } && Set(feeder.memory).count == 2 && feeder.byteSizes == [256, 256])
    #expect(list.samples(frames: 64) == [Float](repeating: 0.5, count: 64))
    let other = RenderBuffers(frames: 64)
    for (index, buffer) in other.list.enumerated() {
      buffer.mData?.assumingMemoryBound(to: Float.self).update(repeating: 0.25 + Float(index), count: 64)
    }
    feeder.answer = other.list.map(\.mData)
    expectNoError(Self.render(unit.unit, at: 64, frames: 64, into: list))
    #expect(list.samples(frames: 64) == [Float](repeating: 0.25, count: 64))
    #expect(list.list[1].mData?.assumingMemoryBound(to: Float.self)[63] == 1.25)
    feeder.answer = [other.list[0].mData, nil]
    #expect(Self.render(unit.unit, at: 128, frames: 64, into: list) == -10851, "a callback that leaves nothing")
    // Memory of the unit's own is given unless the host has said that there is to be none.
    expectNoError(AudioUnitUninitialize(unit.unit))
    expectNoError(unit.set(kAudioUnitProperty_ShouldAllocateBuffer, kAudioUnitScope_Input, to: UInt32(0)))
    expectNoError(AudioUnitInitialize(unit.unit))
    feeder.answer = other.list.map(\.mData)
    expectNoError(Self.render(unit.unit, at: 192, frames: 64, into: list))
    #expect(feeder.memory == [nil, nil])
    withExtendedLifetime(feeder) {}
  }

  @Test("As many buffers as streams, large enough, or -50 and nothing is pulled; sizes are trimmed before rendering")
  func bufferChecks() throws {
    let host = try RenderHost(.nBandEQ)
    host.signal = { _ in 0.5 }
    for count in [0, 1, 3] {
      #expect(host.render(into: RenderBuffers(channels: count, frames: 64)).status == -50, "\(count) buffers")
    }
    expectStatus(-50, host.render(into: RenderBuffers(frames: 64, bytes: 255)).status)
    let second = RenderBuffers(frames: 64)
    second.list[1].mDataByteSize = 255
    expectStatus(-50, host.render(into: second).status)
    #expect(host.pulls.isEmpty)
    expectNoError(host.render(into: RenderBuffers(frames: 64, bytes: 256)).status)

    // Room for 100 frames, of which 64 are requested: notifies and source see 64, and the rest is left alone.
    let seen = Sizes()
    let notify: AURenderCallback = { context, _, _, _, _, data in
      let sizes = Unmanaged<Sizes>.fromOpaque(context).takeUnretainedValue()
      sizes.seen.append(UnsafeMutableAudioBufferListPointer(data)?.map(\.mDataByteSize) ?? [])
      return noErr
    }
    expectNoError(AudioUnitAddRenderNotify(host.unit, notify, Unmanaged.passUnretained(seen).toOpaque()))
    let roomy = RenderBuffers(frames: 100)
    for buffer in roomy.list { buffer.mData?.assumingMemoryBound(to: Float.self).update(repeating: 7, count: 100) }
    expectNoError(host.render(into: roomy).status)
    #expect(seen.seen == [[256, 256], [256, 256]], "before and after")
    #expect(roomy.list.map(\.mDataByteSize) == [256, 256])
    #expect(roomy.samples(frames: 100) == [Float](repeating: 0.5, count: 64) + [Float](repeating: 7, count: 36))

    // An interleaved output is one stream of four bytes a frame.
    let output = try RenderHost(.genericOutput, initialize: false)
    #expect(
      output.opened.set(
        kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, to: Self.int16.audioStreamBasicDescription) == noErr)
    expectNoError(AudioUnitInitialize(output.unit))
    expectStatus(-50, output.render(into: RenderBuffers(frames: 64)).status)
    expectStatus(-50, output.render(into: RenderBuffers(channels: 1, frames: 64, bytes: 255)).status)
    let one = RenderBuffers(channels: 1, frames: 100)
    expectNoError(output.render(into: one).status)
    #expect(one.list[0].mDataByteSize == 256)
  }

  private final class Sizes { var seen: [[UInt32]] = [] }

  @Test(
    "More than the longest slice is -10874 and renders nothing; defaults differ; a unit's own pulls are cut to it")
  func longestSlice() throws {
    let defaults: [(OpenedUnit, UInt32)] =
      try [Kind.nBandEQ, .lowPass, .iPodEQ, .mixer, .converter].map { (try OpenedUnit($0), 1156) } + [
        (try OpenedUnit(.genericOutput), 4096),
        (try OpenedUnit(type: kAudioUnitType_Output, kAudioUnitSubType_RemoteIO), 4096),
      ]
    for (unit, frames) in defaults {
      #expect(unit.get(kAudioUnitProperty_MaximumFramesPerSlice, as: UInt32.self).value == frames)
    }
    for kind in Kind.allCases {
      let host = try RenderHost(kind, initialize: false)
      expectNoError(host.opened.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(100)))
      expectNoError(AudioUnitInitialize(host.unit))
      host.signal = { _ in 0.5 }
      let list = RenderBuffers(frames: 101)
      for buffer in list.list { buffer.mData?.assumingMemoryBound(to: Float.self).update(repeating: 7, count: 101) }
      expectStatus(-10874, host.render(frames: 101, into: list).status)
      #expect(host.pulls.isEmpty && list.samples(frames: 101).allSatisfy { $0 == 7 })
      expectNoError(host.render(frames: 100, into: list).status)
    }

    // 96 kHz in front of 44.1 kHz: a slice needs more than twice its frames.
    let fast = Self.float.at(sampleRate: 96_000).audioStreamBasicDescription
    for kind in [Kind.mixer, .converter, .genericOutput] {
      let host = try RenderHost(kind, initialize: false, format: fast)
      expectNoError(host.opened.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(1156)))
      expectNoError(AudioUnitInitialize(host.unit))
      host.signal = { Float(sin(2 * Double.pi * 100 * Double($0) / 96_000)) }
      var output: [Float] = []
      for _ in 0..<3 { output += host.render(frames: 1156).samples }
      #expect(output.count == 3468)
      #expect(host.pulls.allSatisfy { $0 <= 1156 } && host.pulls.count >= 7)
      // 3468 frames × 96000 ÷ 44100, and what the filter looks ahead; no frame twice, none left out.
      let total = host.pulls.reduce(0, +)
      #expect(total >= 7549 && total < 7549 + 2000)
      var at = 0.0
      for (time, frames) in zip(host.pullTimes, host.pulls) {
        #expect(time == at)
        at = time + Double(frames)
      }
      let worst = (200..<output.count).map {
        abs(Double(output[$0]) - sin(2 * Double.pi * 100 * Double($0) / 44_100))
      }.max()
      #expect(try #require(worst) < 1e-3, "\(kind)")
    }
  }

  @Test("An input has one source: what is set last; a connection brings its format along, which then stays")
  func oneSource() throws {
    let host = try RenderHost(.nBandEQ)
    let source = try RecordedSource()
    host.signal = { _ in 0.5 }
    func pulled() -> (callback: Int, connection: Int, status: OSStatus) {
      host.forgetCalls()
      source.forgetCalls()
      let status = host.render().status
      return (host.pulls.count, source.calls.count, status)
    }
    func setCallback(_ callback: AURenderCallbackStruct) -> OSStatus {
      host.opened.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, to: callback)
    }
    #expect(pulled() == (1, 0, noErr))
    expectNoError(Self.connect(source.unit, to: host.opened))
    #expect(pulled() == (0, 1, noErr))
    expectNoError(setCallback(host.callback))
    #expect(pulled() == (1, 0, noErr))
    expectNoError(Self.connect(source.unit, to: host.opened))
    expectNoError(Self.connect(nil, to: host.opened))
    #expect(pulled() == (0, 0, -10876), "no unit: no source, nor the one before")
    expectNoError(setCallback(host.callback))
    expectNoError(setCallback(AURenderCallbackStruct()))
    #expect(pulled() == (0, 0, -10876), "no function: no source")

    let unit = try OpenedUnit(.nBandEQ)
    func rate() throws -> Double { try unit.format(kAudioUnitScope_Input).mSampleRate }
    func set(_ format: StreamFormat) -> OSStatus {
      unit.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, to: format.audioStreamBasicDescription)
    }
    let wanted = StreamFormat(sampleRate: 48_000, channelCount: 1)
    source.format = wanted.audioStreamBasicDescription
    expectNoError(Self.connect(source.unit, to: unit))
    #expect(try StreamFormat(unit.format(kAudioUnitScope_Input)) == wanted)
    expectStatus(-10865, set(Self.float))
    #expect(set(wanted) == noErr, "the same is no change")
    // It was copied: a change at the source is not heard of.
    source.format = wanted.at(sampleRate: 32_000).audioStreamBasicDescription
    #expect(try rate() == 48_000)
    expectNoError(Self.connect(nil, to: unit))
    #expect(try rate() == 48_000, "the former format does not come back")
    expectNoError(set(Self.float))
    // A format that cannot be taken over makes no connection: the present one stays.
    source.format = wanted.audioStreamBasicDescription
    expectNoError(Self.connect(source.unit, to: unit))
    let integers = try RecordedSource()
    integers.format = Self.int16.audioStreamBasicDescription
    expectStatus(-10868, Self.connect(integers.unit, to: unit))
    #expect(try rate() == 48_000)
    #expect(set(Self.float) == -10865, "still connected")
  }

  @Test("Formats are looked at when set, when connected and at Initialize; a graph does not convert")
  func formats() throws {
    let unit = try OpenedUnit(.lowPass)
    func set(_ format: AudioStreamBasicDescription, _ scope: AudioUnitScope, _ element: UInt32 = 0) -> OSStatus {
      unit.set(kAudioUnitProperty_StreamFormat, scope, element, to: format)
    }
    // When set: integers, and nonsensical formats; the former stays.
    let usual = Self.float.audioStreamBasicDescription
    var refused = [AudioStreamBasicDescription](repeating: usual, count: 4)
    refused[0] = Self.int16.audioStreamBasicDescription
    refused[1].mSampleRate = 3_000_001
    refused[2].mChannelsPerFrame = 1025
    refused[3].mFramesPerPacket = 2
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      for format in refused { #expect(set(format, scope) == -10868) }
      #expect(try StreamFormat(unit.format(scope)) == Self.float)
      expectStatus(-10877, set(usual, scope, 1))
    }
    // When connected.
    let source = try RecordedSource()
    source.format = Self.int16.audioStreamBasicDescription
    expectStatus(-10868, Self.connect(source.unit, to: unit))
    expectStatus(-10877, Self.connect(source.unit, to: unit, input: 1))
    // At Initialize: each side is right, and the two are not.
    let mono = StreamFormat(sampleRate: 44_100, channelCount: 1).audioStreamBasicDescription
    expectNoError(set(mono, kAudioUnitScope_Input))
    expectStatus(-10868, AudioUnitInitialize(unit.unit))
    expectNoError(set(mono, kAudioUnitScope_Output))
    expectNoError(AudioUnitInitialize(unit.unit))
    // The same value is no change, whoever asks.
    #expect(set(mono, kAudioUnitScope_Input) == noErr && set(mono, kAudioUnitScope_Output) == noErr)

    // In a graph: 48 kHz of a mixer into a filter that gives 44.1 kHz.
    let bench = try GraphBench()
    let (output, mixer, filter) = (try bench.addOutput(), try bench.addMixer(), try bench.addFilter())
    expectNoError(bench.connect(mixer, to: filter))
    expectNoError(bench.connect(filter, to: output))
    expectNoError(AUGraphOpen(bench.graph))
    let studio = Self.float.at(sampleRate: 48_000)
    expectNoError(try bench.set(studio, mixer, kAudioUnitScope_Output))
    expectStatus(-10868, AUGraphInitialize(bench.graph))
    var count: UInt32 = 0
    #expect(AUGraphGetNodeCount(bench.graph, &count) == noErr && count == 3)
    expectNoError(try bench.set(studio, filter, kAudioUnitScope_Output))
    expectNoError(AUGraphInitialize(bench.graph))
    #expect(AUGraphGetNodeCount(bench.graph, &count) == noErr && count == 3)
    // A bus that is not there.
    expectNoError(AUGraphUninitialize(bench.graph))
    expectNoError(bench.feed(mixer, input: 99, GraphSource(1)))
    expectStatus(-10877, AUGraphInitialize(bench.graph))
  }

  @Test(
    "What may not change while initialized is -10865 for formats, -10849 for sizes; -10867 is rendering too early")
  func errorsByState() throws {
    for kind in Kind.allCases {
      let host = try RenderHost(kind, initialize: false)
      expectStatus(-10867, host.render().status)
      var format = try host.opened.format(kAudioUnitScope_Input)
      func set<Value: BitwiseCopyable>(_ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ value: Value) -> OSStatus {
        host.opened.set(id, scope, to: value)
      }
      func sizes() -> [OSStatus] {
        var found = [
          set(kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, UInt32(512)),
          set(kAudioUnitProperty_ShouldAllocateBuffer, kAudioUnitScope_Input, UInt32(1)),
          set(kAudioUnitProperty_ShouldAllocateBuffer, kAudioUnitScope_Output, UInt32(1)),
        ]
        // Types that may have another number at all.
        if kind == .mixer { found.append(set(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, UInt32(4))) }
        return found
      }
      #expect(sizes().allSatisfy { $0 == noErr })
      expectNoError(set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, format))
      expectNoError(AudioUnitInitialize(host.unit))
      #expect(sizes().allSatisfy { $0 == -10849 }, "\(kind)")
      format.mSampleRate = 48_000
      for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
        #expect(set(kAudioUnitProperty_StreamFormat, scope, format) == -10865, "\(kind)")
        #expect(set(kAudioUnitProperty_SampleRate, scope, 48_000.0) == -10865, "\(kind)")
        #expect(try host.opened.format(scope).mSampleRate == 44_100)
      }
      expectNoError(host.render().status)
      expectNoError(AudioUnitUninitialize(host.unit))
      expectStatus(-10867, host.render().status)
      #expect(sizes().allSatisfy { $0 == noErr })
    }
  }
}
