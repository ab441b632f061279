// The checks of a render call's arguments, in their order, and which notifies run: none for
// a call that is refused, as in Apple's base class. The check of a fixed block size has no test: no unit here has one.

import AudioCore
import AudioToolbox
import Glibc
import Testing

@Suite("Checks of a render call's arguments")
struct ArgumentCheckTests {
  typealias Kind = OpenedUnit.Kind
  static let pre = AudioUnitRenderActionFlags.unitRenderAction_PreRender
  static let post = AudioUnitRenderActionFlags.unitRenderAction_PostRender
  static let failed: AudioUnitRenderActionFlags = [.unitRenderAction_PostRender, .unitRenderAction_PostRenderError]
  /// More than any unit here renders at once.
  static let tooMany: UInt32 = 1 << 20

  private static func maximum(_ host: RenderHost) throws -> UInt32 {
    try #require(host.opened.get(kAudioUnitProperty_MaximumFramesPerSlice, as: UInt32.self).value)
  }

  // MARK: 1. The pointers

  @Test(
    "1. No time stamp is -50, whatever else is wrong, and no notify runs", arguments: Kind.allCases, UnitState.allCases)
  func noTimeStamp(kind: Kind, state: UnitState) throws {
    let host = try RenderHost(kind, initialize: state == .initialized)
    let list = RenderBuffers(channels: 0, frames: 0)
    var flags = AudioUnitRenderActionFlags(rawValue: 0)
    let null = unsafeBitCast(UnsafePointer<AudioTimeStamp>?.none, to: UnsafePointer<AudioTimeStamp>.self)
    expectStatus(-50, AudioUnitRender(host.unit, &flags, null, 99, Self.tooMany, list.pointer))
    #expect(host.notes.isEmpty && host.pulls.isEmpty)
  }

  @Test(
    "1. No buffer list is -50, whatever else is wrong, and no notify runs", arguments: Kind.allCases, UnitState.allCases
  )
  func noBufferList(kind: Kind, state: UnitState) throws {
    let host = try RenderHost(kind, initialize: state == .initialized)
    var flags = AudioUnitRenderActionFlags(rawValue: 0)
    var stamp = host.timeStamp()
    let null = unsafeBitCast(
      UnsafeMutablePointer<AudioBufferList>?.none, to: UnsafeMutablePointer<AudioBufferList>.self)
    expectStatus(-50, AudioUnitRender(host.unit, &flags, &stamp, 99, Self.tooMany, null))
    #expect(host.notes.isEmpty && host.pulls.isEmpty)
  }

  @Test("1. No action flags are allowed", arguments: Kind.allCases)
  func noFlags(kind: Kind) throws {
    let host = try RenderHost(kind)
    let list = RenderBuffers(frames: 64)
    var stamp = host.timeStamp()
    expectNoError(AudioUnitRender(host.unit, nil, &stamp, 0, 64, list.pointer))
    #expect(host.notes.map(\.flags) == [Self.pre, Self.post])
  }

  // MARK: 2 to 7, each with all later checks failing too

  @Test("2. Not initialized is -10867, before the number of frames", arguments: Kind.allCases)
  func uninitialized(kind: Kind) throws {
    let host = try RenderHost(kind, initialize: false)
    let status = host.render(frames: Self.tooMany, bus: 0, into: RenderBuffers(channels: 1, frames: 1)).status
    expectStatus(-10867, status)
    #expect(host.notes.isEmpty)
    #expect(host.pulls.isEmpty)
    #expect(host.lastRenderError == -10867)
  }

  @Test("2. Not initialized comes before the bus", arguments: Kind.allCases)
  func uninitializedBeforeBus(kind: Kind) throws {
    let host = try RenderHost(kind, initialize: false)
    expectStatus(-10867, host.render(bus: 99).status)
    #expect(host.notes.isEmpty)
  }

  @Test("3. Too many frames are -10874, before the bus; nothing is pulled", arguments: Kind.allCases)
  func tooManyFrames(kind: Kind) throws {
    let host = try RenderHost(kind)
    let frames = try Self.maximum(host) + 1
    let status = host.render(frames: frames, bus: 99, into: RenderBuffers(channels: 1, frames: 1)).status
    expectStatus(-10874, status)
    #expect(host.notes.isEmpty)
    #expect(host.pulls.isEmpty)
    #expect(host.lastRenderError == -10874)
  }

  @Test("3. The longest slice is not too long", arguments: Kind.allCases)
  func mostFrames(kind: Kind) throws {
    let host = try RenderHost(kind)
    expectNoError(host.render(frames: try Self.maximum(host)).status)
  }

  @Test("5. A bus that is not there is -10877, before the buffers, and no notify runs", arguments: Kind.allCases)
  func badBus(kind: Kind) throws {
    let host = try RenderHost(kind)
    expectStatus(-10877, host.render(bus: 1, into: RenderBuffers(channels: 1, frames: 1)).status)
    #expect(host.notes.isEmpty && host.pulls.isEmpty)
  }

  @Test("6. Another number of buffers than streams is -50, before their sizes", arguments: Kind.allCases, [0, 1, 3])
  func bufferCount(kind: Kind, count: Int) throws {
    let host = try RenderHost(kind)
    expectStatus(-50, host.render(into: RenderBuffers(channels: count, frames: 64, bytes: 0)).status)
    #expect(host.notes.isEmpty)
    #expect(host.pulls.isEmpty)
    #expect(host.lastRenderError == -50)
  }

  @Test("7. A buffer that is too small is -50", arguments: Kind.allCases)
  func bufferSize(kind: Kind) throws {
    let host = try RenderHost(kind)
    expectStatus(-50, host.render(into: RenderBuffers(frames: 64, bytes: 255)).status)
    #expect(host.notes.isEmpty)
    #expect(host.pulls.isEmpty)
    #expect(host.lastRenderError == -50)
  }

  @Test("7. The second buffer counts as well", arguments: Kind.allCases)
  func secondBufferSize(kind: Kind) throws {
    let host = try RenderHost(kind)
    let list = RenderBuffers(frames: 64)
    list.list[1].mDataByteSize = 252
    expectStatus(-50, host.render(into: list).status)
  }

  @Test("A sample time that no frame can have is -50, and no notify runs", arguments: Kind.allCases)
  func noSampleTime(kind: Kind) throws {
    let host = try RenderHost(kind)
    for time in [Double.nan, .infinity, -.infinity, 0x1p54] {
      host.sampleTime = time
      expectStatus(-50, host.render().status)
    }
    #expect(host.notes.isEmpty && host.pulls.isEmpty && host.lastRenderError == -50)
    host.sampleTime = 0
    expectNoError(host.render().status)
  }

  @Test("7. Larger sizes are trimmed before anything runs", arguments: Kind.allCases)
  func trimming(kind: Kind) throws {
    let host = try RenderHost(kind)
    let list = RenderBuffers(frames: 100)
    let bytes: AURenderCallback = { context, flags, _, _, _, data in
      guard flags.pointee.contains(.unitRenderAction_PreRender), let data else { return noErr }
      let seen = UnsafeMutableAudioBufferListPointer(data).map(\.mDataByteSize)
      context.assumingMemoryBound(to: UInt32.self).pointee = seen.allSatisfy { $0 == 256 } ? 256 : 0
      return noErr
    }
    var seen = UInt32(0)
    withUnsafeMutablePointer(to: &seen) {
      expectNoError(AudioUnitAddRenderNotify(host.unit, bytes, $0))
      expectNoError(host.render(frames: 64, into: list).status)
      expectNoError(AudioUnitRemoveRenderNotify(host.unit, bytes, $0))
    }
    #expect(list.list.map(\.mDataByteSize) == [256, 256])
    #expect(seen == 256)
  }

  @Test("7. A buffer without memory has no size to be checked: the unit gives its own", arguments: Kind.allCases)
  func noMemory(kind: Kind) throws {
    let host = try RenderHost(kind)
    host.signal = { _ in 0.5 }
    let list = RenderBuffers(frames: 64, bytes: 0, ownMemory: false)
    expectNoError(host.render(into: list).status)
    #expect(list.list.allSatisfy { $0.mData != nil && $0.mDataByteSize == 256 })
  }

  // MARK: 8. Notifies

  @Test("8. Before, render, after", arguments: Kind.allCases)
  func success(kind: Kind) throws {
    let host = try RenderHost(kind)
    expectNoError(host.render().status)
    #expect(
      host.notes == [.init(flags: Self.pre, bus: 0, frames: 64), .init(flags: Self.post, bus: 0, frames: 64)])
    #expect(!host.pulls.isEmpty)
    #expect(host.lastRenderError == noErr)
  }

  @Test("An error of the source comes back as it is, between both notifies", arguments: Kind.allCases)
  func sourceError(kind: Kind) throws {
    let host = try RenderHost(kind)
    host.sourceStatus = 12345
    #expect(host.render().status == 12345)
    #expect(
      host.notes == [.init(flags: Self.pre, bus: 0, frames: 64), .init(flags: Self.failed, bus: 0, frames: 64)])
    #expect(host.lastRenderError == 12345)
  }

  @Test("An input without a source is -10876, between both notifies", arguments: Kind.single)
  func noSource(kind: Kind) throws {
    let host = try RenderHost(kind)
    #expect(
      host.opened.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, to: AURenderCallbackStruct())
        == noErr)
    expectStatus(-10876, host.render().status)
    #expect(host.notes.map(\.flags) == [Self.pre, Self.failed])
    #expect(host.lastRenderError == -10876)
  }

  @Test("A notify may fail and change its flags: the render does not see it, the next notify does")
  func notifiesArePrivate() throws {
    let host = try RenderHost(.lowPass)
    let meddler: AURenderCallback = { _, flags, _, _, _, _ in
      flags.pointee.insert(.unitRenderAction_OutputIsSilence)
      return -1
    }
    let next: AURenderCallback = { context, flags, _, _, _, _ in
      context.assumingMemoryBound(to: [UInt32].self).pointee.append(flags.pointee.rawValue)
      return noErr
    }
    host.signal = { _ in 0.5 }
    let list = RenderBuffers(frames: 64)
    var flags = AudioUnitRenderActionFlags(rawValue: 0)
    var stamp = host.timeStamp()
    var seen: [UInt32] = []
    withUnsafeMutablePointer(to: &seen) {
      expectNoError(AudioUnitAddRenderNotify(host.unit, meddler, nil))
      expectNoError(AudioUnitAddRenderNotify(host.unit, next, $0))
      expectNoError(AudioUnitRender(host.unit, &flags, &stamp, 0, 64, list.pointer))
      expectNoError(AudioUnitRemoveRenderNotify(host.unit, next, $0))
    }
    #expect(flags.rawValue == 0)
    #expect(host.notes.map(\.flags) == [Self.pre, Self.post])
    #expect(seen == [0x14, 0x18])
  }

  @Test("The same function and reference are one registration; NULL is -50")
  func registrations() throws {
    let counter: AURenderCallback = { context, _, _, _, _, _ in
      context.assumingMemoryBound(to: Int.self).pointee += 1
      return noErr
    }
    let host = try RenderHost(.lowPass)
    var counts = [0, 0]
    counts.withUnsafeMutableBufferPointer { counts in
      guard let first = counts.baseAddress else { return }
      for context in [first, first, first + 1] {
        expectNoError(AudioUnitAddRenderNotify(host.unit, counter, context))
      }
      expectNoError(host.render().status)
      expectNoError(AudioUnitRemoveRenderNotify(host.unit, counter, first))
      expectNoError(host.render().status)
      expectNoError(AudioUnitRemoveRenderNotify(host.unit, counter, first + 1))
      expectNoError(host.render().status)
    }
    #expect(counts == [2, 4])
    expectStatus(-50, AudioUnitAddRenderNotify(host.unit, unsafeBitCast(UInt(0), to: AURenderCallback.self), nil))
  }

  // MARK: Pushing

  @Test("Process: not initialized before too many frames", arguments: Kind.effects)
  func process(kind: Kind) throws {
    let open = try RenderHost(kind, initialize: false)
    expectStatus(-10867, open.process(frames: Self.tooMany))
    let host = try RenderHost(kind)
    expectStatus(-10874, host.process(frames: Self.tooMany))
    #expect(open.notes.isEmpty && host.notes.isEmpty)
    expectNoError(host.process())
    #expect(host.pulls.isEmpty)
  }

  @Test("Process is not for mixers and outputs", arguments: [Kind.mixer, .genericOutput])
  func processUnimplemented(kind: Kind) throws {
    #expect(try RenderHost(kind).process() == -4)
  }
}
