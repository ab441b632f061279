import AudioCore
import Transcripts

extension ScenarioEvent.Change {
  /// Writes it into the transcript, where there is one.
  ///
  /// - Parameter seconds: device time.
  func record(seconds: Double) {
    guard let recorder = CallRecorder.shared else { return }
    let microseconds = (seconds * 1e6).rounded()
    recorder.note(.event, "device event", arguments: "at \(NumberText.short(microseconds / 1e6)) s, \(text)")
  }

  private var text: String {
    switch self {
    case .slices(let frames):
      frames.isEmpty
        ? "cycles as the program prefers" : "cycles of \(frames.map(String.init).joined(separator: ", ")) frames"
    case .burst(nil): "one callback a cycle"
    case .burst(let burst?): "bursts of \(burst.callbacks) callbacks"
    case .route(let change):
      "route changes, blocked for \(NumberText.short(change.blockedSeconds)) s"
        + (change.sampleRate.map { ", then \(NumberText.short($0)) Hz" } ?? "")
    case .interruptionBegins: "interruption begins"
    case .interruptionEnds: "interruption ends"
    case .microphone: "another microphone source"
    case .microphoneFails: "microphone fails"
    case .drift(let partsPerMillion): "drift of \(NumberText.short(partsPerMillion)) ppm"
    case .late(let seconds): "callbacks \(NumberText.short(seconds)) s late"
    case .cost(let seconds): "callbacks cost \(NumberText.short(seconds)) s"
    case .otherAudio(nil): "other audio ends"
    case .otherAudio: "other audio plays"
    case .volume(let volume): "volume \(NumberText.short(volume))"
    }
  }
}
