import AVFAudioFiles
import AudioCore
import AudioEngine
import Foundation
import Hardware

extension NSNotification.Name {
  /// An engine has stopped because the rate or the channels of the hardware have changed. Its nodes are attached and
  /// connected as before, in the formats that they had; the object is the engine.
  ///
  /// Posted on the hardware's thread, while its time stands still: the engine may be connected anew and started there.
  public static let AVAudioEngineConfigurationChange = NSNotification.Name(
    "AVAudioEngineConfigurationChangeNotification")
}

extension AVAudioEngine {
  /// Begins to play to the hardware. With the lock held.
  func startHardware() throws {
    observeHardware()
    SessionClients.of(hardware).add(self)
    if let link, link.output.hasOtherHardware || link.output.isInputEnabled != usesInput {
      // It does not run, so nothing waits for anything.
      link.end()
      self.link = nil
    }
    let present = try link ?? makeLink()
    if link == nil {
      link = present
      let channels = present.output.isInputEnabled ? Int(present.inputFormat.channelCount) : nil
      betweenSlices { input?.follow(microphoneChannels: channels) }
      noteEdit()
    }
    do {
      try checkInputFormat()
      if needsCompiling { try compile() }
      isRunning = true
      try present.start()
    } catch {
      isRunning = false
      throw error
    }
  }

  /// True where the microphone is to be heard: its node is connected or has a tap.
  private var usesInput: Bool {
    guard let input else { return false }
    return input.tap != nil || connections.contains { $0.source === input }
  }

  private func checkInputFormat() throws {
    guard let input, usesInput, let link, input.outputFormat(forBus: 0).sampleRate != link.inputFormat.sampleRate else {
      return
    }
    throw NSError(
      .formatNotSupported,
      "the input node has \(input.outputFormat(forBus: 0)), the hardware \(link.inputFormat): connect it anew")
  }

  private func makeLink() throws -> HardwareLink {
    let (records, rate) = (usesInput, hardware.configuration.sampleRate)
    let microphone = input
    let link = try HardwareLink(
      hardware, records: records, voice: voice.isEnabled,
      HardwareLink.Client(
        render: { [weak self] time, frames, output in
          guard let self else { return .noError }
          let slice = SliceTime(
            sampleTime: time.sampleTime, sampleRate: rate, hostTime: time.hostTime, frames: frames)
          return render(slice) {
            HardwareLink.interleave($0, into: output, offset: $1, frames: $2, map: self.output?.hardwareMap)
          } ?? .cannotDoInCurrentContext
        },
        hear: { [weak microphone] time, frames, samples in
          microphone?.hear(
            samples,
            SliceTime(sampleTime: time.sampleTime, sampleRate: rate, hostTime: time.hostTime, frames: frames))
        },
        makeCalls: { [weak self] in self?.followSlice() },
        wasStopped: { [weak self] in self?.wasStopped() }))
    voice.apply(to: link.output)
    voice.toldOfSpeech = false
    return link
  }

  /// Makes the calls that a slice has brought, and reads files for the next ones. Not on the thread that renders.
  func followSlice() {
    dueCalls.makeAll()
    tellOfSpeech()
    for node in locked({ rendered }) {
      (node as? AVAudioPlayerNode)?.prefetch()
      (node as? AVAudioEnvironmentNode)?.followRoute()
    }
  }

  // MARK: Events

  /// Hears of the hardware from the first start on.
  private func observeHardware() {
    guard observer == nil else { return }
    observer = hardware.observe { [weak self] event in
      switch event {
      case .configurationChanged: self?.hardwareDidChange()
      case .interruptionEnded(let resumes, let isTold): self?.interruptionDidEnd(resumes: resumes && isTold)
      default: break
      }
    }
  }

  /// The hardware has stopped by itself.
  private func wasStopped() {
    locked {
      wasInterrupted = isRunning && hardware.isInterrupted
      isRunning = false
    }
  }

  private func interruptionDidEnd(resumes: Bool) {
    let starts = locked {
      defer { wasInterrupted = false }
      return wasInterrupted && resumes && choices.interruptions == .resume
    }
    if starts { try? start() }
  }

  /// The hardware has another rate, or other channels: an engine that plays to it, or has paused, stops.
  private func hardwareDidChange() {
    let link = locked {
      isRunning = false
      defer { self.link = nil }
      return self.link
    }
    guard let link else { return }
    link.end()
    locked {
      guard self.link == nil else { return }
      betweenSlices { beginAnew() }
      for node in nodes { node.unit.uninitialize() }
      noteEdit()
    }
    makeDueCalls()
    choices.notifications.run { [weak self] in
      guard let self else { return }
      NotificationCenter.default.post(name: .AVAudioEngineConfigurationChange, object: self)
    }
  }
}
