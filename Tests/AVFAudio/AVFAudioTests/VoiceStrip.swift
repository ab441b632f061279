// The app's code of docs/avfaudio-in-ci.md, line by line: a test holds the two together.

import AVFAudio

/// A voice with its rumble taken away and an echo behind it.
final class VoiceStrip {
  let engine = AVAudioEngine()
  let lowCut = AVAudioUnitEQ(numberOfBands: 1)
  let echo = AVAudioUnitDelay()
  private let player = AVAudioPlayerNode()

  init(format: AVAudioFormat) {
    for node in [player, lowCut, echo] { engine.attach(node) }
    engine.connect(player, to: lowCut, format: format)
    engine.connect(lowCut, to: echo, format: format)
    engine.connect(echo, to: engine.mainMixerNode, format: format)
    let band = lowCut.bands[0]
    (band.filterType, band.frequency, band.bypass) = (.highPass, 80, false)
    (echo.delayTime, echo.feedback, echo.wetDryMix) = (0.25, 0, 30)
  }

  /// Plays through the output, as the app does.
  func play(_ file: AVAudioFile) throws {
    player.scheduleFile(file, at: nil)
    try engine.start()
    player.play()
  }

  /// Renders the same engine into memory, as tests and exports do.
  func render(_ sound: AVAudioPCMBuffer, frames: AVAudioFrameCount) throws -> [Float] {
    try engine.enableManualRenderingMode(.offline, format: sound.format, maximumFrameCount: 4096)
    defer { engine.disableManualRenderingMode() }
    player.scheduleBuffer(sound)
    try engine.start()
    player.play()
    var output: [Float] = []
    guard let piece = AVAudioPCMBuffer(pcmFormat: engine.manualRenderingFormat, frameCapacity: 4096) else { return [] }
    while output.count < Int(frames) {
      let count = min(4096, frames - AVAudioFrameCount(output.count))
      guard try engine.renderOffline(count, to: piece) == .success, let samples = piece.floatChannelData else { break }
      output += UnsafeBufferPointer(start: samples[0], count: Int(piece.frameLength))
    }
    return output
  }
}
