// The slice of a render call, by the fields that its time stamp has and lacks.

import AudioCore
import AudioEngine
import AudioToolbox
import Glibc
import Testing

@Suite("Time stamps that say less than a sample time")
struct TimeStampTests {
  typealias Kind = OpenedUnit.Kind

  private static func render(
    _ host: RenderHost, _ stamp: AudioTimeStamp, frames: UInt32 = 64, flags: Bool = true
  ) -> [Float] {
    let list = RenderBuffers(frames: Int(frames))
    var stamp = stamp
    var word = AudioUnitRenderActionFlags(rawValue: 0)
    let status =
      flags
      ? AudioUnitRender(host.unit, &word, &stamp, 0, frames, list.pointer)
      : AudioUnitRender(host.unit, nil, &stamp, 0, frames, list.pointer)
    return status == noErr ? list.samples(frames: Int(frames)) : [Float(status)]
  }

  private static func stamp(_ flags: AudioTimeStampFlags, _ sampleTime: Double = 0) -> AudioTimeStamp {
    var stamp = AudioTimeStamp()
    stamp.mFlags = flags
    stamp.mSampleTime = sampleTime
    return stamp
  }

  /// A ramp that no two frames share.
  private static func ramp(_ frames: Range<Int>) -> [Float] { frames.map { Float($0) / 1024 } }
  private static func host(_ kind: Kind) throws -> RenderHost {
    let host = try RenderHost(kind)
    host.signal = { Float($0) / 1024 }
    return host
  }

  /// As a player renders a synthesizer's output: a word clock alone, and no flags to answer in.
  @Test(
    "Without a sample time and a host time the unit's own clock goes on, by what was rendered last",
    arguments: [Kind.genericOutput, .mixer, .converter],
    [
      AudioTimeStampFlags(rawValue: 0), .wordClockTimeValid, .rateScalarValid, .smpteTimeValid,
      [.wordClockTimeValid, .rateScalarValid],
    ])
  func ownClock(kind: Kind, flags: AudioTimeStampFlags) throws {
    let host = try Self.host(kind)
    // The same stamp again and again, and one whose word clock goes on.
    for (index, frames) in [64, 64, 100, 1, 441].enumerated() {
      var stamp = Self.stamp(flags)
      stamp.mWordClockTime = index > 2 ? UInt64(index) : 0
      let start = Int(host.pulls.reduce(0, +))
      #expect(
        Self.render(host, stamp, frames: UInt32(frames), flags: index % 2 == 0) == Self.ramp(start..<start + frames))
    }
    #expect(host.pullTimes == [0, 64, 128, 228, 229])
  }

  /// The closed form: a callback's frame is heard as long after the clocks' common beginning as its number says at the
  /// callback's own rate.
  @Test("Behind a conversion the host time of a pull is that of its own frames", arguments: [22_050.0, 48_000, 96_000])
  func hostTimesOfOtherRates(_ rate: Double) throws {
    final class Log { var stamps: [AudioTimeStamp] = [] }
    let log = Log()
    let mixer = try OpenedUnit(.mixer)
    expectNoError(
      mixer.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, to: pcm(.float32, rate: rate)))
    let callback = AURenderCallbackStruct(
      inputProc: { context, _, stamp, _, _, _ in
        Unmanaged<Log>.fromOpaque(context).takeUnretainedValue().stamps.append(stamp.pointee)
        return noErr
      }, inputProcRefCon: Unmanaged.passUnretained(log).toOpaque())
    expectNoError(mixer.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, to: callback))
    try #require(AudioUnitInitialize(mixer.unit) == noErr)
    let list = RenderBuffers(frames: 500)
    for slice in 0..<20 {
      var stamp = Self.stamp([.sampleTimeValid, .hostTimeValid], Double(500 * slice))
      stamp.mHostTime = UInt64(clamping: 1e9 + Double(500 * slice) / 44_100 * 1e9)
      expectNoError(AudioUnitRender(mixer.unit, nil, &stamp, 0, 500, list.pointer))
    }
    #expect(log.stamps.count >= 20)
    for stamp in log.stamps {
      #expect(stamp.mFlags.contains([.sampleTimeValid, .hostTimeValid]))
      // Frames in front of the first slice have its time at the earliest.
      #expect(abs(Double(stamp.mHostTime) - 1e9 - stamp.mSampleTime / rate * 1e9) < 10)
    }
    withExtendedLifetime(log) {}
  }

  @Test("No frames do not set the unit's own clock back", arguments: [Kind.genericOutput, .mixer])
  func noFrames(kind: Kind) throws {
    let host = try Self.host(kind)
    for flags in [AudioTimeStampFlags.wordClockTimeValid, .hostTimeValid] {
      var stamp = Self.stamp(flags)
      host.forgetCalls()
      expectNoError(AudioUnitReset(host.unit, kAudioUnitScope_Global, 0))
      for (time, frames) in [(UInt64(1), UInt32(64)), (2, 0), (3, 64), (4, 0), (5, 0), (6, 64)] {
        stamp.mHostTime = time
        _ = Self.render(host, stamp, frames: frames)
      }
      #expect(zip(host.pulls, host.pullTimes).filter { $0.0 > 0 }.map(\.1) == [0, 64, 128])
    }
  }

  @Test("Sample times of stamps without any flag are taken for valid where they move", arguments: Kind.allCases)
  func flagsLeftOut(kind: Kind) throws {
    let host = try Self.host(kind)
    for time in [1000.0, 1064, 2000, 500] { #expect(Self.render(host, Self.stamp([], time)).count == 64) }
    #expect(host.pullTimes == [1000, 1064, 2000, 500])
    // One that stands still is not moved on by its host: the unit goes on.
    _ = Self.render(host, Self.stamp([], 500))
    _ = Self.render(host, Self.stamp([], 500))
    #expect(host.pullTimes.suffix(2) == [564, 628])
    // Back to a host that says it.
    _ = Self.render(host, Self.stamp(.sampleTimeValid, 500))
    _ = Self.render(host, Self.stamp(.sampleTimeValid, 500))
    #expect(host.pullTimes.count == 7 && host.pullTimes.last == 500)
  }

  @Test("A sample time that is said not to be valid is not looked at", arguments: Kind.allCases)
  func ignoredSampleTime(kind: Kind) throws {
    let host = try Self.host(kind)
    for time in [Double.nan, 1e300, -5, 1_048_576] {
      #expect(Self.render(host, Self.stamp(.wordClockTimeValid, time)).count == 64)
    }
    #expect(host.pullTimes == [0, 64, 128, 192])
  }

  @Test("Another host time is the next slice, the same one the same slice", arguments: Kind.allCases)
  func hostTime(kind: Kind) throws {
    let host = try Self.host(kind)
    for time in [UInt64(7), 7, 9, 9, 9, 10] {
      var stamp = Self.stamp(.hostTimeValid, 77)
      stamp.mHostTime = time
      #expect(Self.render(host, stamp).count == 64)
    }
    #expect(host.pullTimes == [0, 64, 128])
  }

  /// The stamp of a slice goes upstream with a sample time that moves: units behind the first one go by it.
  @Test(
    "Connected units follow the first one's clock, and render once for all that pull them",
    arguments: [AudioTimeStampFlags(rawValue: 0), .wordClockTimeValid, .hostTimeValid])
  func chain(flags: AudioTimeStampFlags) throws {
    let source = try Self.host(.converter)
    let mixer = try OpenedUnit(.mixer)
    let output = try OpenedUnit(.genericOutput)
    func connect(_ from: AudioUnit, to unit: OpenedUnit, input: UInt32) {
      #expect(
        unit.set(
          kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input,
          to: AudioUnitConnection(sourceAudioUnit: from, sourceOutputNumber: 0, destInputNumber: input)) == noErr)
    }
    for input in UInt32(0)..<3 { connect(source.unit, to: mixer, input: input) }
    connect(mixer.unit, to: output, input: 0)
    expectNoError(AudioUnitInitialize(mixer.unit))
    expectNoError(AudioUnitInitialize(output.unit))
    var heard: [Float] = []
    for cycle in 0..<4 {
      let list = RenderBuffers(frames: 100)
      var stamp = Self.stamp(flags)
      stamp.mHostTime = UInt64(cycle + 1) * 1_000_000
      expectNoError(AudioUnitRender(output.unit, nil, &stamp, 0, 100, list.pointer))
      heard += list.samples(frames: 100)
    }
    #expect(source.pulls == [100, 100, 100, 100] && source.pullTimes == [0, 100, 200, 300])
    #expect(heard == Self.ramp(0..<400).map { $0 * 3 })
  }

  @Test(
    "Output buses that share a clock share the slice of one stamp",
    arguments: [AudioTimeStampFlags(rawValue: 0), .wordClockTimeValid])
  func busesOfOneCycle(flags: AudioTimeStampFlags) {
    var clock = RenderClock()
    var stamp = Self.stamp(flags)
    func tick(_ bus: UInt32, frames: UInt32 = 64) -> [Double] {
      let tick = clock.tick(&stamp, bus: bus, frames: frames, always: false)
      return [tick.isNew ? 1 : 0, tick.sampleTime]
    }
    // A cycle of three buses, in any order, with the stamp that the host never changes.
    #expect([tick(0), tick(1), tick(2)] == [[1, 0], [0, 0], [0, 0]])
    #expect([tick(1), tick(2), tick(0)] == [[1, 64], [0, 64], [0, 64]])
    // A bus that was left out does not hold the next cycle up.
    #expect([tick(1), tick(1), tick(0)] == [[1, 128], [1, 192], [0, 192]])
    // Another number of frames, or another stamp, is another slice.
    #expect([tick(2, frames: 32), tick(0, frames: 32)] == [[1, 256], [0, 256]])
    stamp.mWordClockTime = 5
    stamp.mFlags.insert(.wordClockTimeValid)
    #expect([tick(1, frames: 32), tick(2, frames: 32)] == [[1, 288], [0, 288]])
    // Buses beyond those that are counted render for themselves.
    #expect([tick(64, frames: 32), tick(64, frames: 32)] == [[1, 320], [1, 352]])
  }

  @Test("Two times within one frame are two slices, through converters in front of inputs too")
  func fractions() throws {
    let integers = StreamFormat(sampleRate: 44_100, channelCount: 2, encoding: .int16, isInterleaved: true)
    for kind in [Kind.mixer, .converter, .genericOutput] {
      let host = try RenderHost(kind, format: integers.audioStreamBasicDescription)
      for time in [0, 0.25, 0.5, 0.5, 1] {
        host.sampleTime = time
        expectNoError(host.render().status)
      }
      #expect(host.pullTimes == [0, 0.25, 0.5, 1], "\(kind)")
    }
  }

  @Test("A callback that writes nothing gives silence, not what it wrote last time", arguments: Kind.allCases)
  func unwrittenInput(kind: Kind) throws {
    final class Player {
      var calls = 0
    }
    let player = Player()
    let opened = try OpenedUnit(kind)
    let callback = AURenderCallbackStruct(
      inputProc: { context, _, _, _, frames, data in
        let player = Unmanaged<Player>.fromOpaque(context).takeUnretainedValue()
        player.calls += 1
        guard let list = UnsafeMutableAudioBufferListPointer(data) else { return kAudio_ParamError }
        for index in list.indices {
          let samples = list[index].mData?.assumingMemoryBound(to: Float.self)
          switch player.calls {
          case 1: samples?.update(repeating: 0.5, count: Int(frames))
          // As players say that they are at their end: half a slice, then none.
          case 2:
            samples?.update(repeating: 0.5, count: 32)
            list[index].mDataByteSize = 32 * 4
          case 3: list[index].mDataByteSize = 0
          default: break
          }
        }
        return noErr
      }, inputProcRefCon: Unmanaged.passUnretained(player).toOpaque())
    expectNoError(opened.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, to: callback))
    expectNoError(AudioUnitInitialize(opened.unit))
    var heard: [[Float]] = []
    for cycle in 0..<5 {
      let list = RenderBuffers(frames: 64)
      var stamp = Self.stamp(.sampleTimeValid, Double(cycle * 64))
      expectNoError(AudioUnitRender(opened.unit, nil, &stamp, 0, 64, list.pointer))
      heard.append(list.samples(frames: 64))
    }
    #expect(player.calls == 5)
    guard !Kind.effects.contains(kind) || kind == .iPodEQ else {
      // A filter rings on; it does not hear the sound again.
      return #expect(heard[2].map(\.magnitude).max() ?? 1 < 0.5 && heard[4].map(\.magnitude).max() ?? 1 < 0.5)
    }
    #expect(heard[0] == [Float](repeating: 0.5, count: 64))
    #expect(heard[1] == [Float](repeating: 0.5, count: 32) + [Float](repeating: 0, count: 32))
    for cycle in 2..<5 { #expect(heard[cycle] == [Float](repeating: 0, count: 64)) }
    withExtendedLifetime(player) {}
  }
}
