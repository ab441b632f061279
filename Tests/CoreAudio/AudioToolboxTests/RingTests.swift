import AudioToolbox
import Glibc
import TestSupport
import Testing

@Suite("Units in a ring, and in long chains")
struct RingTests {
  /// Mixers, each of which pulls the next, and the last the first where it is a ring.
  private func units(_ count: Int, isRing: Bool, rates: [Double] = [44_100]) throws -> [OpenedUnit] {
    let units = try (0..<count).map { _ in try OpenedUnit(.mixer) }
    for (index, unit) in units.enumerated() where isRing || index + 1 < count {
      let next = units[(index + 1) % count]
      expectNoError(next.set(kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, to: rates[index % rates.count]))
      let connection = AudioUnitConnection(sourceAudioUnit: next.unit, sourceOutputNumber: 0, destInputNumber: 0)
      expectNoError(unit.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, to: connection))
    }
    for unit in units { try #require(AudioUnitInitialize(unit.unit) == noErr) }
    return units
  }

  private func render(_ unit: OpenedUnit, frames: UInt32, at time: Double) -> OSStatus {
    let list = RenderBuffers(frames: Int(max(1, frames)))
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = time
    stamp.mFlags = .sampleTimeValid
    var flags = AudioUnitRenderActionFlags(rawValue: 0)
    return AudioUnitRender(unit.unit, &flags, &stamp, 0, frames, list.pointer)
  }

  @Test(
    "A ring is an error at every length, also through converters", arguments: [1, 2, 5], [[44_100], [44_100, 48_000]])
  func ring(count: Int, rates: [Double]) throws {
    // A unit alone has one rate.
    guard count % rates.count == 0 else { return }
    let units = try units(count, isRing: true, rates: rates)
    for (turn, frames) in [UInt32(0), 64, 0, 1, 1156].enumerated() {
      #expect(render(units[0], frames: frames, at: Double(turn) * 5000) == kAudioUnitErr_CannotDoInCurrentContext)
    }
    // A unit that is taken out of the ring renders again.
    let nothing = AudioUnitConnection(sourceAudioUnit: nil, sourceOutputNumber: 0, destInputNumber: 0)
    expectNoError(units[0].set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, to: nothing))
    expectNoError(render(units[0], frames: 64, at: 90_000))
    withExtendedLifetime(units) {}
  }

  @Test("A callback that pulls its own unit gets an error")
  func ownCallback() throws {
    let unit = try OpenedUnit(.mixer)
    final class Answer: @unchecked Sendable {
      var unit: AudioUnit
      var status: OSStatus = noErr
      init(_ unit: AudioUnit) { self.unit = unit }
    }
    let answer = Answer(unit.unit)
    let callback = AURenderCallbackStruct(
      inputProc: { context, _, timeStamp, _, frames, _ in
        let answer = Unmanaged<Answer>.fromOpaque(context).takeUnretainedValue()
        let list = RenderBuffers(frames: Int(frames))
        var stamp = timeStamp.pointee
        stamp.mSampleTime += 1
        answer.status = AudioUnitRender(answer.unit, nil, &stamp, 0, frames, list.pointer)
        return noErr
      }, inputProcRefCon: Unmanaged.passUnretained(answer).toOpaque())
    expectNoError(unit.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, to: callback))
    try #require(AudioUnitInitialize(unit.unit) == noErr)
    expectNoError(render(unit, frames: 64, at: 0))
    #expect(answer.status == kAudioUnitErr_CannotDoInCurrentContext)
  }

  @Test("A chain longer than the thread's stack is an error, and a shorter one plays")
  func chain() throws {
    let units = try units(600, isRing: false)
    func onThread(stackBytes: Int, _ unit: OpenedUnit) -> OSStatus {
      var status: OSStatus = -1
      OwnThread(stackBytes: stackBytes) { status = self.render(unit, frames: 16, at: Double(stackBytes)) }.join()
      return status
    }
    #expect(onThread(stackBytes: 512 << 10, units[0]) == kAudioUnitErr_CannotDoInCurrentContext)
    #expect(onThread(stackBytes: 512 << 10, units[560]) == noErr)
    #expect(onThread(stackBytes: 64 << 20, units[0]) == noErr)
    withExtendedLifetime(units) {}
  }

  @Test("Flags of another phase that a host has left do not reach its notifies")
  func leftFlags() throws {
    let host = try RenderHost(.mixer)
    host.flags = [.unitRenderAction_PreRender, .unitRenderAction_PostRender, .unitRenderAction_PostRenderError]
    expectNoError(host.render(clearsFlags: false).status)
    let phases: AudioUnitRenderActionFlags = [
      .unitRenderAction_PreRender, .unitRenderAction_PostRender, .unitRenderAction_PostRenderError,
    ]
    #expect(
      host.notes.map { $0.flags.intersection(phases) } == [.unitRenderAction_PreRender, .unitRenderAction_PostRender])
  }
}
