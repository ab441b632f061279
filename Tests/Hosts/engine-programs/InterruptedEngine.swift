// A player on an engine that a telephone call stops, and that nobody starts again when the call is over:
// github.com/melihhakanpektas/flutter_midi_pro/pull/55.

import AVFoundation

func interruptedEngine(isMended: Bool, files: SoundFiles) throws {
  let session = AVAudioSession.sharedInstance()
  try session.setCategory(.playback)
  try session.setActive(true)
  let engine = AVAudioEngine()
  let player = AVAudioPlayerNode()
  let file = try AVAudioFile(forReading: files.input)
  engine.attach(player)
  engine.connect(player, to: engine.mainMixerNode, format: file.processingFormat)
  let isOver = Arrivals()
  let observer = NotificationCenter.default.addObserver(
    forName: AVAudioSession.interruptionNotification, object: session, queue: nil
  ) { notification in
    guard isMended, let value = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt,
      AVAudioSession.InterruptionType(rawValue: value) == .ended
    else { return }
    try? session.setActive(true)
    try? engine.start()
    player.play()
  }
  defer { NotificationCenter.default.removeObserver(observer) }
  player.scheduleFile(file, at: nil, completionCallbackType: .dataPlayedBack) { _ in isOver.arrive() }
  try engine.start()
  player.play()
  try isOver.wait(for: "the end of the sound", seconds: isMended ? 60 : 2)
  engine.stop()
}
