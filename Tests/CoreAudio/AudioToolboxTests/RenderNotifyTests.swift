import AudioCore
import AudioToolbox
import Glibc
import Testing
import TestSupport

/// Render notifies: what they hear, and what of theirs is heard.
@Suite struct RenderNotifyTests {
  static let pre = AudioUnitRenderActionFlags.unitRenderAction_PreRender
  static let post = AudioUnitRenderActionFlags.unitRenderAction_PostRender
  static let failed: AudioUnitRenderActionFlags = [.unitRenderAction_PostRender, .unitRenderAction_PostRenderError]

  /// The calls of test 10's notifies.
  private final class Ear {
    var flags: [UInt32] = []
    var other: Ear?
    var unit: AudioUnit?

    static let proc: AURenderCallback = { context, flags, _, _, _, _ in
      Ear.of(context).flags.append(flags.pointee.rawValue)
      return noErr
    }
    static func of(_ context: UnsafeMutableRawPointer) -> Ear {
      Unmanaged<Ear>.fromOpaque(context).takeUnretainedValue()
    }
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
  }

  private static let pair: [RenderHost.Note] = [pre, post].map { .init(flags: $0, bus: 0, frames: 64) }

  @Test("Notifies hear each render once before and after, nested ones those of their own unit")
  func notifies() throws {
    let (upstream, host) = (try RenderHost(.lowPass), try RenderHost(.nBandEQ))
    let connection = AudioUnitConnection(sourceAudioUnit: upstream.unit, sourceOutputNumber: 0, destInputNumber: 0)
    expectNoError(host.opened.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, to: connection))
    for _ in 0..<3 {
      for each in [upstream, host] { each.forgetCalls() }
      expectNoError(host.render().status)
      #expect(host.notes == Self.pair && upstream.notes == Self.pair)
    }
  }

  /// A notify that fails and changes the flags.
  private static let meddler: AURenderCallback = { _, flags, _, _, _, _ in
    flags.pointee.insert(.unitRenderAction_OutputIsSilence)
    return -1
  }

  /// A host whose unit has the notifies of the host itself, the meddler and the ear, in this order.
  private static func meddled(hearing next: Ear) throws -> RenderHost {
    let host = try RenderHost(.lowPass)
    expectNoError(AudioUnitAddRenderNotify(host.unit, meddler, nil))
    expectNoError(AudioUnitAddRenderNotify(host.unit, Ear.proc, next.context))
    return host
  }

  @Test("A notify's error and its changes of the flags do not reach the render or its caller, only the next notify")
  func meddling() throws {
    let next = Ear()
    let host = try Self.meddled(hearing: next)
    expectNoError(host.render().status)
    #expect(host.pullFlags == [[]] && host.flags == [])
    #expect(host.notes == Self.pair, "it was asked before the meddler")
    #expect(next.flags == [0x14, 0x18])
    withExtendedLifetime(next) {}
  }

  @Test("Errors of the source are heard between both; those of the arguments and of the bus not at all")
  func errors() throws {
    let next = Ear()
    let host = try Self.meddled(hearing: next)
    expectNoError(host.render().status)
    host.forgetCalls()
    next.flags = []
    host.sourceStatus = 4711
    #expect(host.render().status == 4711)
    #expect(host.notes.map(\.flags) == [Self.pre, Self.failed] && next.flags == [0x14, 0x118])
    host.forgetCalls()
    expectStatus(-50, host.render(into: RenderBuffers(channels: 1, frames: 64)).status)
    #expect(host.notes.isEmpty && next.flags == [0x14, 0x118])
    host.forgetCalls()
    expectStatus(-10877, host.render(bus: 1).status)
    #expect(host.notes.isEmpty)
    host.sourceStatus = noErr
    // A failed render is not tried again for the same time.
    #expect(host.render().status == 4711)
    host.sampleTime += 64
    expectNoError(host.render().status)
    withExtendedLifetime(next) {}
  }

  @Test("The same function and reference are one registration, and only both together take it away")
  func registrations() throws {
    let ears = [Ear(), Ear()]
    let host = try RenderHost(.lowPass)
    expectNoError(AudioUnitAddRenderNotify(host.unit, Self.meddler, nil))
    for ear in [ears[0], ears[0], ears[1]] {
      expectNoError(AudioUnitAddRenderNotify(host.unit, Ear.proc, ear.context))
    }
    #expect(AudioUnitRemoveRenderNotify(host.unit, Self.meddler, ears[0].context) == noErr, "never added")
    expectNoError(host.render().status)
    #expect(ears.map(\.flags) == [[0x14, 0x18], [0x14, 0x18]], "the meddler is still there")
    expectNoError(AudioUnitRemoveRenderNotify(host.unit, Self.meddler, nil))
    for ear in ears { ear.flags = [] }
    expectNoError(host.render().status)
    #expect(ears.map(\.flags) == [[4, 8], [4, 8]])
    withExtendedLifetime(ears) {}
  }

  @Test("A notify that is taken away while a render runs hears of its end")
  func removalWhileRendering() throws {
    let remover: AURenderCallback = { context, _, _, _, _, _ in
      let ear = Ear.of(context)
      if let unit = ear.unit, let other = ear.other { _ = AudioUnitRemoveRenderNotify(unit, Ear.proc, other.context) }
      return noErr
    }
    let host = try RenderHost(.lowPass)
    let (ears, removing) = ([Ear(), Ear()], Ear())
    (removing.unit, removing.other) = (host.unit, ears[0])
    for ear in ears { #expect(AudioUnitAddRenderNotify(host.unit, Ear.proc, ear.context) == noErr) }
    expectNoError(AudioUnitAddRenderNotify(host.unit, remover, removing.context))
    for _ in 0..<2 { #expect(host.render().status == noErr) }
    #expect(ears.map(\.flags) == [[4, 8], [4, 8, 4, 8]])
    withExtendedLifetime((ears, removing)) {}
  }
}
