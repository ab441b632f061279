// Starting, pausing, stopping and ending a queue. Any thread but inside a cycle. The device's gate is held while what runs
// changes, and never while a function of the program's runs.

import AudioCore
import AudioEngine
import CAudioToolbox
import CoreAudioStreams
import Hardware

extension AudioQueueObject {
  /// Runs `body` while no other queue starts or stops.
  /// - Throws: −66678 inside a tap's function.
  func gated<R>(_ body: () throws(AudioStatus) -> R) throws(AudioStatus) -> R {
    guard !isRendering else { throw AudioStatus(kAudioQueueErr_InvalidRunState) }
    device.gate.lock()
    defer { device.gate.unlock() }
    return try body()
  }

  // MARK: Start

  /// Starts, or goes on behind a pause.
  /// - Parameter time: the sample time or host time of the device; nil: as soon as possible.
  func start(_ time: AudioTimeStamp?) throws(AudioStatus) {
    let isNew = try gated { () throws(AudioStatus) -> Bool in
      let (run, offline) = try state.withLock { (state) throws(AudioStatus) in
        guard !state.isDisposing else { throw AudioStatus(kAudioQueueErr_DisposalPending) }
        guard state.offline == nil || !state.isRendering else { throw AudioStatus(kAudioQueueErr_InvalidRunState) }
        return (state.run, state.offline)
      }
      switch run {
      case .running: return false
      case .stopping: throw AudioStatus(kAudioQueueErr_InvalidRunState)
      case .stopped, .paused: break
      }
      if isInput, offline == nil, !device.hardware.hasMicrophone { throw AudioStatus(kAudioQueueErr_InvalidDevice) }
      if run == .stopped {
        state.withLock { _ in (voice, recorder) = (nil, nil) }
        source?.restart()
        progress.restart()
        gain.settle()
        if state.withLock({ $0.hasStarted }) { discontinuities.wrappingAdd(1, ordering: .relaxed) }
      }
      if offline == nil {
        try setStart(time)
        try prepareVoice(continues: run == .paused)
        state.withLock { $0.run = .running }
        do throws(AudioStatus) {
          try device.begin(self)
        } catch {
          state.withLock { $0.run = run }
          throw error
        }
      } else if voice == nil {
        try prepareVoice(continues: false)
      }
      return state.withLock { state in
        state.run = .running
        state.hasStarted = true
        defer { state.isTold = true }
        return !state.isTold
      }
    }
    guard isNew else { return }
    tell(kAudioQueueProperty_IsRunning)
    calls.request(waits: device.clock != .real)
  }

  private func setStart(_ time: AudioTimeStamp?) throws(AudioStatus) {
    (startFrame, startHost) = (nil, nil)
    framesToStart.store(0, ordering: .relaxed)
    guard let time else { return }
    if time.mFlags.contains(.sampleTimeValid) {
      guard time.mSampleTime.magnitude <= 0x1p53 else { throw AudioStatus(kAudioQueueErr_InvalidParameter) }
      startFrame = Int64(clamping: time.mSampleTime.rounded())
    } else if time.mFlags.contains(.hostTimeValid) {
      startHost = time.mHostTime
    } else {
      throw AudioStatus(kAudioQueueErr_InvalidParameter)
    }
  }

  /// Makes the way to the device, or to the program, where there is none of the right format.
  /// - Parameter continues: true if the queue's time goes on.
  func prepareVoice(continues: Bool) throws(AudioStatus) {
    let (tap, offline, settings) = state.withLock { ($0.tap, $0.offline, $0.settings) }
    let format = device.format
    guard let source else {
      let input = StreamFormat(
        sampleRate: format.sampleRate, channelCount: format.inputChannels, isInterleaved: true)
      if continues, recorder?.input == input { return }
      let former = recorder
      let next = try QueueRecorder(
        self.format, from: input, line, meter: meter, progress: progress, tap: tap,
        channels: matrix(settings, inputs: format.inputChannels, outputs: nil),
        position: former?.position ?? progress.frame.load(ordering: .relaxed))
      if let former { next.adopt(former) }
      recorder = next
      return
    }
    let output =
      offline?.stream
      ?? StreamFormat(sampleRate: format.sampleRate, channelCount: format.outputChannels, isInterleaved: true)
    if continues, voice?.output == output { return }
    let next = try QueueVoice(
      source, to: output, gain: gain, meter: meter, progress: progress, tap: tap,
      timePitch: settings.isTimePitchEnabled && !settings.isTimePitchBypassed ? settings.timePitchAlgorithm : nil,
      channels: offline == nil ? matrix(settings, inputs: nil, outputs: output.channelCount) : nil,
      waits: offline != nil)
    state.withLock { _ in voice = next }
    if offline == nil {
      cycleMemory = StreamBuffer(format: output, frameCapacity: DeviceConfiguration.bufferFrameCounts.upperBound)
    }
  }

  /// The channels as they were assigned; those that the device has no longer are silent.
  private func matrix(_ settings: QueueSettings, inputs: Int?, outputs: Int?) -> ChannelMatrix? {
    guard let assignments = settings.assignments else { return nil }
    let own = format.stream.channelCount
    guard let outputs else {
      let count = inputs ?? 0
      return ChannelMatrix(map: assignments.map { $0 < count ? $0 : -1 }, inputCount: count)
    }
    var gains = [Float](repeating: 0, count: own * outputs)
    for (channel, output) in assignments.enumerated() where output < outputs { gains[output * own + channel] = 1 }
    return ChannelMatrix(inputCount: own, outputCount: outputs, gains: gains)
  }

  // MARK: Pause, stop, end

  /// Takes the queue off the device; what is in the line stays.
  func pause() throws(AudioStatus) {
    try gated { () throws(AudioStatus) in
      let run = try state.withLock { (state) throws(AudioStatus) in
        guard !state.isDisposing else { throw AudioStatus(kAudioQueueErr_DisposalPending) }
        return state.run
      }
      guard run == .running else { return }
      device.end(self)
      state.withLock { $0.run = .paused }
      meter.clear()
    }
  }

  /// Stops the queue: at once, with all callbacks made when this returns, or behind the last buffer.
  func stop(immediately: Bool) throws(AudioStatus) {
    let waits: Bool = try gated { () throws(AudioStatus) in
      let (run, offline) = try state.withLock { (state) throws(AudioStatus) in
        guard !state.isDisposing else { throw AudioStatus(kAudioQueueErr_DisposalPending) }
        return (state.run, state.offline)
      }
      if !immediately, !isInput, run == .running {
        state.withLock { state in
          state.run = .stopping
          _ = line.append(.end)
        }
        packets.withLock { $0?.reset() }
        return false
      }
      if !immediately && run == .stopping { return false }
      if offline == nil, run == .running || run == .stopping { device.end(self) }
      if recorder != nil { progress.isFlushed.store(false, ordering: .relaxed) }
      state.withLock { $0.run = .stopped }
      return true
    }
    guard waits else { return }
    giveBack()
    finishStop()
    calls.request(waits: immediately)
  }

  /// All buffers in the line go back to the program, by its callback.
  func giveBack() {
    // Those that were through come first, as what they are.
    collect()
    for (buffer, filling) in takeBack() { addCallback(buffer, filling, isReturn: true) }
    packets.withLock { $0?.reset() }
    state.withLock { $0.plannedEnd = 0 }
  }

  private func finishStop() {
    meter.clear()
    let isTold = state.withLock { state in
      defer { state.isTold = false }
      return state.isTold
    }
    if isTold { tell(kAudioQueueProperty_IsRunning) }
  }

  /// The last buffer has been played behind a stop. On the thread behind cycles, or of a program that renders offline.
  func didEnd() {
    device.gate.lock()
    let isEnd = state.withLock { $0.run == .stopping }
    if isEnd { device.end(self) }
    device.gate.unlock()
    if isEnd { conclude { calls.follow(device.clock) } }
  }

  /// A stop behind the last buffer has come to its end, and nothing renders any more.
  /// - Parameter makeCalls: has the calls made that are due then.
  func conclude(_ makeCalls: () -> Void) {
    let isEnd = state.withLock { state in
      guard state.run == .stopping else { return false }
      state.run = .stopped
      state.plannedEnd = 0
      return true
    }
    guard isEnd else { return }
    finishStop()
    makeCalls()
    if state.withLock({ $0.isDisposing }) { tearDown(hasStopped: true) }
  }

  /// Empties the line, and lets the sound begin anew.
  func reset() throws(AudioStatus) {
    guard !isRendering else { throw AudioStatus(kAudioQueueErr_InvalidRunState) }
    try state.withLock { (state) throws(AudioStatus) in
      guard !state.isDisposing else { throw AudioStatus(kAudioQueueErr_DisposalPending) }
    }
    giveBack()
    // The mark of a stop went with the line.
    state.withLock { if $0.run == .stopping { _ = line.append(.end) } }
    calls.request(waits: true)
  }

  /// Lets all that was enqueued so far come out whole.
  func flush() throws(AudioStatus) {
    try state.withLock { (state) throws(AudioStatus) in
      guard !state.isDisposing else { throw AudioStatus(kAudioQueueErr_DisposalPending) }
      guard state.run != .stopping else { return }
      if isInput {
        progress.isFlushed.store(state.run == .running, ordering: .releasing)
      } else {
        _ = line.append(.flush)
      }
    }
  }

  /// Ends the queue: at once, or behind the last buffer.
  func dispose(immediately: Bool) throws(AudioStatus) {
    guard !isRendering else { throw AudioStatus(kAudioQueueErr_InvalidRunState) }
    let isPending = try state.withLock { (state) throws(AudioStatus) in
      guard !state.isDisposing || immediately else { throw AudioStatus(kAudioQueueErr_DisposalPending) }
      guard !immediately, !isInput, state.run == .running || state.run == .stopping, state.offline == nil else {
        return false
      }
      if state.run == .running { _ = line.append(.end) }
      state.run = .stopping
      state.isDisposing = true
      return true
    }
    if !isPending { tearDown() }
  }

  /// The queue is gone: no function of the program's is called any more.
  /// - Parameter hasStopped: true where it runs no more, and cannot be started.
  private func tearDown(hasStopped: Bool = false) {
    if hasStopped {
      state.withLock { $0.isDisposing = true }
    } else {
      // A start that is under way comes first.
      device.gate.lock()
      let runs = state.withLock { state in
        state.isDisposing = true
        defer { state.run = .stopped }
        return state.run == .running || state.run == .stopping
      }
      if runs { device.end(self) }
      device.gate.unlock()
    }
    calls.end()
    _ = takeBack()
    let (tap, timelines) = state.withLock { state in
      state.buffers = [:]
      state.listeners = []
      defer { (state.tap, state.timelines) = (nil, []) }
      return (state.tap, state.timelines)
    }
    for timeline in timelines { _ = HandleTable.shared.remove(timeline, QueueTimeline.self) }
    if let handle = tap?.handle { _ = HandleTable.shared.remove(handle, QueueTap.self) }
    _ = HandleTable.shared.remove(handle, AudioQueueObject.self)
  }
}
