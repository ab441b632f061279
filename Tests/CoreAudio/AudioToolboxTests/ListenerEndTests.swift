import AudioCore
import AudioToolbox
import Dispatch
import Glibc
import TestSupport
import Testing

@Suite("The ends of listeners and units")
struct ListenerEndTests {
  @Test("Listeners that are gone, never were or are something else answer -50", arguments: 0..<3)
  func badHandles(which: Int) throws {
    let mixer = try OpenedUnit(.mixer)
    let gone = try ListenerLog().eventListener()
    expectNoError(AUListenerDispose(gone))
    let null = unsafeBitCast(UInt(0), to: AUParameterListenerRef.self)
    let listener = [gone, mixer.unit, null][which]
    var parameter = mixer.parameter(mixerVolume, kAudioUnitScope_Output)
    var gesture = listenerEvent(.beginParameterChangeGesture, parameter)
    expectStatus(-50, AUListenerDispose(listener))
    expectStatus(-50, AUListenerAddParameter(listener, nil, &parameter))
    expectStatus(-50, AUListenerRemoveParameter(listener, nil, &parameter))
    expectStatus(-50, AUEventListenerAddEventType(listener, nil, &gesture))
    expectStatus(-50, AUEventListenerRemoveEventType(listener, nil, &gesture))
    guard which < 2 else { return }
    expectStatus(-50, AUParameterSet(listener, nil, &parameter, 0.5, 0))
    expectStatus(-50, AUParameterListenerNotify(listener, nil, &parameter))
    expectStatus(-50, AUEventListenerNotify(listener, nil, &gesture))
    #expect(mixer.value(mixerVolume, kAudioUnitScope_Output) == 1)
  }

  @Test("What a listener's block holds goes with the listener")
  func blocks() throws {
    final class Held {}
    weak var held: Held?
    let queue = DispatchQueue(label: "listener")
    do {
      let object = Held()
      held = object
      var events: AUEventListenerRef?
      var parameters: AUParameterListenerRef?
      let onEvent: AUEventListenerBlock = { [object] _, _, _, _ in _ = object }
      let onParameter: AUParameterListenerBlock = { [object] _, _, _ in _ = object }
      expectNoError(AUEventListenerCreateWithDispatchQueue(&events, 0.01, 0, queue, onEvent))
      expectNoError(AUListenerCreateWithDispatchQueue(&parameters, 0.01, queue, onParameter))
      expectNoError(AUListenerDispose(try #require(events)))
      expectNoError(AUListenerDispose(try #require(parameters)))
    }
    queue.sync {}
    #expect(held == nil)
  }

  @Test("Intervals below 0 and what is no number are refused", arguments: [-1, -0.001, Float.nan, .infinity])
  func badIntervals(interval: Float) {
    var listener: AUParameterListenerRef?
    expectStatus(-50, AUListenerCreate(ListenerLog.parameterProc, nil, nil, nil, interval, &listener))
    #expect(listener == nil)
    expectStatus(-50, AUEventListenerCreate(ListenerLog.eventProc, nil, nil, nil, 0, interval, &listener))
    #expect(listener == nil)
  }

  @Test("A listener of parameters takes no events")
  func parameterListenersTakeNoEvents() throws {
    let mixer = try OpenedUnit(.mixer)
    let listener = try ListenerLog().parameterListener()
    defer { AUListenerDispose(listener) }
    var gesture = listenerEvent(.beginParameterChangeGesture, mixer.parameter(mixerVolume, kAudioUnitScope_Output))
    expectStatus(-50, AUEventListenerAddEventType(listener, nil, &gesture))
  }

  @Test("A property that the unit does not have cannot be listened to without an error")
  func unknownUnits() throws {
    let mixer = try OpenedUnit(.mixer)
    let told = ListenerLog()
    let listener = try told.eventListener()
    defer { AUListenerDispose(listener) }
    var parameter = mixer.parameter(mixerVolume, kAudioUnitScope_Output)
    var property = listenerEvent(mixer.unit, property: kAudioUnitProperty_MeteringMode, kAudioUnitScope_Output, 0)
    mixer.dispose()
    expectStatus(-50, AUListenerAddParameter(listener, nil, &parameter))
    expectStatus(-50, AUEventListenerAddEventType(listener, nil, &property))
    expectStatus(-50, AUParameterSet(nil, nil, &parameter, 0.5, 0))
    expectStatus(-50, AUParameterListenerNotify(nil, nil, &parameter))
    expectStatus(-50, AUEventListenerNotify(nil, nil, &property))
  }

  @Test("Unit and listener may be disposed of in any order, with changes waiting", arguments: [true, false])
  func anyOrder(unitFirst: Bool) throws {
    let mixer = try OpenedUnit(.mixer)
    let told = ListenerLog()
    let listener = try told.eventListener(interval: 0.001)
    var parameter = mixer.parameter(mixerVolume, kAudioUnitScope_Output)
    var property = listenerEvent(mixer.unit, property: kAudioUnitProperty_MeteringMode, kAudioUnitScope_Output, 0)
    AUListenerAddParameter(listener, nil, &parameter)
    AUEventListenerAddEventType(listener, nil, &property)
    AUParameterSet(nil, nil, &parameter, 0.5, 0)
    _ = mixer.set(kAudioUnitProperty_MeteringMode, kAudioUnitScope_Output, to: UInt32(1))
    // Another listener of the same run loop shows when the waiting changes would have been delivered.
    let later = try OpenedUnit(.mixer)
    let other = ListenerLog()
    let otherListener = try other.parameterListener(interval: 0.002)
    defer { AUListenerDispose(otherListener) }
    var otherParameter = later.parameter(mixerVolume, kAudioUnitScope_Output)
    AUListenerAddParameter(otherListener, nil, &otherParameter)
    AUParameterSet(nil, nil, &otherParameter, 0.5, 0)
    if unitFirst {
      mixer.dispose()
      other.run(until: 1)
      expectNoError(AUListenerRemoveParameter(listener, nil, &parameter))
      expectNoError(AUEventListenerRemoveEventType(listener, nil, &property))
      expectNoError(AUListenerDispose(listener))
    } else {
      expectNoError(AUListenerDispose(listener))
      _ = mixer.set(kAudioUnitProperty_MeteringMode, kAudioUnitScope_Output, to: UInt32(0))
      expectNoError(AUParameterSet(nil, nil, &parameter, 0.25, 0))
      mixer.dispose()
      other.run(until: 1)
    }
    #expect(other.values == [0.5])
    #expect(told.items.isEmpty)
  }

  @Test("A listener may end itself while it is told")
  func disposedInside() throws {
    let mixer = try OpenedUnit(.mixer)
    let told = ListenerLog()
    let listener = try told.parameterListener()
    var parameter = mixer.parameter(mixerVolume, kAudioUnitScope_Output)
    for number in [1, 2] { AUListenerAddParameter(listener, listenerObject(number), &parameter) }
    told.inside = { AUListenerDispose(listener) }
    AUParameterSet(nil, nil, &parameter, 0.5, 0)
    #expect(told.items.map(\.object) == [1])
    expectStatus(-50, AUListenerDispose(listener))
  }

  @Test("When a listener has been disposed of, no call of it is under way on another thread")
  func disposalWaits() throws {
    let mixer = try OpenedUnit(.mixer)
    let told = ListenerLog()
    let listener = UInt(bitPattern: try told.parameterListener())
    var parameter = mixer.parameter(mixerVolume, kAudioUnitScope_Output)
    AUListenerAddParameter(try #require(OpaquePointer(bitPattern: listener)), nil, &parameter)
    let (entered, left) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let end = ListenerLog()
    let hasGivenUp = Locked(false)
    let hasReturned = Locked(false)
    DispatchQueue.global().async {
      entered.wait()
      let start = DispatchTime.now()
      if let listener = OpaquePointer(bitPattern: listener) { AUListenerDispose(listener) }
      hasReturned.withLock { $0 = true }
      // It waits for a second, which a busy machine may need for the call.
      hasGivenUp.withLock { $0 = DispatchTime.now() > start + 1 }
      end.items = told.items
      left.signal()
    }
    told.items = []
    told.inside = {
      entered.signal()
      // An opportunity for a disposal that does not wait to give itself away.
      _ = eventually(within: .milliseconds(20)) { hasReturned.withLock { $0 } }
      told.items[0].object = 1
    }
    AUParameterSet(nil, nil, &parameter, 0.5, 0)
    #expect(left.wait(timeout: .now() + 60) == .success)
    #expect(hasGivenUp.withLock { $0 } || end.items.map(\.object) == [1])
  }

  @Test("Threads that set, add and dispose at the same time do no harm")
  func manyThreads() throws {
    let mixer = try OpenedUnit(.mixer)
    let unit = UInt(bitPattern: mixer.unit)
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      guard let unit = AudioUnit(bitPattern: unit) else { return }
      for round in 0..<200 {
        let told = ListenerLog()
        guard let listener = try? told.eventListener() else { return }
        var parameter = AudioUnitParameter(
          mAudioUnit: unit, mParameterID: mixerVolume, mScope: 1, mElement: UInt32(number))
        var property = listenerEvent(
          unit, property: kAudioUnitProperty_MeteringMode, kAudioUnitScope_Input, UInt32(number))
        AUListenerAddParameter(listener, nil, &parameter)
        AUEventListenerAddEventType(listener, nil, &property)
        AUParameterSet(nil, nil, &parameter, Float(round) / 200, 0)
        AUListenerDispose(listener)
        #expect(told.values == [Float(round) / 200])
      }
    }
  }
}
