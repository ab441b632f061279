import AudioEngine
import AudioToolbox
import CAudioToolbox
import CoreFoundation
import Hardware
import Testing

/// The audio session's states, errors, properties and listeners, as AudioSession.h has them (functions, errors,
/// properties, categories, modes).
@Suite struct AudioSessionTests {
  private let hardware = SimulatedHardware(
    {
      var configuration = DeviceConfiguration()
      configuration.sampleRate = 48_000
      return configuration
    }())

  /// A session of its own, initialized.
  private func session() -> AudioSession {
    let session = AudioSession(hardware)
    expectNoError(session.initialize(nil, nil))
    return session
  }

  private func get<Value: BitwiseCopyable>(
    _ session: AudioSession, _ id: AudioSessionPropertyID, _ start: Value
  ) -> (status: OSStatus, value: Value) {
    var value = start
    var size = UInt32(MemoryLayout<Value>.size)
    let status = session.property(id, &size, &value)
    return (status, value)
  }

  private func set<Value: BitwiseCopyable>(
    _ session: AudioSession, _ id: AudioSessionPropertyID, _ value: Value
  ) -> OSStatus {
    withUnsafePointer(to: value) { session.setProperty(id, UInt32(MemoryLayout<Value>.size), $0) }
  }

  @Test("every call before the first is '!ini', and a second initialization is 'init'")
  func order() {
    let session = AudioSession(hardware)
    var size: UInt32 = 4
    var value: UInt32 = 0
    let listener: AudioSessionPropertyListener = { _, _, _, _ in }
    #expect(session.setActive(true) == 560_557_673)
    #expect(session.property(kAudioSessionProperty_AudioCategory, &size, &value) == 560_557_673)
    #expect(set(session, kAudioSessionProperty_AudioCategory, kAudioSessionCategory_MediaPlayback) == 560_557_673)
    #expect(session.propertySize(kAudioSessionProperty_AudioCategory, &size) == 560_557_673)
    #expect(session.addListener(kAudioSessionProperty_AudioRouteChange, listener, nil) == 560_557_673)
    #expect(session.removeListeners(kAudioSessionProperty_AudioRouteChange) == 560_557_673)
    #expect(session.initialize(nil, nil) == 0)
    #expect(session.initialize(nil, nil) == 1_768_843_636)
    #expect(session.setActive(true) == 0 && session.isActive)
    #expect(session.setActive(false) == 0 && !session.isActive)
  }

  @Test("what a program finds: its category, the device's rate and buffer, two channels each way")
  func defaults() {
    let session = session()
    #expect(get(session, kAudioSessionProperty_AudioCategory, UInt32(0)).value == 0x736F_6C6F)
    #expect(get(session, kAudioSessionProperty_Mode, UInt32(0)).value == 0x6466_6C74)
    #expect(get(session, kAudioSessionProperty_CurrentHardwareSampleRate, 0.0).value == 48_000)
    #expect(get(session, kAudioSessionProperty_CurrentHardwareIOBufferDuration, Float(0)).value == Float(512) / 48_000)
    #expect(get(session, kAudioSessionProperty_CurrentHardwareInputNumberChannels, UInt32(0)).value == 2)
    #expect(get(session, kAudioSessionProperty_CurrentHardwareOutputNumberChannels, UInt32(0)).value == 2)
    #expect(get(session, kAudioSessionProperty_CurrentHardwareOutputVolume, Float(0)).value == 1)
    #expect(get(session, kAudioSessionProperty_AudioInputAvailable, UInt32(0)).value == 1)
    #expect(get(session, kAudioSessionProperty_OtherAudioIsPlaying, UInt32(7)).value == 0)
    #expect(get(session, kAudioSessionProperty_InputGainScalar, Float(0)).value == 1)
  }

  /// Access and size of every property, from the reference's table.
  static let table: [(id: AudioSessionPropertyID, size: UInt32, reads: Bool, writes: Bool, listens: Bool)] = [
    (kAudioSessionProperty_PreferredHardwareSampleRate, 8, true, true, false),
    (kAudioSessionProperty_PreferredHardwareIOBufferDuration, 4, true, true, false),
    (kAudioSessionProperty_AudioCategory, 4, true, true, false),
    (kAudioSessionProperty_AudioRouteChange, 8, false, false, true),
    (kAudioSessionProperty_CurrentHardwareSampleRate, 8, true, false, true),
    (kAudioSessionProperty_CurrentHardwareInputNumberChannels, 4, true, false, false),
    (kAudioSessionProperty_CurrentHardwareOutputNumberChannels, 4, true, false, false),
    (kAudioSessionProperty_CurrentHardwareOutputVolume, 4, true, false, true),
    (kAudioSessionProperty_CurrentHardwareInputLatency, 4, true, false, false),
    (kAudioSessionProperty_CurrentHardwareOutputLatency, 4, true, false, false),
    (kAudioSessionProperty_CurrentHardwareIOBufferDuration, 4, true, false, false),
    (kAudioSessionProperty_OtherAudioIsPlaying, 4, true, false, false),
    (kAudioSessionProperty_OverrideAudioRoute, 4, false, true, false),
    (kAudioSessionProperty_AudioInputAvailable, 4, true, false, true),
    (kAudioSessionProperty_ServerDied, 4, false, false, true),
    (kAudioSessionProperty_OtherMixableAudioShouldDuck, 4, true, true, false),
    (kAudioSessionProperty_OverrideCategoryMixWithOthers, 4, true, true, false),
    (kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, 4, true, true, false),
    (kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, 4, true, true, false),
    (kAudioSessionProperty_Mode, 4, true, true, false),
    (kAudioSessionProperty_InputSources, 8, true, false, false),
    (kAudioSessionProperty_OutputDestinations, 8, true, false, false),
    (kAudioSessionProperty_InputGainAvailable, 4, true, false, false),
    (kAudioSessionProperty_InputGainScalar, 4, true, true, false),
    (kAudioSessionProperty_AudioRouteDescription, 8, true, false, false),
    (kAudioSessionProperty_AudioRoute, 8, true, false, false),
  ]

  @Test(
    "each property reads, writes and is listened to as the table says; everything else is 'pty?', or '!siz'",
    arguments: table.indices)
  func access(_ index: Int) {
    let row = Self.table[index]
    let session = session()
    let unsupported: OSStatus = 1_886_681_407
    let badSize: OSStatus = 561_211_770
    var size: UInt32 = 0
    expectNoError(session.propertySize(row.id, &size))
    #expect(size == row.size)

    var bytes = [UInt8](repeating: 0, count: 16)
    size = 16
    #expect(session.property(row.id, &size, &bytes) == (row.reads ? noErr : unsupported))
    #expect(size == (row.reads ? row.size : 16))
    size = row.size - 1
    #expect(session.property(row.id, &size, &bytes) == (row.reads ? badSize : unsupported))

    if row.writes && row.reads {
      size = row.size
      #expect(session.setProperty(row.id, row.size, bytes) == noErr, "its own value is written back")
    }
    #expect(session.setProperty(row.id, row.size + 1, bytes) == (row.writes ? badSize : unsupported))

    let listener: AudioSessionPropertyListener = { _, _, _, _ in }
    let listened = row.listens ? noErr : unsupported
    #expect(session.addListener(row.id, listener, nil) == listened)
    #expect(session.removeListener(row.id, listener, nil) == listened)
  }

  @Test("what is no property, has no value or takes no such value is 'pty?'")
  func unsupported() {
    let session = session()
    let unsupported: OSStatus = 1_886_681_407
    var size: UInt32 = 4
    #expect(session.propertySize(0x7A7A_7A7A, &size) == unsupported)
    #expect(get(session, 0x7A7A_7A7A, UInt32(0)).status == unsupported)
    #expect(get(session, kAudioSessionProperty_InterruptionType, UInt32(0)).status == unsupported)
    #expect(get(session, kAudioSessionProperty_InputSource, UInt(0)).status == unsupported)
    #expect(set(session, kAudioSessionProperty_AudioCategory, UInt32(1)) == unsupported)
    #expect(set(session, kAudioSessionProperty_Mode, UInt32(1)) == unsupported)
    #expect(set(session, kAudioSessionProperty_OverrideAudioRoute, UInt32(1)) == unsupported)
    #expect(set(session, kAudioSessionProperty_PreferredHardwareSampleRate, -1.0) == unsupported)
    #expect(set(session, kAudioSessionProperty_PreferredHardwareSampleRate, Double.nan) == unsupported)
    #expect(set(session, kAudioSessionProperty_PreferredHardwareIOBufferDuration, Float.infinity) == unsupported)
  }

  @Test("the device follows what is preferred, where it can")
  func preferences() {
    let session = session()
    expectNoError(set(session, kAudioSessionProperty_PreferredHardwareSampleRate, 44_100.0))
    #expect(get(session, kAudioSessionProperty_CurrentHardwareSampleRate, 0.0).value == 44_100)
    #expect(hardware.configuration.sampleRate == 44_100)
    expectNoError(set(session, kAudioSessionProperty_PreferredHardwareSampleRate, 1_000_000.0))
    #expect(get(session, kAudioSessionProperty_PreferredHardwareSampleRate, 0.0).value == 1_000_000)
    #expect(get(session, kAudioSessionProperty_CurrentHardwareSampleRate, 0.0).value == 44_100)
    // 5 ms are 220.5 frames, nearest to 256 of the powers of two; 23 ms are 1014; 1 s is beyond the largest.
    for (seconds, frames) in [(Float(0.005), 256), (0.023, 1024), (0.0001, 16), (1, 4096)] {
      expectNoError(set(session, kAudioSessionProperty_PreferredHardwareIOBufferDuration, seconds))
      #expect(hardware.configuration.bufferFrames == frames, "\(seconds) s")
      let duration = get(session, kAudioSessionProperty_CurrentHardwareIOBufferDuration, Float(0)).value
      #expect(duration == Float(Double(frames) / 44_100))
      #expect(get(session, kAudioSessionProperty_PreferredHardwareIOBufferDuration, Float(0)).value == seconds)
    }
  }

  @Test("switches and modes hold to their categories: '!cat' in others, off again with a new one")
  func categories() {
    let session = session()
    let incompatible: OSStatus = 560_161_140
    let switches: [(AudioSessionPropertyID, Set<UInt32>)] = [
      (kAudioSessionProperty_OverrideCategoryMixWithOthers, [0x706C_6172, 0x6D65_6469]),
      (kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, [0x706C_6172]),
      (kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, [0x706C_6172, 0x7265_6361]),
    ]
    let categories = [
      kAudioSessionCategory_AmbientSound, kAudioSessionCategory_SoloAmbientSound, kAudioSessionCategory_MediaPlayback,
      kAudioSessionCategory_RecordAudio, kAudioSessionCategory_PlayAndRecord, kAudioSessionCategory_AudioProcessing,
    ]
    for category in categories {
      expectNoError(set(session, kAudioSessionProperty_AudioCategory, category))
      for (id, allowed) in switches {
        #expect(get(session, id, UInt32(9)).value == 0, "a new category starts with its switches off")
        #expect(set(session, id, UInt32(1)) == (allowed.contains(category) ? noErr : incompatible))
        #expect(get(session, id, UInt32(9)).value == (allowed.contains(category) ? 1 : 0))
        expectNoError(set(session, id, UInt32(0)))
        if allowed.contains(category) { #expect(set(session, id, UInt32(1)) == noErr) }
      }
      let records = category == 0x706C_6172 || category == 0x7265_6361
      #expect(
        set(session, kAudioSessionProperty_Mode, kAudioSessionMode_VoiceChat)
          == (category == 0x706C_6172 ? noErr : incompatible))
      #expect(
        set(session, kAudioSessionProperty_Mode, kAudioSessionMode_VideoRecording) == (records ? noErr : incompatible))
      expectNoError(set(session, kAudioSessionProperty_Mode, kAudioSessionMode_Measurement))
      #expect(
        set(session, kAudioSessionProperty_OverrideAudioRoute, kAudioSessionOverrideAudioRoute_Speaker)
          == (category == 0x706C_6172 ? noErr : incompatible))
    }
    expectNoError(set(session, kAudioSessionProperty_OtherMixableAudioShouldDuck, UInt32(1)))
    expectNoError(set(session, kAudioSessionProperty_AudioCategory, kAudioSessionCategory_MediaPlayback))
    #expect(get(session, kAudioSessionProperty_OtherMixableAudioShouldDuck, UInt32(0)).value == 1)
  }

  @Test("the microphone's gain is held to 0 ... 1")
  func gain() {
    let session = session()
    for (wanted, kept) in [(Float(0.5), Float(0.5)), (2, 1), (-1, 0)] {
      expectNoError(set(session, kAudioSessionProperty_InputGainScalar, wanted))
      #expect(get(session, kAudioSessionProperty_InputGainScalar, Float(9)).value == kept)
    }
  }

  private func route(_ session: AudioSession) -> String? {
    let (status, bits) = get(session, kAudioSessionProperty_AudioRoute, UInt(0))
    guard status == noErr, let pointer = UnsafeRawPointer(bitPattern: bits) else { return nil }
    return TestText.string(Unmanaged<CFString>.fromOpaque(pointer).takeRetainedValue())
  }

  @Test("the route follows category and speaker")
  func routes() {
    let session = session()
    #expect(route(session) == "Speaker")
    _ = set(session, kAudioSessionProperty_AudioCategory, kAudioSessionCategory_PlayAndRecord)
    #expect(route(session) == "ReceiverAndMicrophone")
    _ = set(session, kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, UInt32(1))
    #expect(route(session) == "SpeakerAndMicrophone")
    _ = set(session, kAudioSessionProperty_AudioCategory, kAudioSessionCategory_RecordAudio)
    #expect(route(session) == "MicrophoneBuiltIn")
    let (status, bits) = get(session, kAudioSessionProperty_AudioRouteDescription, UInt(0))
    #expect(status == noErr && bits != 0)
    if let pointer = UnsafeRawPointer(bitPattern: bits) {
      let description = Unmanaged<CFDictionary>.fromOpaque(pointer).takeRetainedValue()
      #expect(CFDictionaryGetCount(description) == 2)
    }
  }

  /// The calls of a listener.
  private final class Ear {
    var calls: [(id: AudioSessionPropertyID, size: UInt32)] = []
    var rate = 0.0
    var reason: Int32 = -1
  }

  private static let listener: AudioSessionPropertyListener = { userData, id, size, data in
    guard let userData, let data else { return }
    let ear = Unmanaged<Ear>.fromOpaque(userData).takeUnretainedValue()
    ear.calls.append((id, size))
    if id == kAudioSessionProperty_CurrentHardwareSampleRate { ear.rate = data.loadUnaligned(as: Double.self) }
    if id == kAudioSessionProperty_AudioRouteChange, let key = TestText.make("OutputDeviceDidChange_Reason") {
      defer { key.release() }
      // A route listener gets the dictionary itself.
      let dictionary = Unmanaged<CFDictionary>.fromOpaque(data).takeUnretainedValue()
      guard let value = CFDictionaryGetValue(dictionary, key.toOpaque()) else { return }
      CFNumberGetValue(Unmanaged<CFNumber>.fromOpaque(value).takeUnretainedValue(), .sInt32Type, &ear.reason)
    }
  }

  @Test("listeners hear of a new rate and of a new route, once each, until they are removed")
  func listeners() {
    let session = session()
    let ear = Ear()
    let other = Ear()
    let data = Unmanaged.passUnretained(ear).toOpaque()
    for id in [kAudioSessionProperty_CurrentHardwareSampleRate, kAudioSessionProperty_AudioRouteChange] {
      expectNoError(session.addListener(id, Self.listener, data))
      expectNoError(session.addListener(id, Self.listener, data))
      expectNoError(session.addListener(id, Self.listener, Unmanaged.passUnretained(other).toOpaque()))
    }
    _ = set(session, kAudioSessionProperty_PreferredHardwareSampleRate, 32_000.0)
    #expect(ear.calls.map(\.id) == [kAudioSessionProperty_CurrentHardwareSampleRate] && ear.rate == 32_000)
    #expect(other.calls.count == 1)
    _ = set(session, kAudioSessionProperty_AudioCategory, kAudioSessionCategory_MediaPlayback)
    #expect(ear.calls.count == 1, "a category with the same route is no change")
    _ = set(session, kAudioSessionProperty_AudioCategory, kAudioSessionCategory_PlayAndRecord)
    #expect(ear.calls.count == 2 && ear.reason == 3)
    _ = set(session, kAudioSessionProperty_OverrideAudioRoute, kAudioSessionOverrideAudioRoute_Speaker)
    #expect(ear.calls.count == 3 && ear.reason == 4)
    expectNoError(session.removeListener(kAudioSessionProperty_AudioRouteChange, Self.listener, data))
    _ = set(session, kAudioSessionProperty_OverrideAudioRoute, kAudioSessionOverrideAudioRoute_None)
    #expect(ear.calls.count == 3 && other.calls.count == 4)
    expectNoError(session.removeListeners(kAudioSessionProperty_AudioRouteChange))
    _ = set(session, kAudioSessionProperty_OverrideAudioRoute, kAudioSessionOverrideAudioRoute_Speaker)
    #expect(other.calls.count == 4)
    withExtendedLifetime((ear, other)) {}
  }

  @Test("the functions of the header reach the session of the process, as an old listing calls them")
  func functions() {
    #expect(AudioSessionSetActive(true) == kAudioSessionNotInitialized)
    expectNoError(AudioSessionInitialize(nil, nil, nil, nil))
    #expect(AudioSessionInitialize(nil, nil, nil, nil) == kAudioSessionAlreadyInitialized)
    expectNoError(AudioSessionSetActive(true))
    var category = kAudioSessionCategory_PlayAndRecord
    expectNoError(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, 4, &category))
    var speaker: UInt32 = 1
    expectNoError(AudioSessionSetProperty(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, 4, &speaker))
    var size: UInt32 = 0
    expectNoError(AudioSessionGetPropertySize(kAudioSessionProperty_CurrentHardwareSampleRate, &size))
    var rate = 0.0
    expectNoError(AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareSampleRate, &size, &rate))
    #expect(size == 8 && rate > 0)
    expectNoError(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, Self.listener, nil))
    expectNoError(AudioSessionRemovePropertyListener(kAudioSessionProperty_AudioRouteChange))
    #expect(
      AudioSessionRemovePropertyListenerWithUserData(kAudioSessionProperty_AudioRouteChange, Self.listener, nil)
        == noErr)
    expectNoError(AudioSessionSetActiveWithFlags(false, 1))
  }
}
