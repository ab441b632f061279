// The hardware behind all queues of a process: one client of the simulated device, whose clock runs as long as any queue
// does. `cycle` runs on the hardware's thread: no allocation and no lock.

import AudioCore
import CAudioToolbox
import Hardware
import Synchronization

/// A queue that runs on the device.
protocol QueueClient: AnyObject, Sendable {
  /// Plays and hears a cycle. On the hardware's thread.
  func cycle(_ cycle: DeviceCycle, _ format: QueueDevice.Format)
  /// Another rate, or other channels: between two cycles, on the hardware's thread.
  func formatDidChange()
  /// The hardware has stopped: it is interrupted. On the hardware's thread.
  func wasStopped()
  /// Makes the calls that a cycle brings. Behind it, on a thread of its own.
  func afterCycle()
}

/// The device that queues play to and record from.
final class QueueDevice: @unchecked Sendable {
  /// The rate and channels of the present cycle.
  struct Format: Equatable, Sendable {
    var sampleRate: Double
    var outputChannels: Int
    var inputChannels: Int

    init(sampleRate: Double, outputChannels: Int, inputChannels: Int) {
      self.sampleRate = sampleRate
      self.outputChannels = outputChannels
      self.inputChannels = inputChannels
    }

    init(_ configuration: DeviceConfiguration) {
      sampleRate = configuration.sampleRate
      outputChannels = configuration.channelCount
      inputChannels = configuration.inputFormat.channelCount
    }
  }

  /// Queues that can run at once.
  static let mostClients = 256

  let hardware: SimulatedHardware
  private let device: SimulatedDevice
  /// Held while a queue is started or stopped. Never by the hardware's thread, nor while a client's function runs.
  let gate = ConditionLock()
  private let members = Locked<[any QueueClient]>([])
  private let slots: FlatMemory<Atomic<UInt>>
  /// The cycles.
  private let phase = QueuePhase()

  // The format of the cycles: taken over when the device starts, and when the hardware says that it has changed.
  private let presentRate = Atomic<UInt64>(0)
  private let presentChannels = Atomic<UInt64>(0)

  // The moment of the next cycle: read again if the count has changed meanwhile.
  private let stampCount = Atomic<UInt64>(0)
  private let stampFrame = Atomic<Int64>(0)
  private let stampHost = Atomic<UInt64>(0)
  private let stampScalar = Atomic<UInt64>(Double(1).bitPattern)

  private struct Known { weak var device: QueueDevice? }
  private static let known = Locked<[ObjectIdentifier: Known]>([:])

  /// The device of some hardware, which lives as long as a queue of it.
  static func of(_ hardware: SimulatedHardware) -> QueueDevice {
    known.withLock { known in
      if let present = known[ObjectIdentifier(hardware)]?.device { return present }
      let made = QueueDevice(hardware)
      known = known.filter { $0.value.device != nil }
      known[ObjectIdentifier(hardware)] = Known(device: made)
      return made
    }
  }

  private init(_ hardware: SimulatedHardware) {
    self.hardware = hardware
    device = SimulatedDevice(hardware)
    slots = FlatMemory(count: Self.mostClients) { _ in Atomic(0) }
    device.setHandlers(
      formatDidChange: { [weak self] in self?.formatDidChange() }, wasStopped: { [weak self] in self?.wasStopped() })
  }

  // MARK: Any thread but the hardware's

  /// True inside a cycle: in a tap's function.
  var isInCycle: Bool { phase.isOwn }

  /// The format of the cycles, or of those that would come.
  var format: Format { isRunning ? presentFormat : Format(hardware.configuration) }
  var clock: DeviceConfiguration.Clock { hardware.configuration.clock }
  var isRunning: Bool { !members.withLock { $0.isEmpty } }

  /// Lets a queue run. With the gate held.
  /// - Throws: −66681 where the hardware does not start, or too many queues run.
  func begin(_ client: any QueueClient) throws(AudioStatus) {
    let cannotStart = AudioStatus(kAudioQueueErr_CannotStart)
    let isFirst = members.withLock { $0.isEmpty }
    let slot = (0..<Self.mostClients).first { slots[$0].load(ordering: .relaxed) == 0 }
    guard let slot else { throw cannotStart }
    members.withLock { $0.append(client) }
    slots[slot].store(
      UInt(bitPattern: Unmanaged.passUnretained(client as AnyObject).toOpaque()), ordering: .sequentiallyConsistent)
    do {
      if isFirst || !device.isRunning {
        device.stop()
        adopt(Format(hardware.configuration))
        try device.start(
          startsAtZero: false, afterCycle: { [weak self] in self?.afterCycle() },
          pull: { [unowned(unsafe) self] in
            cycle($0)
            return .noError
          })
      }
    } catch {
      end(client)
      throw cannotStart
    }
    if !device.isRunning {
      end(client)
      throw cannotStart
    }
  }

  /// Takes a queue out: no cycle uses it any more. With the gate held.
  func end(_ client: any QueueClient) {
    let isLast = remove(client)
    waitForCycle()
    if isLast { device.stop() }
  }

  private func remove(_ client: any QueueClient) -> Bool {
    let address = UInt(bitPattern: Unmanaged.passUnretained(client as AnyObject).toOpaque())
    for slot in 0..<Self.mostClients where slots[slot].load(ordering: .relaxed) == address {
      slots[slot].store(0, ordering: .sequentiallyConsistent)
    }
    return members.withLock { members in
      guard !members.isEmpty else { return false }
      members.removeAll { $0 === client }
      return members.isEmpty
    }
  }

  /// Waits until the cycle that is under way has ended: what was changed before is seen by all later ones.
  func waitForCycle() { phase.wait() }

  /// The moment of the next cycle; nil where the device does not run.
  var now: DeviceTime? {
    guard isRunning else { return nil }
    while true {
      let before = stampCount.load(ordering: .acquiring)
      var time = DeviceTime(
        sampleTime: stampFrame.load(ordering: .acquiring), hostTime: stampHost.load(ordering: .acquiring),
        rateScalar: Double(bitPattern: stampScalar.load(ordering: .acquiring)))
      guard before & 1 == 0, stampCount.load(ordering: .acquiring) == before else { continue }
      if time.hostTime == 0 { time.hostTime = hardware.hostTime }
      return time
    }
  }

  // MARK: The hardware's thread

  private func cycle(_ cycle: DeviceCycle) {
    phase.begin()
    let format = presentFormat
    for slot in 0..<Self.mostClients {
      let address = slots[slot].load(ordering: .sequentiallyConsistent)
      guard let pointer = UnsafeRawPointer(bitPattern: address) else { continue }
      Unmanaged<AudioQueueObject>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.cycle(cycle, format) }
    }
    phase.end()
    note(cycle, format)
  }

  private var presentFormat: Format {
    let channels = presentChannels.load(ordering: .relaxed)
    return Format(
      sampleRate: Double(bitPattern: presentRate.load(ordering: .relaxed)),
      outputChannels: Int(truncatingIfNeeded: channels & 0xFFFF_FFFF),
      inputChannels: Int(truncatingIfNeeded: channels >> 32))
  }

  private func adopt(_ format: Format) {
    presentRate.store(format.sampleRate.bitPattern, ordering: .relaxed)
    presentChannels.store(
      UInt64(format.inputChannels) << 32 | UInt64(UInt32(clamping: format.outputChannels)), ordering: .relaxed)
  }

  private func note(_ cycle: DeviceCycle, _ format: Format) {
    stampCount.wrappingAdd(1, ordering: .acquiringAndReleasing)
    let nanoseconds = FrameCount.converted(Int64(cycle.frames), from: format.sampleRate, to: 1e9)
    stampFrame.store(cycle.time.sampleTime + Int64(cycle.frames), ordering: .releasing)
    stampHost.store(
      cycle.time.hostTime + UInt64(clamping: (Double(nanoseconds) * cycle.time.rateScalar).rounded()),
      ordering: .releasing)
    stampScalar.store(cycle.time.rateScalar.bitPattern, ordering: .releasing)
    stampCount.wrappingAdd(1, ordering: .acquiringAndReleasing)
  }

  private func formatDidChange() {
    adopt(Format(hardware.configuration))
    for member in members.withLock({ $0 }) { member.formatDidChange() }
  }

  private func wasStopped() {
    let stopped = members.withLock { members in
      defer { members = [] }
      return members
    }
    for slot in 0..<Self.mostClients { slots[slot].store(0, ordering: .sequentiallyConsistent) }
    for member in stopped { member.wasStopped() }
  }

  // MARK: Behind a cycle

  private func afterCycle() { for member in members.withLock({ $0 }) { member.afterCycle() } }
}
