import AudioCore
import AudioToolbox
import CAudioToolbox
import Dispatch
import Foundation
import Hardware
import Synchronization
import TestSupport
import Testing

@Suite("The device's time, and callbacks and listeners that are blocks")
struct DeviceTimeTests {
  private let system: AudioHardware
  private let device = SimulatedHardware.deviceID

  init() {
    var configuration = DeviceConfiguration()
    configuration.sampleRate = 48_000
    configuration.clock = .free
    configuration.bufferFrames = 128
    system = AudioHardware(SimulatedHardware(configuration))
  }

  private static func time(sample: Double? = nil, host: UInt64? = nil) -> AudioTimeStamp {
    var time = AudioTimeStamp()
    if let sample {
      time.mSampleTime = sample
      time.mFlags.insert(.sampleTimeValid)
    }
    if let host {
      time.mHostTime = host
      time.mFlags.insert(.hostTimeValid)
    }
    return time
  }

  /// Runs `body` while a callback runs, and has had `cycles` cycles.
  private func whileRunning(_ body: (UInt) throws -> Void) throws {
    let cycles = DispatchSemaphore(value: 0)
    let number = try system.addClient(
      device,
      { _, _, _, _, _, _, context in
        if let context { Unmanaged<DispatchSemaphore>.fromOpaque(context).takeUnretainedValue().signal() }
        return noErr
      }, Unmanaged.passUnretained(cycles).toOpaque())
    try system.start(device, number)
    cycles.wait()
    cycles.wait()
    defer { try? system.removeClient(device, number) }
    try body(number)
  }

  @Test("without anything that runs there is no time: 'stop'; no measure: 'nope'; no device: '!dev'")
  func nothingRuns() throws {
    #expect(throws: AudioStatus(kAudioHardwareNotRunningError)) { try system.currentTime(device) }
    #expect(throws: AudioStatus(kAudioHardwareNotRunningError)) {
      try system.translated(device, Self.time(sample: 1))
    }
    #expect(throws: AudioStatus(kAudioHardwareBadDeviceError)) { try system.currentTime(77) }
    try whileRunning { _ in
      for time in [AudioTimeStamp(), Self.time(sample: .nan), Self.time(sample: .infinity)] {
        #expect(throws: AudioStatus(kAudioHardwareIllegalOperationError)) { try system.translated(device, time) }
        #expect(throws: AudioStatus(kAudioHardwareIllegalOperationError)) { try system.nearestStart(device, time) }
      }
    }
  }

  @Test("sample times and host times are one line: 480 frames at 48 kHz are 10 ms, both ways")
  func translation() throws {
    try whileRunning { _ in
      let now = try system.currentTime(device)
      #expect(now.mFlags.contains([.sampleTimeValid, .hostTimeValid, .rateScalarValid]) && now.mRateScalar == 1)
      #expect(now.mSampleTime >= 128 && now.mSampleTime.truncatingRemainder(dividingBy: 128) == 0)
      let later = try system.translated(device, Self.time(sample: now.mSampleTime + 480))
      // Host times are whole nanoseconds, each rounded.
      #expect((9_999_999...10_000_001).contains(later.mHostTime - now.mHostTime))
      let back = try system.translated(device, Self.time(host: later.mHostTime))
      #expect(abs(back.mSampleTime - now.mSampleTime - 480) < 0.001)
      let before = try system.translated(device, Self.time(host: now.mHostTime - 1_000_000))
      #expect(abs(before.mSampleTime - now.mSampleTime + 48) < 0.001)
      for sample in [-1e300, 1e300] { _ = try system.translated(device, Self.time(sample: sample)) }
      for host in [0, UInt64.max] { _ = try system.translated(device, Self.time(host: host)) }
    }
  }

  @Test("the nearest start is the beginning of a cycle, at the time or behind it")
  func nearestStart() throws {
    try whileRunning { _ in
      let far = try system.currentTime(device).mSampleTime + 128 * 100_000
      #expect(try system.nearestStart(device, Self.time(sample: far)).mSampleTime == far)
      #expect(try system.nearestStart(device, Self.time(sample: far + 1)).mSampleTime == far + 128)
      let past = try system.nearestStart(device, Self.time(sample: 0))
      #expect(past.mSampleTime.truncatingRemainder(dividingBy: 128) == 0 && past.mSampleTime > 0)
    }
  }

  private final class FirstCall: @unchecked Sendable {
    let input = Atomic<Int64>(-1)
    let output = Atomic<Int64>(-1)
    let hasCome = DispatchSemaphore(value: 0)
  }

  private static let noteFirst: AudioDeviceIOProc = { _, now, _, _, _, outputTime, context in
    guard let context else { return noErr }
    let first = Unmanaged<FirstCall>.fromOpaque(context).takeUnretainedValue()
    if first.input.load(ordering: .relaxed) < 0 {
      first.input.store(Int64(clamping: now.pointee.mSampleTime), ordering: .relaxed)
      first.output.store(Int64(clamping: outputTime.pointee.mSampleTime), ordering: .relaxed)
      first.hasCome.signal()
    }
    return noErr
  }

  @Test("a callback that starts at a time is first called in the cycle that begins there", arguments: [true, false])
  func startAtTime(isInput: Bool) throws {
    let first = FirstCall()
    let number = try system.addClient(device, Self.noteFirst, Unmanaged.passUnretained(first).toOpaque())
    // Its own clock begins at 0.
    let expected = try system.start(device, number, at: Self.time(sample: 12_801), isInput: isInput)
    #expect(expected.mSampleTime >= 12_801)
    first.hasCome.wait()
    try system.removeClient(device, number)
    // 101 cycles of 128 frames.
    let frame = isInput ? first.input.load(ordering: .relaxed) : first.output.load(ordering: .relaxed)
    #expect(frame == 12_928)
  }

  // MARK: Blocks

  @Test("a block is a callback like a function, without a queue and on one")
  func cycles() throws {
    for queue in [nil, DispatchQueue(label: "cycles")] {
      let cycles = DispatchSemaphore(value: 0)
      let isOnQueue = Atomic<Int>(0)
      let key = DispatchSpecificKey<Bool>()
      queue?.setSpecific(key: key, value: true)
      var made: AudioDeviceIOProcID?
      expectNoError(
        AudioDeviceCreateIOProcIDWithBlock(&made, device, queue) { now, input, _, output, outputTime in
          if DispatchQueue.getSpecific(key: key) == true { isOnQueue.add(1, ordering: .relaxed) }
          if output.pointee.mBuffers.mDataByteSize > 0, input.pointee.mNumberBuffers == 1,
            outputTime.pointee.mHostTime > now.pointee.mHostTime
          {
            cycles.signal()
          }
        })
      let number = try #require(made)
      expectNoError(AudioDeviceStart(device, number))
      for _ in 0..<3 { #expect(cycles.wait(timeout: .now() + 20) == .success) }
      expectNoError(AudioDeviceStop(device, number))
      expectNoError(AudioDeviceDestroyIOProcID(device, number))
      #expect(AudioDeviceDestroyIOProcID(device, number) == kAudioHardwareIllegalOperationError)
      #expect((isOnQueue.load(ordering: .relaxed) >= 3) == (queue != nil))
    }
    #expect(_audioDeviceCreateIOProcIDWithBlock(nil, device, nil, nil) == kAudioHardwareIllegalOperationError)
  }

  @Test("a listener's block is called on its queue or by the thread that changes, and not when it was removed")
  func listeners() throws {
    let heard = Locked<[AudioObjectPropertySelector]>([])
    let block: @convention(block) (UInt32, UnsafePointer<AudioObjectPropertyAddress>) -> Void = { count, addresses in
      heard.withLock { heard in
        heard += UnsafeBufferPointer(start: addresses, count: Int(count)).map(\.mSelector)
      }
    }
    let pointer = unsafeBitCast(block, to: UnsafeRawPointer.self)
    let target = ListenerTarget.block(try #require(ListenerBlock(pointer, nil)))
    let address = AudioObjectPropertyAddress(
      mSelector: kAudioDevicePropertyBufferFrameSize, mScope: kAudioObjectPropertyScopeGlobal, mElement: 0)
    try system.addListener(device, address, target)
    try system.addListener(device, address, .block(try #require(ListenerBlock(pointer, nil))))
    func setFrames(_ frames: UInt32) throws {
      var outcome: AudioStatus?
      withUnsafeBytes(of: frames) { bytes in
        do { try system.setValue(device, address, bytes) } catch { outcome = error as? AudioStatus }
      }
      #expect(outcome == nil)
    }
    try setFrames(256)
    // Added twice, it is one.
    #expect(heard.withLock { $0 } == [kAudioDevicePropertyBufferFrameSize])
    try system.removeListener(device, address, .block(try #require(ListenerBlock(pointer, nil))))
    try setFrames(512)
    #expect(heard.withLock { $0.count } == 1)
  }

  @Test("the system's lists of what is not there are empty, and no name finds anything")
  func emptyLists() throws {
    func value(_ selector: AudioObjectPropertySelector) throws -> [UInt32] {
      let address = AudioObjectPropertyAddress(
        mSelector: selector, mScope: kAudioObjectPropertyScopeGlobal, mElement: 0)
      let value = try system.value(kAudioObjectSystemObject, address)
      var words = [UInt32](repeating: 77, count: value.size / 4)
      words.withUnsafeMutableBytes { bytes in
        if let start = bytes.baseAddress { _ = value.write(to: start, room: UInt32(value.size)) }
      }
      return words
    }
    for list in [
      kAudioHardwarePropertyPlugInList, kAudioHardwarePropertyTransportManagerList, kAudioHardwarePropertyBoxList,
      kAudioHardwarePropertyClockDeviceList, kAudioHardwarePropertyProcessObjectList, kAudioHardwarePropertyTapList,
    ] { #expect(try value(list) == []) }
    for name in [
      kAudioHardwarePropertyTranslateBundleIDToPlugIn, kAudioHardwarePropertyTranslateBundleIDToTransportManager,
      kAudioHardwarePropertyTranslateUIDToBox, kAudioHardwarePropertyIsInitingOrExiting,
      kAudioHardwarePropertyPowerHint, kAudioHardwarePropertyUserIDChanged,
    ] { #expect(try value(name) == [0]) }
    for yes in [
      kAudioHardwarePropertyProcessIsMaster, kAudioHardwarePropertyProcessIsMain,
      kAudioHardwarePropertyUserSessionIsActiveOrHeadless,
    ] { #expect(try value(yes) == [1]) }
  }
}
