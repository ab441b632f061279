// Two beliefs about a player: that it mixes what is scheduled at one time, and that a sound scheduled by the handler of
// the one before it follows without a gap. github.com/AudioKit/AudioKit/issues/2832 has the first.

import AVFAudio
import Foundation

/// Two sounds at one time: a player plays them one behind the other, and two players at once.
func scheduledTwice(isMended: Bool, files: SoundFiles) throws {
  let (engine, format) = try pulledEngine()
  let players = [AVAudioPlayerNode(), AVAudioPlayerNode()]
  for player in players {
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: format)
  }
  try engine.start()
  let time = AVAudioTime(sampleTime: 4410, atRate: 44_100)
  for (index, hertz) in [441.0, 735.0].enumerated() {
    let player = players[isMended ? index : 0]
    player.scheduleBuffer(try tone(hertz, format), at: time, options: [], completionHandler: nil)
  }
  for player in players { player.play() }
  try write(engine, seconds: 1, to: files.output)
}

/// A sound played over and over: by the handler of its end a slice is late each time, by the option it is not.
func loopByHandler(isMended: Bool, files: SoundFiles) throws {
  let (engine, format) = try pulledEngine()
  let player = AVAudioPlayerNode()
  engine.attach(player)
  engine.connect(player, to: engine.mainMixerNode, format: format)
  try engine.start()
  let sound = try tone(441, format)
  if isMended {
    player.scheduleBuffer(sound, at: nil, options: .loops, completionHandler: nil)
  } else {
    func again() { player.scheduleBuffer(sound, at: nil, options: []) { again() } }
    again()
  }
  player.play()
  try write(engine, seconds: 2, to: files.output)
}

/// An engine that the program pulls, in mono at 44.1 kHz.
private func pulledEngine() throws -> (AVAudioEngine, AVAudioFormat) {
  let engine = AVAudioEngine()
  let format = try need(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1), "a format")
  try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
  return (engine, format)
}

/// A sine at a quarter of full scale, in whole periods of both frequencies.
private func tone(_ hertz: Double, _ format: AVAudioFormat) throws -> AVAudioPCMBuffer {
  let buffer = try need(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 17_400), "a buffer")
  buffer.frameLength = buffer.frameCapacity
  let samples = try need(buffer.floatChannelData, "samples")[0]
  for frame in 0..<Int(buffer.frameLength) {
    samples[frame] = Float(0.25 * sin(2 * Double.pi * hertz * Double(frame) / format.sampleRate))
  }
  return buffer
}

private func write(_ engine: AVAudioEngine, seconds: Double, to url: URL) throws {
  let format = engine.manualRenderingFormat
  let output = try AVAudioFile(forWriting: url, settings: format.settings)
  let slice = try need(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512), "a buffer")
  while Double(engine.manualRenderingSampleTime) < seconds * format.sampleRate {
    _ = try engine.renderOffline(512, to: slice)
    try output.write(from: slice)
  }
}
