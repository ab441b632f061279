import AudioCore
import Foundation
import Hardware

/// A player or recorder, as the device that it shares sees it. Called with the device's lock open.
protocol SharedDeviceClient: AnyObject {
  /// True while it plays, records, or is paused: the device runs for it. With the device's lock held.
  var holdsDevice: Bool { get }
  /// A cycle has ended. On the thread that runs the program's functions.
  func cycleDidEnd()
  /// The hardware has another rate. On the hardware's thread, between two cycles, with the device's lock held.
  func formatDidChange()
  /// The hardware has stopped the device by itself. On its thread, between two cycles.
  func deviceDidStop(isInterruption: Bool)
  /// The interruption is over.
  func interruptionDidEnd(resumes: Bool)
  /// The output was unplugged. On the hardware's thread, between two cycles.
  func outputWasLost()
  /// Stops where it is.
  func pause()
}

/// The device that all players and recorders of one hardware share: one clock, which runs while any of them plays,
/// records or is paused, and begins anew at 0 afterwards.
final class SharedDevice: @unchecked Sendable {
  /// The one of a hardware.
  static func of(_ hardware: SimulatedHardware) -> SharedDevice { hardware.companion { SharedDevice($0) } }

  /// The hardware keeps this object; its clients keep the hardware.
  unowned let hardware: SimulatedHardware
  private let lock = NSRecursiveLock()
  /// From the first client to the last one; kept while an interruption has stopped it.
  private var device: SimulatedDevice?
  private var run: SharedRun?
  private var clients: [any SharedDeviceClient] = []
  private var voices: [PlayerVoice] = []
  private var microphones: [MicrophoneRing] = []
  private var observesEvents = false

  private init(_ hardware: SimulatedHardware) { self.hardware = hardware }

  /// Runs `body` while no other thread edits players and recorders.
  func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  /// The rate and channels that a voice is made for now.
  var format: PlayerVoice.Format {
    locked {
      run?.format
        ?? PlayerVoice.Format(
          sampleRate: hardware.configuration.sampleRate, channelCount: hardware.configuration.channelCount)
    }
  }

  /// Seconds: the frame with which the next cycle begins; 0 while no client holds the device.
  var currentTime: TimeInterval {
    guard let device = locked({ device }) else { return 0 }
    let rate = format.sampleRate
    return Double(device.nextFrame(at: rate)) / rate
  }

  /// The device's frame at a time, the nearest.
  func frame(at seconds: TimeInterval) -> Int64? {
    FrameCount.from(seconds: max(0, seconds), sampleRate: format.sampleRate)
  }

  // MARK: Clients

  /// Lets the device run for a client. With the lock held.
  /// - Returns: false where the hardware cannot run: it is interrupted, or the system gives no thread.
  func begin(for client: any SharedDeviceClient) -> Bool {
    guard start() else {
      if clients.isEmpty { device = nil }
      return false
    }
    if !clients.contains(where: { $0 === client }) { clients.append(client) }
    return true
  }

  /// Stops the device where no client holds it any more. Without the lock held: the hardware may be waiting for it.
  func releaseUnused() {
    let stopped: SimulatedDevice? = locked {
      clients.removeAll { !$0.holdsDevice }
      guard clients.isEmpty else { return nil }
      defer { (device, run) = (nil, nil) }
      return device
    }
    stopped?.stop()
  }

  private func start() -> Bool {
    guard run == nil else { return true }
    observeEvents()
    SessionClients.of(hardware).add(self)
    let isFresh = device == nil
    let device = self.device ?? SimulatedDevice(hardware)
    let run = SharedRun(
      PlayerVoice.Format(
        sampleRate: hardware.configuration.sampleRate, channelCount: hardware.configuration.channelCount))
    device.setHandlers(
      formatDidChange: { [weak self, weak device] in self?.formatDidChange(of: device) },
      wasStopped: { [weak self, weak device] in self?.wasStopped(device) })
    // In front of the first cycle.
    self.device = device
    self.run = run
    do throws(BenchError) {
      try device.start(
        startsAtZero: isFresh, sampleRate: run.format.sampleRate, afterCycle: { [weak self] in self?.cycleDidEnd() }
      ) { run.pull($0) }
    } catch {
      self.run = nil
      return false
    }
    send()
    return true
  }

  // MARK: Voices and microphones. With the lock held; each returns when the hardware no longer works with the list before.

  func add(_ voice: PlayerVoice) {
    voices.append(voice)
    send()
  }

  func remove(_ voice: PlayerVoice) {
    guard voices.contains(where: { $0 === voice }) else { return }
    voices.removeAll { $0 === voice }
    send()
  }

  func add(_ microphone: MicrophoneRing) {
    microphones.append(microphone)
    send()
  }

  func remove(_ microphone: MicrophoneRing) {
    guard microphones.contains(where: { $0 === microphone }) else { return }
    microphones.removeAll { $0 === microphone }
    send()
  }

  private func send() { run?.send(voices, microphones) }

  // MARK: From the hardware

  private func cycleDidEnd() {
    for client in locked({ clients }) { client.cycleDidEnd() }
    locked { run?.collect() }
  }

  private func formatDidChange(of device: SimulatedDevice?) {
    locked {
      guard let device, device === self.device, let run else { return }
      run.format.sampleRate = hardware.configuration.sampleRate
      for client in clients { client.formatDidChange() }
    }
  }

  private func wasStopped(_ device: SimulatedDevice?) {
    let stopped: [any SharedDeviceClient] = locked {
      guard let device, device === self.device else { return [] }
      (run, voices, microphones) = (nil, [], [])
      return clients
    }
    let isInterruption = hardware.isInterrupted
    for client in stopped { client.deviceDidStop(isInterruption: isInterruption) }
  }

  private func observeEvents() {
    guard !observesEvents else { return }
    observesEvents = true
    hardware.observe { [weak self] event in
      guard let self else { return }
      switch event {
      case .interruptionEnded(let resumes, let isTold) where isTold:
        for client in locked({ self.clients }) { client.interruptionDidEnd(resumes: resumes) }
      case .routeChanged(_, _, let reason) where reason == .oldDeviceUnavailable:
        for client in locked({ self.clients }) { client.outputWasLost() }
      default: break
      }
    }
  }

  /// Pauses all players and recorders.
  func pauseAll() { for client in locked({ clients }) { client.pause() } }
}
