// Recordings across a change of the route: with a tap of the format from before it
// (github.com/TypeWhisper/typewhisper-mac/issues/293), and with an engine that is not started again
// (github.com/llfbandit/record/pull/621).

import AVFoundation

/// A recording whose tap is installed again after the change: in the format that the input had when the program began,
/// which ends the process, or in the one that it has.
func tapFormat(isMended: Bool, files: SoundFiles) throws {
  let recorder = try TapRecorder(files.output)
  let initial = recorder.engine.inputNode.outputFormat(forBus: 0)
  recorder.whenChanged = { recorder in
    recorder.engine.inputNode.removeTap(onBus: 0)
    recorder.installTap(isMended ? recorder.engine.inputNode.outputFormat(forBus: 0) : initial)
    try recorder.engine.start()
  }
  recorder.installTap(initial)
  try recorder.engine.start()
  try recorder.wait(seconds: isMended ? 60 : 2)
}

/// A recording whose engine stops with the change: nobody starts it, or the program does.
func configurationChange(isMended: Bool, files: SoundFiles) throws {
  let recorder = try TapRecorder(files.output)
  recorder.whenChanged = { recorder in
    guard isMended else { return }
    recorder.engine.inputNode.removeTap(onBus: 0)
    recorder.installTap(recorder.engine.inputNode.outputFormat(forBus: 0))
    try recorder.engine.start()
  }
  recorder.installTap(recorder.engine.inputNode.outputFormat(forBus: 0))
  try recorder.engine.start()
  try recorder.wait(seconds: isMended ? 60 : 2)
}

/// Writes what a microphone hears, at 16 kHz, until it has 2 s.
private final class TapRecorder: @unchecked Sendable {
  let engine = AVAudioEngine()
  var whenChanged: ((TapRecorder) throws -> Void)?
  private let wanted: AVAudioFormat
  private let output: AVAudioFile
  private let whole = Arrivals()
  private var problem: Error?
  private var converter: AVAudioConverter?

  init(_ url: URL) throws {
    wanted = try need(
      AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: 16_000, channels: 1, interleaved: false), "a format")
    output = try AVAudioFile(forWriting: url, settings: wanted.settings)
    _ = NotificationCenter.default.addObserver(
      forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
    ) { [weak self] _ in
      guard let self else { return }
      do { try whenChanged?(self) } catch { stop(error) }
    }
  }

  func installTap(_ format: AVAudioFormat) {
    converter = AVAudioConverter(from: format, to: wanted)
    engine.inputNode.installTap(onBus: 0, bufferSize: 1024, format: format) { [weak self] buffer, _ in
      do { try self?.write(buffer) } catch { self?.stop(error) }
    }
  }

  private func write(_ buffer: AVAudioPCMBuffer) throws {
    guard let converter, output.length < 32_000 else { return }
    let frames = AVAudioFrameCount(Double(buffer.frameLength) * 16_000 / buffer.format.sampleRate) + 64
    let converted = try need(AVAudioPCMBuffer(pcmFormat: wanted, frameCapacity: frames), "a buffer")
    var given = false
    var problem: NSError?
    converter.convert(to: converted, error: &problem) { _, status in
      status.pointee = given ? .noDataNow : .haveData
      defer { given = true }
      return given ? nil : buffer
    }
    if let problem { throw problem }
    try output.write(from: converted)
    if output.length >= 32_000 { whole.arrive() }
  }

  private func stop(_ error: Error) {
    problem = error
    whole.arrive()
  }

  func wait(seconds: Double) throws {
    try whole.wait(for: "the whole recording", seconds: seconds)
    engine.stop()
    if let problem { throw problem }
  }
}
