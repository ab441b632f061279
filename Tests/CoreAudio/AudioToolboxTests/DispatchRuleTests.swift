// The rules that all properties and parameters share, one test each, through the C functions.

import AudioCore
import AudioToolbox
import CoreFoundation
import Glibc
import Testing

@Suite("Rules that all properties share")
struct DispatchRuleTests {
  typealias Kind = OpenedUnit.Kind

  private static func get(
    _ unit: OpenedUnit, _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    element: UInt32 = 0, data: UnsafeMutableRawPointer?, size: UnsafeMutablePointer<UInt32>?
  ) -> OSStatus {
    // The header promises both; programs pass null all the same.
    AudioUnitGetProperty(
      unit.unit, id, scope, element, unsafeBitCast(data, to: UnsafeMutableRawPointer.self),
      unsafeBitCast(size, to: UnsafeMutablePointer<UInt32>.self))
  }

  @Test("Reading without a size is -50", arguments: Kind.allCases)
  func noSize(kind: Kind) throws {
    let unit = try OpenedUnit(kind)
    var value = UInt64(0)
    expectStatus(-50, Self.get(unit, kAudioUnitProperty_MaximumFramesPerSlice, data: &value, size: nil))
  }

  @Test("Reading without memory gives the size", arguments: Kind.allCases)
  func noData(kind: Kind) throws {
    let unit = try OpenedUnit(kind)
    var size = UInt32(0)
    expectNoError(Self.get(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, data: nil, size: &size))
    #expect(size == 40)
    size = 1
    expectNoError(Self.get(unit, kAudioUnitProperty_MaximumFramesPerSlice, data: nil, size: &size))
    #expect(size == 4)
  }

  @Test("Reading with a size of 0 is -50", arguments: Kind.allCases)
  func zeroSize(kind: Kind) throws {
    let unit = try OpenedUnit(kind)
    var (value, size) = (UInt32(7), UInt32(0))
    expectStatus(-50, Self.get(unit, kAudioUnitProperty_MaximumFramesPerSlice, data: &value, size: &size))
    #expect(value == 7 && size == 0)
  }

  @Test("Too little memory gets the beginning, and the size stays", arguments: Kind.allCases)
  func shortBuffer(kind: Kind) throws {
    let unit = try OpenedUnit(kind)
    let format = try unit.format(kAudioUnitScope_Output)
    for room in [1, 8, 39] {
      var bytes = [UInt8](repeating: 0xEE, count: 48)
      var size = UInt32(room)
      #expect(
        Self.get(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, data: &bytes, size: &size) == noErr)
      #expect(size == UInt32(room))
      #expect(bytes[..<room].elementsEqual(withUnsafeBytes(of: format) { Array($0.prefix(room)) }))
      #expect(bytes[room...].allSatisfy { $0 == 0xEE })
    }
  }

  @Test("More memory than needed is left alone behind the value, and the size says how much came")
  func longBuffer() throws {
    var bytes = [UInt8](repeating: 0xEE, count: 48)
    var size = UInt32(48)
    let unit = try OpenedUnit(.mixer)
    expectNoError(Self.get(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, data: &bytes, size: &size))
    #expect(size == 40)
    #expect(bytes[40...].allSatisfy { $0 == 0xEE })
  }

  @Test("After an error the size is 0", arguments: Kind.allCases)
  func sizeAfterErrors(kind: Kind) throws {
    let unit = try OpenedUnit(kind)
    var value = UInt64(0)
    for (id, scope, element, status) in [
      (AudioUnitPropertyID(59), kAudioUnitScope_Global, UInt32(0), OSStatus(-10879)),
      (kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Input, 0, -10866),
      (kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 99, -10877),
    ] {
      var size = UInt32(8)
      #expect(Self.get(unit, id, scope, element: element, data: &value, size: &size) == status)
      #expect(size == 0)
    }
  }

  @Test(
    "Four properties can be taken away",
    arguments: [
      (kAudioUnitProperty_AudioChannelLayout, kAudioUnitScope_Output),
      (kAudioUnitProperty_HostCallbacks, kAudioUnitScope_Global),
      (kAudioUnitProperty_ContextName, kAudioUnitScope_Global), (kAudioUnitProperty_NickName, kAudioUnitScope_Global),
    ], Kind.allCases)
  func removable(property: (id: AudioUnitPropertyID, scope: AudioUnitScope), kind: Kind) throws {
    let unit = try OpenedUnit(kind)
    expectNoError(AudioUnitSetProperty(unit.unit, property.id, property.scope, 0, nil, 0))
  }

  @Test("A name that was taken away is none")
  func removedName() throws {
    let unit = try OpenedUnit(.mixer)
    let name = try #require(CFStringCreateWithCString(nil, "Anna", 0x0800_0100))
    for id in [kAudioUnitProperty_ContextName, kAudioUnitProperty_NickName] {
      expectNoError(unit.set(id, to: UnsafeRawPointer(Unmanaged.passUnretained(name).toOpaque())))
      let read = unit.get(id, as: UnsafeRawPointer?.self).value
      let pointer = try #require(read ?? nil)
      #expect(CFEqual(Unmanaged<CFString>.fromOpaque(pointer).takeRetainedValue(), name))
      expectNoError(AudioUnitSetProperty(unit.unit, id, kAudioUnitScope_Global, 0, nil, 0))
      #expect(unit.get(id, as: UnsafeRawPointer?.self).value == .some(nil))
    }
  }

  @Test(
    "No other property can be taken away",
    arguments: [
      (kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input), (kAudioUnitProperty_SampleRate, kAudioUnitScope_Output),
      (kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global),
      (kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input),
      (kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input),
      (kAudioUnitProperty_ShouldAllocateBuffer, kAudioUnitScope_Input),
      (kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global),
      (kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global),
    ], Kind.allCases)
  func notRemovable(property: (id: AudioUnitPropertyID, scope: AudioUnitScope), kind: Kind) throws {
    let unit = try OpenedUnit(kind)
    expectStatus(-10851, AudioUnitSetProperty(unit.unit, property.id, property.scope, 0, nil, 0))
  }

  @Test("Only one of value and size is -50", arguments: Kind.allCases)
  func halfAValue(kind: Kind) throws {
    let unit = try OpenedUnit(kind)
    var frames = UInt32(512)
    expectStatus(-50, AudioUnitSetProperty(unit.unit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, nil, 4))
    expectStatus(-50, AudioUnitSetProperty(unit.unit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, &frames, 0))
    expectStatus(-50, AudioUnitSetProperty(unit.unit, kAudioUnitProperty_NickName, 0, 0, nil, 8))
  }

  @Test("A value of the wrong size is -10851", arguments: Kind.allCases)
  func wrongSize(kind: Kind) throws {
    let unit = try OpenedUnit(kind)
    var bytes = [UInt8](repeating: 1, count: 64)
    for (id, scope, size) in [
      (kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, UInt32(2)),
      (kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 8),
      (kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 4),
      (kAudioUnitProperty_SampleRate, kAudioUnitScope_Input, 4),
      (kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 35),
      (kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 8),
      (kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 8),
      (kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 8),
    ] {
      #expect(AudioUnitSetProperty(unit.unit, id, scope, 0, &bytes, size) == -10851, "property \(id) of \(size) bytes")
    }
  }

  @Test("Bypass in one byte is refused", arguments: Kind.effects)
  func bypassInOneByte(kind: Kind) throws {
    expectStatus(-10851, try OpenedUnit(kind).set(kAudioUnitProperty_BypassEffect, to: UInt8(1)))
  }

  @Test("A stream format may come without its reserved field", arguments: Kind.allCases)
  func shortStreamFormat(kind: Kind) throws {
    let unit = try OpenedUnit(kind)
    var format = try unit.format(kAudioUnitScope_Output)
    format.mSampleRate = 48_000
    expectNoError(AudioUnitSetProperty(unit.unit, kAudioUnitProperty_StreamFormat, 2, 0, &format, 36))
    #expect(try unit.format(kAudioUnitScope_Output).mSampleRate == 48_000)
  }

  // MARK: Parameters

  @Test("What is no number is -66743, set or scheduled", arguments: [Float.nan, .infinity, -.infinity])
  func notFinite(value: Float) throws {
    let unit = try OpenedUnit(.lowPass)
    expectStatus(-66743, AudioUnitSetParameter(unit.unit, 0, 0, 0, value, 0))
    var immediate = AudioUnitParameterEvent()
    immediate.eventType = .parameterEvent_Immediate
    immediate.eventValues.immediate.value = value
    expectStatus(-66743, AudioUnitScheduleParameters(unit.unit, &immediate, 1))
    var ramp = AudioUnitParameterEvent()
    ramp.eventType = .parameterEvent_Ramped
    ramp.eventValues.ramp.durationInFrames = 10
    ramp.eventValues.ramp.startValue = 100
    ramp.eventValues.ramp.endValue = value
    expectStatus(-66743, AudioUnitScheduleParameters(unit.unit, &ramp, 1))
    #expect(unit.value(0) == 6900)
  }

  @Test("Values beyond the range are kept as given")
  func notClamped() throws {
    let mixer = try OpenedUnit(.mixer)
    for value in [Float(-3), 7.5, 1e9] {
      expectNoError(AudioUnitSetParameter(mixer.unit, 0, kAudioUnitScope_Input, 0, value, 0))
      #expect(mixer.value(0, kAudioUnitScope_Input) == value)
    }
  }

  @Test("A parameter that is not there, or whose element is not", arguments: Kind.allCases)
  func unknownParameters(kind: Kind) throws {
    let unit = try OpenedUnit(kind)
    var value = Float(0)
    expectStatus(-10878, AudioUnitGetParameter(unit.unit, 7_777_777, 0, 0, &value))
    expectStatus(-10878, AudioUnitSetParameter(unit.unit, 7_777_777, 0, 0, 0, 0))
  }

  @Test("A parameter of a bus that is not there is -10877")
  func unknownElement() throws {
    let mixer = try OpenedUnit(.mixer)
    var value = Float(0)
    expectStatus(-10877, AudioUnitGetParameter(mixer.unit, 0, kAudioUnitScope_Input, 8, &value))
    expectStatus(-10877, AudioUnitSetParameter(mixer.unit, 0, kAudioUnitScope_Input, 8, 0, 0))
  }

  @Test("Reading a parameter into nothing is -50")
  func noValue() throws {
    let unit = try OpenedUnit(.lowPass)
    let null = unsafeBitCast(UnsafeMutablePointer<Float>?.none, to: UnsafeMutablePointer<Float>.self)
    expectStatus(-50, AudioUnitGetParameter(unit.unit, 0, 0, 0, null))
  }

  // MARK: The order of checks

  /// Each line is wrong in the way that it names and in all that come after it.
  @Test("Property, scope, element and value are checked in this order", arguments: Kind.allCases)
  func order(kind: Kind) throws {
    let unit = try OpenedUnit(kind)
    var refused = try unit.format(kAudioUnitScope_Output)
    refused.mChannelsPerFrame = 5000
    for (id, scope, element, status) in [
      (AudioUnitPropertyID(59), AudioUnitScope(99), UInt32(99), OSStatus(-10879)),
      (kAudioUnitProperty_StreamFormat, 99, 99, -10866),
      (kAudioUnitProperty_StreamFormat, kAudioUnitScope_Group, 99, -10866),
      (kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 99, -10877),
      (kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 99, -10877),
      (kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, -10868),
    ] {
      #expect(unit.set(id, scope, element, to: refused) == status, "property \(id) scope \(scope) element \(element)")
      guard status != -10868 else { continue }
      #expect(unit.get(id, scope, element, as: AudioStreamBasicDescription.self).status == status)
      #expect(AudioUnitGetPropertyInfo(unit.unit, id, scope, element, nil, nil) == status)
    }
  }

  @Test("The global scope has one element", arguments: Kind.allCases)
  func globalElement(kind: Kind) throws {
    let unit = try OpenedUnit(kind)
    #expect(
      unit.get(kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 1, as: UInt32.self).status == -10877)
    expectStatus(-10877, unit.set(kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 1, to: UInt32(512)))
  }

  @Test("The order holds for sources of inputs too", arguments: Kind.allCases)
  func orderOfSources(kind: Kind) throws {
    let unit = try OpenedUnit(kind)
    let callback = AURenderCallbackStruct()
    expectStatus(-10866, unit.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Output, 99, to: callback))
    expectStatus(-10877, unit.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 99, to: callback))
    let nowhere = AudioUnitConnection(sourceAudioUnit: nil, sourceOutputNumber: 0, destInputNumber: 99)
    expectStatus(-10866, unit.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Output, to: nowhere))
    expectStatus(-10877, unit.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, to: nowhere))
  }

  @Test("The element is not looked at for lists, infos and counts", arguments: Kind.allCases)
  func unvalidatedElements(kind: Kind) throws {
    let unit = try OpenedUnit(kind)
    #expect(unit.get(kAudioUnitProperty_ElementCount, kAudioUnitScope_Output, 99, as: UInt32.self).value == 1)
    expectNoError(AudioUnitGetPropertyInfo(unit.unit, kAudioUnitProperty_ParameterList, 1, 99, nil, nil))
    expectNoError(AudioUnitGetPropertyInfo(unit.unit, kAudioUnitProperty_ParameterInfo, 1, 99, nil, nil))
  }

  // MARK: Listeners

  @Test("A property listener is called at once, on the thread that changes, for any scope and element")
  func listeners() throws {
    final class Log {
      var calls: [(scope: AudioUnitScope, element: UInt32, isSameThread: Bool)] = []
      let thread = pthread_self()
    }
    let mixer = try OpenedUnit(.mixer)
    let log = Log()
    let proc: AudioUnitPropertyListenerProc = { context, _, id, scope, element in
      let log = Unmanaged<Log>.fromOpaque(context).takeUnretainedValue()
      guard id == kAudioUnitProperty_MeteringMode else { return }
      log.calls.append((scope, element, pthread_equal(pthread_self(), log.thread) != 0))
    }
    let context = Unmanaged.passUnretained(log).toOpaque()
    expectNoError(AudioUnitAddPropertyListener(mixer.unit, kAudioUnitProperty_MeteringMode, proc, context))
    for (scope, element) in [(kAudioUnitScope_Input, UInt32(5)), (kAudioUnitScope_Output, 0)] {
      expectNoError(mixer.set(kAudioUnitProperty_MeteringMode, scope, element, to: UInt32(1)))
      #expect(log.calls.last.map { $0 == (scope, element, true) } == true)
    }
    expectNoError(mixer.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(99)))
    #expect(log.calls.count == 2)
    #expect(
      AudioUnitRemovePropertyListenerWithUserData(mixer.unit, kAudioUnitProperty_MeteringMode, proc, context) == noErr)
    expectNoError(mixer.set(kAudioUnitProperty_MeteringMode, kAudioUnitScope_Output, to: UInt32(0)))
    #expect(log.calls.count == 2)
    withExtendedLifetime(log) {}
  }

  @Test("The first render error is kept and told of; reading it clears it", arguments: Kind.allCases)
  func lastRenderError(kind: Kind) throws {
    final class Log { var count = 0 }
    let log = Log()
    let host = try RenderHost(kind, initialize: false)
    let proc: AudioUnitPropertyListenerProc = { context, _, _, _, _ in
      Unmanaged<Log>.fromOpaque(context).takeUnretainedValue().count += 1
    }
    let context = Unmanaged.passUnretained(log).toOpaque()
    expectNoError(AudioUnitAddPropertyListener(host.unit, kAudioUnitProperty_LastRenderError, proc, context))
    #expect(host.lastRenderError == noErr)
    expectStatus(-10867, host.render().status)
    expectNoError(AudioUnitInitialize(host.unit))
    #expect(host.render(frames: 1 << 20).status == -10874)
    #expect(log.count == 1)
    #expect(host.lastRenderError == -10867)
    #expect(host.lastRenderError == noErr)
    #expect(host.render(frames: 1 << 20).status == -10874)
    #expect(log.count == 2)
    #expect(host.lastRenderError == -10874)
    withExtendedLifetime(log) {}
  }
}
