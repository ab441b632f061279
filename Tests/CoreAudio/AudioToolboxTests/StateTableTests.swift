// The calls that are allowed in each state of a unit, and the rules that all properties share: one test for each row of
// the table of errors by state and for each dispatch rule, through the C functions.

import AudioCore
import AudioToolbox
import CoreFoundation
import Glibc
import Testing

/// The two columns of the table.
enum UnitState: String, CaseIterable, Sendable {
  case open, initialized

  /// The right status in this state.
  func expects(_ open: OSStatus, _ initialized: OSStatus) -> OSStatus { self == .open ? open : initialized }
}

/// A unit in one of the states.
private func host(_ kind: OpenedUnit.Kind, _ state: UnitState) throws -> RenderHost {
  try RenderHost(kind, initialize: state == .initialized)
}

@Suite("Errors by state")
struct StateTableTests {
  typealias Kind = OpenedUnit.Kind

  @Test("Render", arguments: Kind.allCases, UnitState.allCases)
  func render(kind: Kind, state: UnitState) throws {
    #expect(try host(kind, state).render().status == state.expects(-10867, noErr))
  }

  @Test("Process", arguments: Kind.effects, UnitState.allCases)
  func process(kind: Kind, state: UnitState) throws {
    #expect(try host(kind, state).process() == state.expects(-10867, noErr))
  }

  @Test("Another stream format", arguments: Kind.allCases, UnitState.allCases)
  func anotherFormat(kind: Kind, state: UnitState) throws {
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      let host = try host(kind, state)
      let former = try host.opened.format(scope)
      var format = former
      format.mSampleRate = 48_000
      #expect(
        host.opened.set(kAudioUnitProperty_StreamFormat, scope, to: format) == state.expects(noErr, -10865),
        "scope \(scope)")
      #expect(try host.opened.format(scope).mSampleRate == (state == .open ? 48_000 : former.mSampleRate))
    }
  }

  @Test("Another sample rate", arguments: Kind.allCases, UnitState.allCases)
  func anotherSampleRate(kind: Kind, state: UnitState) throws {
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output, kAudioUnitScope_Global] {
      let host = try host(kind, state)
      #expect(
        host.opened.set(kAudioUnitProperty_SampleRate, scope, to: 48_000.0) == state.expects(noErr, -10865),
        "scope \(scope)")
      let output = try host.opened.format(scope == kAudioUnitScope_Input ? scope : kAudioUnitScope_Output)
      #expect(output.mSampleRate == (state == .open ? 48_000 : 44_100))
    }
  }

  @Test("The same stream format", arguments: Kind.allCases, UnitState.allCases)
  func sameFormat(kind: Kind, state: UnitState) throws {
    let host = try host(kind, state)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      let format = try host.opened.format(scope)
      expectNoError(host.opened.set(kAudioUnitProperty_StreamFormat, scope, to: format))
      expectNoError(host.opened.set(kAudioUnitProperty_SampleRate, scope, to: format.mSampleRate))
    }
  }

  @Test("The stream format of an input that a connection feeds", arguments: Kind.allCases, UnitState.allCases)
  func connectedFormat(kind: Kind, state: UnitState) throws {
    let source = try OpenedUnit(.lowPass)
    let destination = try OpenedUnit(kind)
    let connection = AudioUnitConnection(sourceAudioUnit: source.unit, sourceOutputNumber: 0, destInputNumber: 0)
    expectNoError(destination.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, to: connection))
    if state == .initialized { #expect(AudioUnitInitialize(destination.unit) == noErr) }
    var format = try destination.format(kAudioUnitScope_Input)
    expectNoError(destination.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, to: format))
    format.mSampleRate = 48_000
    expectStatus(-10865, destination.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, to: format))
  }

  @Test("A fixed number of elements", arguments: Kind.allCases, UnitState.allCases)
  func fixedElementCount(kind: Kind, state: UnitState) throws {
    let host = try host(kind, state)
    let fixed = [kAudioUnitScope_Global, kAudioUnitScope_Output] + (kind == .mixer ? [] : [kAudioUnitScope_Input])
    for scope in fixed {
      #expect(host.opened.set(kAudioUnitProperty_ElementCount, scope, to: UInt32(2)) == -10865, "scope \(scope)")
      #expect(host.opened.get(kAudioUnitProperty_ElementCount, scope, as: UInt32.self).value == 1)
    }
  }

  @Test("A variable number of elements", arguments: UnitState.allCases)
  func variableElementCount(state: UnitState) throws {
    let host = try host(.mixer, state)
    #expect(host.opened.get(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, as: UInt32.self).value == 8)
    let status = host.opened.set(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, to: UInt32(3))
    #expect(status == state.expects(noErr, -10849))
    let count = host.opened.get(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, as: UInt32.self).value
    #expect(count == (state == .open ? 3 : 8))
  }

  @Test(
    "The longest slice, which says that it can be written in both states", arguments: Kind.allCases, UnitState.allCases)
  func maximumFrames(kind: Kind, state: UnitState) throws {
    let host = try host(kind, state)
    let former = host.opened.get(kAudioUnitProperty_MaximumFramesPerSlice, as: UInt32.self).value
    let status = host.opened.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(777))
    #expect(status == state.expects(noErr, -10849))
    let frames = host.opened.get(kAudioUnitProperty_MaximumFramesPerSlice, as: UInt32.self).value
    #expect(frames == (state == .open ? 777 : former))
    var (size, isWritable) = (UInt32(0), false)
    #expect(
      AudioUnitGetPropertyInfo(
        host.unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &size, &isWritable) == noErr)
    #expect(size == 4 && isWritable)
  }

  @Test("Whether a bus has memory of its own", arguments: Kind.allCases, UnitState.allCases)
  func shouldAllocateBuffer(kind: Kind, state: UnitState) throws {
    let host = try host(kind, state)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      let status = host.opened.set(kAudioUnitProperty_ShouldAllocateBuffer, scope, to: UInt32(0))
      #expect(status == state.expects(noErr, -10849), "scope \(scope)")
      let value = host.opened.get(kAudioUnitProperty_ShouldAllocateBuffer, scope, as: UInt32.self).value
      #expect(value == (state == .open ? 0 : 1))
    }
  }

  @Test("A render callback, and none", arguments: Kind.allCases, UnitState.allCases)
  func renderCallback(kind: Kind, state: UnitState) throws {
    let host = try host(kind, state)
    let none = AURenderCallbackStruct()
    expectNoError(host.opened.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, to: none))
    expectNoError(host.opened.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, to: host.callback))
  }

  @Test("A connection, and none", arguments: Kind.allCases, UnitState.allCases)
  func connection(kind: Kind, state: UnitState) throws {
    let source = try OpenedUnit(.lowPass)
    let host = try host(kind, state)
    for sourceUnit in [source.unit, nil] {
      let connection = AudioUnitConnection(sourceAudioUnit: sourceUnit, sourceOutputNumber: 0, destInputNumber: 0)
      expectNoError(host.opened.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, to: connection))
    }
  }

  @Test("Bypass", arguments: Kind.effects, UnitState.allCases)
  func bypass(kind: Kind, state: UnitState) throws {
    let host = try host(kind, state)
    for value in [UInt32(1), 0] {
      expectNoError(host.opened.set(kAudioUnitProperty_BypassEffect, to: value))
      #expect(host.opened.get(kAudioUnitProperty_BypassEffect, as: UInt32.self).value == value)
    }
  }

  /// A filter that rings after an impulse, before bypass is switched.
  private static func ringing() throws -> RenderHost {
    let host = try RenderHost(.lowPass)
    expectNoError(AudioUnitSetParameter(host.unit, UInt32(kLowPassParam_CutoffFrequency), 0, 0, 100, 0))
    expectNoError(AudioUnitSetParameter(host.unit, UInt32(kLowPassParam_Resonance), 0, 0, 20, 0))
    host.signal = { $0 == 0 ? 1 : 0 }
    #expect(host.render().samples.contains { $0 != 0 })
    return host
  }

  @Test("Switching bypass off while initialized resets: a ringing filter is silent")
  func bypassOffResets() throws {
    let untouched = try Self.ringing()
    #expect(untouched.render().samples.contains { $0 != 0 })
    let switched = try Self.ringing()
    expectNoError(switched.opened.set(kAudioUnitProperty_BypassEffect, to: UInt32(1)))
    #expect(switched.render().samples.allSatisfy { $0 == 0 })
    expectNoError(switched.opened.set(kAudioUnitProperty_BypassEffect, to: UInt32(0)))
    #expect(switched.render().samples.allSatisfy { $0 == 0 })
  }

  @Test("It does so even where nothing was rendered in between")
  func bypassOffResetsAtOnce() throws {
    let host = try Self.ringing()
    for value in [UInt32(1), 0] { #expect(host.opened.set(kAudioUnitProperty_BypassEffect, to: value) == noErr) }
    let samples = host.render().samples
    #expect(samples.allSatisfy { $0 == 0 })
  }

  @Test("The present preset", arguments: Kind.allCases, UnitState.allCases)
  func presentPreset(kind: Kind, state: UnitState) throws {
    let host = try host(kind, state)
    let name = try #require(CFStringCreateWithCString(nil, "mine", 0x0800_0100))
    let preset = AUPreset(presetNumber: -1, presetName: Unmanaged.passUnretained(name))
    expectNoError(host.opened.set(kAudioUnitProperty_PresentPreset, to: preset))
    let present = host.opened.get(kAudioUnitProperty_PresentPreset, as: AUPreset.self)
    expectNoError(present.status)
    #expect(present.value?.presetNumber == -1)
    present.value?.presetName?.release()
  }

  @Test("A factory preset", arguments: UnitState.allCases)
  func factoryPreset(state: UnitState) throws {
    let host = try host(.iPodEQ, state)
    expectNoError(host.opened.set(kAudioUnitProperty_PresentPreset, to: AUPreset(presetNumber: 8, presetName: nil)))
    let present = host.opened.get(kAudioUnitProperty_PresentPreset, as: AUPreset.self).value
    #expect(present?.presetNumber == 8)
    present?.presetName?.release()
  }

  @Test("The whole state", arguments: Kind.allCases, UnitState.allCases)
  func classInfo(kind: Kind, state: UnitState) throws {
    let host = try host(kind, state)
    let read = host.opened.get(kAudioUnitProperty_ClassInfo, as: UnsafeRawPointer?.self)
    expectNoError(read.status)
    let info = try #require(read.value ?? nil)
    expectNoError(host.opened.set(kAudioUnitProperty_ClassInfo, to: info))
    Unmanaged<CFDictionary>.fromOpaque(info).release()
  }

  @Test("Parameters", arguments: UnitState.allCases)
  func parameters(state: UnitState) throws {
    for (kind, scope) in [(Kind.lowPass, kAudioUnitScope_Global), (.mixer, kAudioUnitScope_Input)] {
      let host = try host(kind, state)
      expectNoError(AudioUnitSetParameter(host.unit, 0, scope, 0, 0.5, 0))
      #expect(host.opened.value(0, scope) == 0.5)
    }
  }

  @Test("Initializing again is harmless; uninitializing keeps values", arguments: Kind.allCases)
  func lifeCycle(kind: Kind) throws {
    let host = try RenderHost(kind)
    expectNoError(AudioUnitInitialize(host.unit))
    expectNoError(host.render().status)
    let format = try host.opened.format(kAudioUnitScope_Output)
    for _ in 0..<2 { #expect(AudioUnitUninitialize(host.unit) == noErr) }
    expectStatus(-10867, host.render().status)
    #expect(try host.opened.format(kAudioUnitScope_Output).mSampleRate == format.mSampleRate)
    expectNoError(AudioUnitInitialize(host.unit))
    expectNoError(host.render().status)
  }
}
