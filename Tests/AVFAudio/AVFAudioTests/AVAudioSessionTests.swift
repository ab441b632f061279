import AVFAudio
import AudioCore
import Foundation
import Hardware
import TestSupport
import Testing

@Suite("AVAudioSession")
struct AVAudioSessionTests {
  private func code(_ body: () throws -> Void) -> Int {
    do { try body() } catch {
      #expect((error as NSError).domain == NSOSStatusErrorDomain)
      return (error as NSError).code
    }
    return 0
  }

  private func session(_ edit: (inout Scenario) -> Void = { _ in }) throws -> (AVAudioSession, SimulatedHardware) {
    var scenario = Scenario()
    scenario.device.clock = .told
    scenario.device.sampleRate = 48_000
    edit(&scenario)
    let hardware = SimulatedHardware(DeviceConfiguration())
    try hardware.follow(scenario)
    return (AVAudioSession(hardware: hardware), hardware)
  }

  @Test("Categories, modes and options: what goes together is kept, the rest refused")
  func categories() throws {
    let (session, _) = try session()
    #expect(session.category == .soloAmbient && session.mode == .default && session.categoryOptions == [])
    try session.setCategory(.playAndRecord, mode: .voiceChat, options: [.defaultToSpeaker, .allowBluetoothA2DP])
    #expect(session.category == .playAndRecord && session.mode == .voiceChat)
    #expect(session.categoryOptions == [.defaultToSpeaker, .allowBluetoothA2DP])
    #expect(session.availableModes.contains(.videoChat))
    try session.setCategory(.playback)
    #expect(session.mode == .default && session.categoryOptions == [])
    #expect(!session.availableModes.contains(.voiceChat))
    #expect(code { try session.setMode(.voiceChat) } == AVAudioSession.ErrorCode.incompatibleCategory.rawValue)
    #expect(code { try session.setCategory(.playback, options: .defaultToSpeaker) } == -50)
    #expect(code { try session.setCategory(AVAudioSession.Category(rawValue: "none")) } == -50)
    #expect(session.category == .playback)
    try session.setCategory(.ambient, mode: .default, options: .mixWithOthers)
    #expect(session.categoryOptions == .mixWithOthers)
  }

  @Test("The route follows category, speaker and devices, and each change is told with the route before")
  func routes() throws {
    let (session, hardware) = try session { scenario in
      var change = ScenarioEvent.RouteChange()
      change.route = DeviceRoute(output: "Headphones", input: "HeadsetMic")
      change.reason = .newDeviceAvailable
      scenario.events = [ScenarioEvent(seconds: 0.1, .route(change))]
    }
    let told = Locked<[(reason: UInt, former: [AVAudioSession.Port])]>([])
    let token = NotificationCenter.default.addObserver(
      forName: AVAudioSession.routeChangeNotification, object: session, queue: nil
    ) { note in
      let former = note.userInfo?[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription
      let reason = note.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt
      told.withLock { $0.append((reason ?? 99, ((former?.inputs ?? []) + (former?.outputs ?? [])).map(\.portType))) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    #expect(session.currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
    #expect(session.currentRoute.inputs.isEmpty && session.availableInputs == nil)
    #expect(session.inputNumberOfChannels == 0)
    #expect(code { try session.overrideOutputAudioPort(.speaker) } == 560_161_140)
    try session.setCategory(.playAndRecord)
    #expect(session.currentRoute.outputs.map(\.portType) == [.builtInReceiver])
    #expect(session.currentRoute.inputs.map(\.portType) == [.builtInMic])
    #expect(session.inputNumberOfChannels == 1 && session.outputNumberOfChannels == 2)
    try session.overrideOutputAudioPort(.speaker)
    #expect(session.currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
    try hardware.advance(seconds: 0.5)
    #expect(session.currentRoute.outputs.map(\.portType) == [.headphones])
    #expect(session.currentRoute.inputs.map(\.portType) == [.headsetMic])
    #expect(session.availableInputs?.map(\.portType) == [.builtInMic, .headsetMic])
    try session.overrideOutputAudioPort(.speaker)
    #expect(session.currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
    let expected: [(UInt, [AVAudioSession.Port])] = [
      (3, [.builtInSpeaker]), (4, [.builtInMic, .builtInReceiver]), (1, [.builtInMic, .builtInSpeaker]),
      (4, [.headsetMic, .headphones]),
    ]
    let found = told.withLock { $0 }
    #expect(found.map(\.reason) == expected.map(\.0) && found.map(\.former) == expected.map(\.1))
    #expect(session.currentRoute.outputs.first?.channels?.map(\.channelNumber) == [1, 2])
  }

  @Test("The built-in microphone can be preferred to what is plugged in, for as long as that is there")
  func preferredInput() throws {
    let (session, hardware) = try session { scenario in
      scenario.device.route = DeviceRoute(output: "Headphones", input: "HeadsetMic")
      var change = ScenarioEvent.RouteChange()
      change.reason = .oldDeviceUnavailable
      scenario.events = [ScenarioEvent(seconds: 0.1, .route(change))]
    }
    let reasons = Locked<[UInt]>([])
    let token = NotificationCenter.default.addObserver(
      forName: AVAudioSession.routeChangeNotification, object: session, queue: nil
    ) { note in
      let reason = note.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt
      reasons.withLock { $0.append(reason ?? 99) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try session.setCategory(.playAndRecord)
    let inputs = try #require(session.availableInputs)
    #expect(inputs.map(\.portType) == [.builtInMic, .headsetMic])
    #expect(session.currentRoute.inputs == [inputs[1]] && session.preferredInput == nil)
    try session.setPreferredInput(inputs[0])
    #expect(session.currentRoute.inputs == [inputs[0]] && session.preferredInput == inputs[0])
    #expect(session.currentRoute.outputs.map(\.portType) == [.headphones])
    try session.setPreferredInput(nil)
    #expect(session.currentRoute.inputs == [inputs[1]] && session.preferredInput == nil)
    try session.setPreferredInput(inputs[1])
    #expect(session.preferredInput == inputs[1])
    try hardware.advance(seconds: 0.5)
    #expect(session.currentRoute.inputs == [inputs[0]] && session.preferredInput == nil)
    #expect(code { try session.setPreferredInput(inputs[1]) } == -50, "it is not there any more")
    #expect(reasons.withLock { $0 } == [3, 4, 4, 2])
  }

  @Test(
    "No rendering is chosen for, and the layouts are those that the hardware has channels for", arguments: [1, 2, 6, 8])
  func rendering(channels: Int) throws {
    let (session, _) = try session { $0.device.outputChannels = channels }
    #expect(session.renderingMode == .notApplicable)
    let tags = [kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_AAC_5_1, kAudioChannelLayoutTag_MPEG_7_1_C]
    #expect(session.supportedOutputChannelLayouts.map(\.layoutTag) == tags.filter { Int($0 & 0xFFFF) <= channels })
    try session.setCategory(.record)
    #expect(session.supportedOutputChannelLayouts.isEmpty, "nothing plays")
  }

  @Test("Wishes are kept, and the hardware takes what it can have")
  func preferences() throws {
    let (session, _) = try session { $0.device.sampleRates = [16_000, 44_100, 48_000] }
    try session.setPreferredSampleRate(40_000)
    #expect(session.preferredSampleRate == 40_000 && session.sampleRate == 44_100)
    try session.setPreferredIOBufferDuration(0.005)
    #expect(session.preferredIOBufferDuration == 0.005)
    #expect(session.ioBufferDuration == 256.0 / 44_100.0)
    #expect(code { try session.setPreferredSampleRate(.nan) } == -50)
    #expect(code { try session.setPreferredIOBufferDuration(-1) } == -50)
    #expect(code { try session.setPreferredInputNumberOfChannels(2) } == -50)
    try session.setPreferredInputNumberOfChannels(1)
    #expect(session.preferredInputNumberOfChannels == 1)
    try session.setInputGain(3)
    #expect(session.inputGain == 1)
    #expect(session.recordPermission == .undetermined)
    var answer = false
    session.requestRecordPermission { answer = $0 }
    #expect(answer && session.recordPermission == .granted)
    session.simulateRecordPermission(.denied)
    session.requestRecordPermission { answer = $0 }
    #expect(!answer)
  }

  @Test("A session cannot record without a microphone, nor be deactivated in peace while an engine plays")
  func activation() throws {
    let (session, hardware) = try session { $0.device.inputChannels = 0 }
    try session.setCategory(.record)
    #expect(code { try session.setActive(true) } == AVAudioSession.ErrorCode.cannotStartRecording.rawValue)
    try session.setCategory(.playback)
    try session.setActive(true)
    let engine = AVAudioEngine(hardware: hardware)
    _ = engine.mainMixerNode
    try engine.start()
    #expect(code { try session.setActive(false) } == AVAudioSession.ErrorCode.isBusy.rawValue)
    engine.stop()
    try session.setActive(false, options: .notifyOthersOnDeactivation)
  }

  @Test("Another program's sound is silenced, ducked or mixed with, and the advice of silence is told")
  func otherAudio() throws {
    let (session, hardware) = try session { scenario in
      scenario.otherAudio = .tone(hertz: 440, amplitude: 0.1)
      scenario.events = [ScenarioEvent(seconds: 0.1, .otherAudio(nil))]
    }
    let told = Locked<[UInt]>([])
    let token = NotificationCenter.default.addObserver(
      forName: AVAudioSession.silenceSecondaryAudioHintNotification, object: session, queue: nil
    ) { note in
      let type = note.userInfo?[AVAudioSessionSilenceSecondaryAudioHintTypeKey] as? UInt
      told.withLock { $0.append(type ?? 9) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    #expect(session.isOtherAudioPlaying && session.secondaryAudioShouldBeSilencedHint)
    try session.setActive(true)
    #expect(!session.isOtherAudioPlaying)
    try session.setCategory(.playback, options: .duckOthers)
    #expect(hardware.otherAudio == .isDucked)
    try session.setCategory(.ambient)
    #expect(hardware.otherAudio == .plays)
    let engine = AVAudioEngine(hardware: hardware)
    _ = engine.mainMixerNode
    try engine.start()
    try hardware.advance(seconds: 0.3)
    #expect(told.withLock { $0 } == [AVAudioSession.SilenceSecondaryAudioHintType.end.rawValue])
    #expect(!session.isOtherAudioPlaying)
  }
}
