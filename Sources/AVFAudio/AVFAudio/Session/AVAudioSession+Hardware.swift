import AVFAudioFiles
import AudioCore
import Foundation
import Hardware

// The hardware as the session sees it, and wishes for it.

extension AVAudioSession {
  private func finite(_ value: Double, _ what: String) throws {
    guard value.isFinite, value >= 0 else { throw Self.error(.badParam, "\(value) is no \(what)") }
  }

  /// Hertz: that of the hardware.
  public var sampleRate: Double { hardware.configuration.sampleRate }
  /// Hertz: the wish; 0 where there is none.
  public var preferredSampleRate: Double { model.state.preferredSampleRate }
  /// Asks for a rate. Hardware that cannot have it takes the nearest that it has.
  /// - Throws: −50 for what is no rate.
  public func setPreferredSampleRate(_ sampleRate: Double) throws {
    try finite(sampleRate, "rate")
    model.setPreferredRate(sampleRate)
  }

  /// Seconds of a slice of the hardware: of the first one, where a scenario gives several.
  public var ioBufferDuration: TimeInterval {
    let configuration = hardware.configuration
    let frames = hardware.scenario?.device.slices.first ?? configuration.bufferFrames
    return Double(frames) / configuration.sampleRate
  }
  /// Seconds: the wish; 0 where there is none.
  public var preferredIOBufferDuration: TimeInterval { model.state.preferredBufferSeconds }
  /// Asks for a length of slices: the hardware takes the nearest power of two of frames that it can have.
  /// - Throws: −50 for what is no duration.
  public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
    try finite(duration, "duration")
    model.setPreferredBuffer(seconds: duration)
  }

  /// The channels of the microphone; 0 where there is none, or the category does not record.
  public var inputNumberOfChannels: Int { model.route.input == nil ? 0 : maximumInputNumberOfChannels }
  /// The channels of the loudspeaker; 0 where the category does not play.
  public var outputNumberOfChannels: Int { model.route.output == nil ? 0 : maximumOutputNumberOfChannels }
  /// The channels that the microphone has at most.
  public var maximumInputNumberOfChannels: Int { hardware.configuration.inputChannelCount }
  /// The channels that the loudspeaker has at most.
  public var maximumOutputNumberOfChannels: Int { hardware.configuration.channelCount }
  /// The wish, which is kept; the hardware has its channels. 0: none.
  public var preferredInputNumberOfChannels: Int { kept.withLock { $0.inputChannels } }
  /// The wish, which is kept; the hardware has its channels. 0: none.
  public var preferredOutputNumberOfChannels: Int { kept.withLock { $0.outputChannels } }

  /// Asks for channels of the microphone.
  /// - Throws: −50 beyond ``maximumInputNumberOfChannels``.
  public func setPreferredInputNumberOfChannels(_ count: Int) throws {
    guard (0...maximumInputNumberOfChannels).contains(count) else {
      throw Self.error(.badParam, "the microphone has \(maximumInputNumberOfChannels) channels, not \(count)")
    }
    kept.withLock { $0.inputChannels = count }
  }

  /// Asks for channels of the loudspeaker.
  /// - Throws: −50 beyond ``maximumOutputNumberOfChannels``.
  public func setPreferredOutputNumberOfChannels(_ count: Int) throws {
    guard (0...maximumOutputNumberOfChannels).contains(count) else {
      throw Self.error(.badParam, "the loudspeaker has \(maximumOutputNumberOfChannels) channels, not \(count)")
    }
    kept.withLock { $0.outputChannels = count }
  }

  /// True where there is a microphone.
  public var isInputAvailable: Bool { hardware.hasMicrophone }
  /// True where there is a microphone: its gain is kept, and not heard.
  public var isInputGainSettable: Bool { hardware.hasMicrophone }
  /// 0 to 1.
  public var inputGain: Float { model.state.inputGain }
  /// Sets the microphone's gain: the nearest of 0 to 1.
  /// - Throws: −50 for what is no number, or where there is no microphone.
  public func setInputGain(_ gain: Float) throws {
    guard !gain.isNaN, isInputGainSettable else { throw Self.error(.badParam, "the gain cannot be \(gain)") }
    model.change(.unknown) { $0.inputGain = min(1, max(0, gain)) }
  }

  /// The loudspeaker's volume, 0 to 1.
  public var outputVolume: Float { Float(hardware.volume) }
  /// Seconds: 0, as host times are those of the sound itself.
  public var inputLatency: TimeInterval { 0 }
  /// Seconds: 0, as host times are those of the sound itself.
  public var outputLatency: TimeInterval { 0 }

  /// True while another program is heard, also ducked.
  public var isOtherAudioPlaying: Bool { hardware.otherAudio != .none }
  /// True while another program is heard: what is less important should be silent.
  public var secondaryAudioShouldBeSilencedHint: Bool { hardware.otherAudio != .none }
  /// The length of announcements that the user wants: no wish.
  public var promptStyle: PromptStyle { .normal }

  // MARK: Routes

  /// The ports that play and record by category and devices.
  public var currentRoute: AVAudioSessionRouteDescription { description(of: model.route) }

  /// The microphones: the one that is built in, and what is plugged in. Nil where the category does not record.
  public var availableInputs: [AVAudioSessionPortDescription]? {
    guard model.state.category.records else { return nil }
    guard hardware.hasMicrophone else { return [] }
    return (["BuiltInMic"] + [hardware.route.input].compactMap { $0 == "BuiltInMic" ? nil : $0 })
      .map { port($0, isInput: true) }
  }

  func description(of route: SessionRoute) -> AVAudioSessionRouteDescription {
    AVAudioSessionRouteDescription(
      inputs: route.input.map { [port($0, isInput: true)] } ?? [],
      outputs: route.output.map { [port($0, isInput: false)] } ?? [])
  }

  private func port(_ name: String, isInput: Bool) -> AVAudioSessionPortDescription {
    AVAudioSessionPortDescription(
      name, isInput: isInput, channels: isInput ? maximumInputNumberOfChannels : maximumOutputNumberOfChannels)
  }

  /// Has the built-in speaker and microphone used, whatever is plugged in, until the route or the category changes.
  /// - Throws: '!cat' for the speaker in any other category than `playAndRecord`.
  public func overrideOutputAudioPort(_ portOverride: PortOverride) throws {
    guard portOverride == .none || model.state.category == .playAndRecord else {
      throw Self.error(.incompatibleCategory, "the speaker can be asked for in the category playAndRecord only")
    }
    model.change(.override) { $0.overridesWithSpeaker = portOverride == .speaker }
  }

  /// The wish, for as long as the port is there; nil: none.
  public var preferredInput: AVAudioSessionPortDescription? {
    model.state.preferredInput.flatMap { name in availableInputs?.first { $0.routeName == name } }
  }
  /// Chooses one of the microphones; nil: what is plugged in. The route changes with it, for the reason `override`. Under a
  /// scenario both hear the same sound.
  /// - Throws: −50 for a port that is none of ``availableInputs``.
  public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
    if let inPort, availableInputs?.contains(where: { $0.uid == inPort.uid }) != true {
      throw Self.error(.badParam, "\(inPort.portName) is none of the available inputs")
    }
    model.change(.override) { $0.preferredInput = inPort?.routeName }
  }

  /// The sources of an input: none to choose from.
  public var inputDataSources: [AVAudioSessionDataSourceDescription]? { nil }
  /// The source of the input: none to choose from.
  public var inputDataSource: AVAudioSessionDataSourceDescription? { nil }
  /// The destinations of an output: none to choose from.
  public var outputDataSources: [AVAudioSessionDataSourceDescription]? { nil }
  /// The destination of the output: none to choose from.
  public var outputDataSource: AVAudioSessionDataSourceDescription? { nil }
  /// - Throws: −50 for anything but nil.
  public func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
    if dataSource != nil { throw Self.error(.badParam, "the input has no sources to choose from") }
  }
  /// - Throws: −50 for anything but nil.
  public func setOutputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
    if dataSource != nil { throw Self.error(.badParam, "the output has no destinations to choose from") }
  }
}

// Wishes that are kept, and change nothing here.

extension AVAudioSession {
  /// The wish.
  public var preferredInputOrientation: StereoOrientation { kept.withLock { $0.inputOrientation } }
  /// Notes a wish.
  public func setPreferredInputOrientation(_ orientation: StereoOrientation) throws {
    kept.withLock { $0.inputOrientation = orientation }
  }
  /// The orientation of the microphones: none.
  public var inputOrientation: StereoOrientation { .none }
  /// Notes a wish: input and output have one clock in any case.
  public func setAggregatedIOPreference(_ inIOType: IOType) throws {}
  /// The wish.
  public var allowHapticsAndSystemSoundsDuringRecording: Bool { kept.withLock { $0.allowsHaptics } }
  /// Notes a wish.
  public func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
    kept.withLock { $0.allowsHaptics = inValue }
  }
  /// The wish.
  public var prefersNoInterruptionsFromSystemAlerts: Bool { kept.withLock { $0.prefersNoAlerts } }
  /// Notes a wish.
  public func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {
    kept.withLock { $0.prefersNoAlerts = inValue }
  }
  /// The wish.
  public var prefersInterruptionOnRouteDisconnect: Bool { kept.withLock { $0.prefersInterruptionOnDisconnect } }
  /// Notes a wish.
  public func setPrefersInterruptionOnRouteDisconnect(_ inValue: Bool) throws {
    kept.withLock { $0.prefersInterruptionOnDisconnect = inValue }
  }
  /// The wish.
  public var supportsMultichannelContent: Bool { kept.withLock { $0.supportsMultichannel } }
  /// Notes a wish.
  public func setSupportsMultichannelContent(_ inValue: Bool) throws {
    kept.withLock { $0.supportsMultichannel = inValue }
  }
  /// The wish.
  public var prefersEchoCancelledInput: Bool { kept.withLock { $0.prefersEchoCancelledInput } }
  /// Notes a wish.
  /// - Throws: −50 for true: see ``isEchoCancelledInputAvailable``.
  public func setPrefersEchoCancelledInput(_ value: Bool) throws {
    if value { throw Self.error(.badParam, "the microphone has no echo cancellation of its own") }
  }
  /// False: the microphone has no echo cancellation of its own; voice processing of an engine has.
  public var isEchoCancelledInputAvailable: Bool { false }
  /// False: see ``isEchoCancelledInputAvailable``.
  public var isEchoCancelledInputEnabled: Bool { false }
}
