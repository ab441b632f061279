import AudioCore
import AudioToolbox
import CoreFoundation
import Dispatch
import Glibc
import Testing

@Suite("Parameter listeners")
struct ParameterListenerTests {
  @Test("AUParameterSet sets, and tells at once on the same thread with an interval of 0")
  func setTells() throws {
    let mixer = try OpenedUnit(.mixer)
    let told = ListenerLog()
    let listener = try told.parameterListener()
    defer { AUListenerDispose(listener) }
    var parameter = mixer.parameter(mixerVolume, kAudioUnitScope_Input, 3)
    expectNoError(AUListenerAddParameter(listener, listenerObject(7), &parameter))
    expectNoError(AUParameterSet(nil, nil, &parameter, 0.25, 0))
    #expect(mixer.value(mixerVolume, kAudioUnitScope_Input, 3) == 0.25)
    #expect(told.items == [.init(object: 7, id: mixerVolume, scope: 1, element: 3, value: 0.25)])
    #expect(told.units == [mixer.unit])
    #expect(told.threads.allSatisfy { pthread_equal($0, pthread_self()) != 0 })
  }

  @Test("AudioUnitSetParameter tells nobody; announcing it does, with the value that holds")
  func plainSetIsSilent() throws {
    let mixer = try OpenedUnit(.mixer)
    let told = ListenerLog()
    let listener = try told.parameterListener()
    defer { AUListenerDispose(listener) }
    var parameter = mixer.parameter(mixerVolume, kAudioUnitScope_Output)
    AUListenerAddParameter(listener, nil, &parameter)
    expectNoError(AudioUnitSetParameter(mixer.unit, mixerVolume, 2, 0, 0.5, 0))
    #expect(told.items.isEmpty)
    expectNoError(AUParameterListenerNotify(nil, nil, &parameter))
    #expect(told.values == [0.5])
  }

  @Test("Only the parameter asked for is told: not another, another element or another unit's")
  func onlyWhatWasAskedFor() throws {
    let mixer = try OpenedUnit(.mixer)
    let other = try OpenedUnit(.mixer)
    let told = ListenerLog()
    let listener = try told.parameterListener()
    defer { AUListenerDispose(listener) }
    var asked = mixer.parameter(mixerVolume, kAudioUnitScope_Input, 1)
    AUListenerAddParameter(listener, nil, &asked)
    for var elsewhere in [
      mixer.parameter(mixerPan, kAudioUnitScope_Input, 1), mixer.parameter(mixerVolume, kAudioUnitScope_Input, 2),
      mixer.parameter(mixerVolume, kAudioUnitScope_Output), other.parameter(mixerVolume, kAudioUnitScope_Input, 1),
    ] {
      expectNoError(AUParameterSet(nil, nil, &elsewhere, 0.5, 0))
    }
    #expect(told.items.isEmpty)
  }

  @Test("The sending listener's sending object is skipped, and nobody else; without a sender nobody is")
  func senderIsSkipped() throws {
    let mixer = try OpenedUnit(.mixer)
    let (first, second) = (ListenerLog(), ListenerLog())
    let listeners = [try first.parameterListener(), try second.parameterListener()]
    defer { for listener in listeners { AUListenerDispose(listener) } }
    var parameter = mixer.parameter(mixerVolume, kAudioUnitScope_Input)
    for listener in listeners {
      for number in [1, 2] { AUListenerAddParameter(listener, listenerObject(number), &parameter) }
    }
    AUParameterSet(listeners[0], listenerObject(1), &parameter, 0.5, 0)
    #expect(first.items.map(\.object) == [2])
    #expect(second.items.map(\.object) == [1, 2])
    AUParameterSet(nil, listenerObject(1), &parameter, 0.25, 0)
    #expect(first.items.map(\.object) == [2, 1, 2])
    #expect(second.items.map(\.object) == [1, 2, 1, 2])
  }

  @Test("Any parameter is every one that is listened to on this unit, with the value of each")
  func anyParameter() throws {
    let mixer = try OpenedUnit(.mixer)
    let other = try OpenedUnit(.mixer)
    let told = ListenerLog()
    let listener = try told.parameterListener()
    defer { AUListenerDispose(listener) }
    for var parameter in [
      mixer.parameter(mixerVolume, kAudioUnitScope_Input, 4), mixer.parameter(mixerPan, kAudioUnitScope_Input, 4),
      mixer.parameter(mixerVolume, kAudioUnitScope_Output), other.parameter(mixerVolume, kAudioUnitScope_Output),
      // Published by no bus: there is no change to tell.
      mixer.parameter(mixerVolume, kAudioUnitScope_Input, 99),
    ] {
      expectNoError(AUListenerAddParameter(listener, nil, &parameter))
    }
    AudioUnitSetParameter(mixer.unit, mixerPan, 1, 4, -0.5, 0)
    AudioUnitSetParameter(mixer.unit, mixerVolume, 2, 0, 0.75, 0)
    var all = mixer.parameter(kAUParameterListener_AnyParameter)
    expectNoError(AUParameterListenerNotify(nil, nil, &all))
    #expect(
      told.items == [
        .init(id: mixerVolume, scope: 1, element: 4, value: 1), .init(id: mixerPan, scope: 1, element: 4, value: -0.5),
        .init(id: mixerVolume, scope: 2, value: 0.75),
      ])
    #expect(AUListenerAddParameter(listener, nil, &all) == kAudioUnitErr_InvalidParameter)
  }

  @Test("A value that the unit refuses is an error, and told to nobody")
  func refusedValues() throws {
    let mixer = try OpenedUnit(.mixer)
    let told = ListenerLog()
    let listener = try told.parameterListener()
    defer { AUListenerDispose(listener) }
    var parameter = mixer.parameter(mixerVolume, kAudioUnitScope_Input)
    AUListenerAddParameter(listener, nil, &parameter)
    #expect(AUParameterSet(nil, nil, &parameter, .nan, 0) == kAudioUnitErr_InvalidParameterValue)
    #expect(AUParameterSet(nil, nil, &parameter, .infinity, 0) == kAudioUnitErr_InvalidParameterValue)
    var noBus = mixer.parameter(mixerVolume, kAudioUnitScope_Input, 99)
    #expect(AUParameterSet(nil, nil, &noBus, 0.5, 0) == kAudioUnitErr_InvalidElement)
    var noParameter = mixer.parameter(77, kAudioUnitScope_Input)
    #expect(AUParameterSet(nil, nil, &noParameter, 0.5, 0) == kAudioUnitErr_InvalidParameter)
    #expect(AUParameterListenerNotify(nil, nil, &noParameter) == kAudioUnitErr_InvalidParameter)
    #expect(told.items.isEmpty)
  }

  @Test("Within an interval only the last value is told, on the run loop")
  func intervalOnRunLoop() throws {
    let mixer = try OpenedUnit(.mixer)
    let told = ListenerLog()
    let listener = try told.parameterListener(interval: 0.01)
    defer { AUListenerDispose(listener) }
    var first = mixer.parameter(mixerVolume, kAudioUnitScope_Input, 0)
    var second = mixer.parameter(mixerVolume, kAudioUnitScope_Input, 1)
    AUListenerAddParameter(listener, nil, &first)
    AUListenerAddParameter(listener, nil, &second)
    for step in 1...3 { AUParameterSet(nil, nil, &first, Float(step) / 8, 0) }
    AUParameterSet(nil, nil, &second, 0.5, 0)
    #expect(told.items.isEmpty)
    told.run(until: 2)
    #expect(
      told.items == [
        .init(id: mixerVolume, scope: 1, value: 0.375), .init(id: mixerVolume, scope: 1, element: 1, value: 0.5),
      ])
    AUParameterSet(nil, nil, &first, 1, 0)
    told.run(until: 3)
    #expect(told.values == [0.375, 0.5, 1])
  }

  @Test("A listener's run loop mode is its own")
  func runLoopMode() throws {
    let mixer = try OpenedUnit(.mixer)
    let told = ListenerLog()
    let mode: CFString = try #require(CFStringCreateWithCString(nil, "AudioUnitUtilitiesTests", 0x0800_0100))
    let listener = try told.parameterListener(interval: 0.001, mode: mode)
    defer { AUListenerDispose(listener) }
    var parameter = mixer.parameter(mixerVolume, kAudioUnitScope_Output)
    AUListenerAddParameter(listener, nil, &parameter)
    AUParameterSet(nil, nil, &parameter, 0.5, 0)
    CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, true)
    #expect(told.items.isEmpty)
    told.run(until: 1, mode: mode)
    #expect(told.values == [0.5])
  }

  @Test("A dispatch queue of Swift hears too")
  func swiftQueue() throws {
    let mixer = try OpenedUnit(.mixer)
    let told = ListenerLog()
    var made: AUParameterListenerRef?
    let queue = DispatchQueue(label: "listener")
    let status = AUListenerCreateWithDispatchQueue(&made, 0.001, queue) { object, parameter, value in
      dispatchPrecondition(condition: .onQueue(queue))
      told.add(object, parameter.pointee, value)
    }
    expectNoError(status)
    let listener = try #require(made)
    defer { AUListenerDispose(listener) }
    var parameter = mixer.parameter(mixerVolume, kAudioUnitScope_Output)
    AUListenerAddParameter(listener, listenerObject(5), &parameter)
    AUParameterSet(nil, nil, &parameter, 0.5, 0)
    #expect(told.arrived.wait(timeout: .now() + 60) == .success)
    #expect(queue.sync { told.items } == [.init(object: 5, id: mixerVolume, scope: 2, value: 0.5)])
  }

  @Test("A dispatch queue of C hears too, and may be released by its owner")
  func cQueue() throws {
    typealias Create = @convention(c) (UnsafePointer<CChar>?, OpaquePointer?) -> OpaquePointer?
    typealias Release = @convention(c) (OpaquePointer) -> Void
    let create = unsafeBitCast(try #require(dlsym(nil, "dispatch_queue_create")), to: Create.self)
    let release = unsafeBitCast(try #require(dlsym(nil, "dispatch_release")), to: Release.self)
    let queue = try #require(create("listener", nil))
    let mixer = try OpenedUnit(.mixer)
    let told = ListenerLog()
    var made: AUParameterListenerRef?
    let status = AUListenerCreateWithDispatchQueue(&made, 0.001, queue) { told.add($0, $1.pointee, $2) }
    expectNoError(status)
    release(queue)
    let listener = try #require(made)
    var parameter = mixer.parameter(mixerVolume, kAudioUnitScope_Output)
    AUListenerAddParameter(listener, nil, &parameter)
    AUParameterSet(nil, nil, &parameter, 0.5, 0)
    #expect(told.arrived.wait(timeout: .now() + 60) == .success)
    expectNoError(AUListenerDispose(listener))
    #expect(told.values == [0.5])
  }

  @Test("What is removed is not told any more, not even what was waiting")
  func removal() throws {
    let mixer = try OpenedUnit(.mixer)
    let told = ListenerLog()
    let listener = try told.parameterListener(interval: 0.001)
    defer { AUListenerDispose(listener) }
    var first = mixer.parameter(mixerVolume, kAudioUnitScope_Input, 0)
    var second = mixer.parameter(mixerVolume, kAudioUnitScope_Input, 1)
    AUListenerAddParameter(listener, listenerObject(1), &first)
    AUListenerAddParameter(listener, listenerObject(1), &second)
    AUParameterSet(nil, nil, &first, 0.5, 0)
    AUParameterSet(nil, nil, &second, 0.25, 0)
    expectNoError(AUListenerRemoveParameter(listener, listenerObject(2), &second))
    expectNoError(AUListenerRemoveParameter(listener, listenerObject(1), &first))
    told.run(until: 1)
    #expect(told.values == [0.25])
  }

  @Test("Adding the same parameter twice tells once")
  func addingTwice() throws {
    let mixer = try OpenedUnit(.mixer)
    let told = ListenerLog()
    let listener = try told.parameterListener()
    defer { AUListenerDispose(listener) }
    var parameter = mixer.parameter(mixerVolume, kAudioUnitScope_Output)
    for _ in 0..<2 { #expect(AUListenerAddParameter(listener, nil, &parameter) == noErr) }
    AUParameterSet(nil, nil, &parameter, 0.5, 0)
    #expect(told.values == [0.5])
  }
}

@Suite("Event listeners")
struct EventListenerTests {
  @Test("Gestures and values come in order, with host times of the monotonic clock")
  func gestures() throws {
    let mixer = try OpenedUnit(.mixer)
    let told = ListenerLog()
    let listener = try told.eventListener()
    defer { AUListenerDispose(listener) }
    let parameter = mixer.parameter(mixerVolume, kAudioUnitScope_Input, 2)
    var begin = listenerEvent(.beginParameterChangeGesture, parameter)
    var end = listenerEvent(.endParameterChangeGesture, parameter)
    var value = listenerEvent(.parameterValueChange, parameter)
    for var each in [begin, end, value] {
      expectNoError(AUEventListenerAddEventType(listener, listenerObject(9), &each))
    }
    let before = monotonicNow()
    expectNoError(AUEventListenerNotify(nil, nil, &begin))
    var same = parameter
    expectNoError(AUParameterSet(nil, nil, &same, 0.5, 0))
    expectNoError(AUEventListenerNotify(nil, nil, &value))
    expectNoError(AUEventListenerNotify(nil, nil, &end))
    #expect(told.items.map(\.kind) == [1, 0, 0, 2])
    #expect(told.items.allSatisfy { $0.object == 9 && $0.id == mixerVolume && $0.scope == 1 && $0.element == 2 })
    #expect(told.items.filter { $0.kind == 0 }.map(\.value) == [0.5, 0.5])
    let times = [before] + told.hostTimes + [monotonicNow()]
    #expect(times == times.sorted())
  }

  @Test("A property is told when the unit changes it, of its own scope and element alone")
  func properties() throws {
    let mixer = try OpenedUnit(.mixer)
    let told = ListenerLog()
    let listener = try told.eventListener()
    defer { AUListenerDispose(listener) }
    var wanted = listenerEvent(mixer.unit, property: kAudioUnitProperty_MeteringMode, kAudioUnitScope_Input, 3)
    expectNoError(AUEventListenerAddEventType(listener, listenerObject(4), &wanted))
    expectNoError(mixer.set(kAudioUnitProperty_MeteringMode, kAudioUnitScope_Input, 2, to: UInt32(1)))
    #expect(told.items.isEmpty)
    expectNoError(mixer.set(kAudioUnitProperty_MeteringMode, kAudioUnitScope_Input, 3, to: UInt32(1)))
    #expect(
      told.items == [.init(kind: 3, object: 4, id: kAudioUnitProperty_MeteringMode, scope: 1, element: 3, value: 0)])
    expectNoError(AUEventListenerNotify(nil, nil, &wanted))
    #expect(told.items.count == 2)
    expectNoError(AUEventListenerRemoveEventType(listener, listenerObject(4), &wanted))
    expectNoError(mixer.set(kAudioUnitProperty_MeteringMode, kAudioUnitScope_Input, 3, to: UInt32(0)))
    #expect(told.items.count == 2)
  }

  @Test("Two elements of one property are told once each")
  func propertyOfTwoElements() throws {
    let mixer = try OpenedUnit(.mixer)
    let told = ListenerLog()
    let listener = try told.eventListener()
    defer { AUListenerDispose(listener) }
    for element in [UInt32(0), 1] {
      var wanted = listenerEvent(mixer.unit, property: kAudioUnitProperty_MeteringMode, kAudioUnitScope_Input, element)
      expectNoError(AUEventListenerAddEventType(listener, nil, &wanted))
    }
    _ = mixer.set(kAudioUnitProperty_MeteringMode, kAudioUnitScope_Input, 1, to: UInt32(1))
    #expect(told.items.map(\.element) == [1])
    // With one of them gone the other is still told.
    var first = listenerEvent(mixer.unit, property: kAudioUnitProperty_MeteringMode, kAudioUnitScope_Input, 1)
    AUEventListenerRemoveEventType(listener, nil, &first)
    _ = mixer.set(kAudioUnitProperty_MeteringMode, kAudioUnitScope_Input, 1, to: UInt32(0))
    _ = mixer.set(kAudioUnitProperty_MeteringMode, kAudioUnitScope_Input, 0, to: UInt32(1))
    #expect(told.items.map(\.element) == [1, 0])
  }

  @Test(
    "Within the granularity only the last value of a gesture is told; without one all are",
    arguments: [
      (Float(1000), [1, 0, 2, 1, 0, 2], [0.25, 0.375]), (Float(0), [1, 0, 0, 2, 1, 0, 2], [0.125, 0.25, 0.375]),
    ])
  func granularity(granularity: Float, kinds: [UInt32], values: [Float]) throws {
    let mixer = try OpenedUnit(.mixer)
    let told = ListenerLog()
    let listener = try told.eventListener(interval: 0.001, granularity: granularity)
    defer { AUListenerDispose(listener) }
    var parameter = mixer.parameter(mixerVolume, kAudioUnitScope_Input)
    var begin = listenerEvent(.beginParameterChangeGesture, parameter)
    var end = listenerEvent(.endParameterChangeGesture, parameter)
    for var each in [begin, end, listenerEvent(.parameterValueChange, parameter)] {
      AUEventListenerAddEventType(listener, nil, &each)
    }
    AUEventListenerNotify(nil, nil, &begin)
    AUParameterSet(nil, nil, &parameter, 0.125, 0)
    AUParameterSet(nil, nil, &parameter, 0.25, 0)
    AUEventListenerNotify(nil, nil, &end)
    AUEventListenerNotify(nil, nil, &begin)
    AUParameterSet(nil, nil, &parameter, 0.375, 0)
    AUEventListenerNotify(nil, nil, &end)
    told.run(until: kinds.count)
    #expect(told.items.map(\.kind) == kinds)
    #expect(told.items.filter { $0.kind == 0 }.map(\.value) == values)
  }

  @Test("Parameter listeners hear value changes that are announced as events")
  func bothKinds() throws {
    let mixer = try OpenedUnit(.mixer)
    let told = ListenerLog()
    let listener = try told.parameterListener()
    defer { AUListenerDispose(listener) }
    var parameter = mixer.parameter(mixerVolume, kAudioUnitScope_Output)
    AUListenerAddParameter(listener, nil, &parameter)
    var value = listenerEvent(.parameterValueChange, parameter)
    AUEventListenerNotify(nil, nil, &value)
    #expect(told.values == [1])
  }
}
