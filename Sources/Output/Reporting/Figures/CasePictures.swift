import AudioCore
import Measurement
import Plotting
import Verification

/// The pictures of a case that failed.
public struct CasePictures {
  private let folder: String
  private(set) var pictures: [(title: String, path: String)] = []
  /// Why there are none, or not all; nil: all could be drawn.
  private(set) var remark: String?

  private init(folder: String) { self.folder = folder }

  /// For `CaseRunner.pictures`.
  @Sendable public static func draw(
    _ outcome: CaseOutcome, in folder: String, actual: AudioSignal?, expected: AudioSignal?
  ) -> (pictures: [(title: String, path: String)], remark: String?) {
    var drawn = CasePictures(folder: folder)
    drawn.draw(outcome, actual: actual, expected: expected)
    return (drawn.pictures, drawn.remark)
  }

  /// Draws the curves of each check that has some and did not pass, and the sound where a check of it did not.
  private mutating func draw(_ outcome: CaseOutcome, actual: AudioSignal?, expected: AudioSignal?) {
    let bad = outcome.checks.filter { !$0.verdict.isGood }
    for check in bad {
      guard let figure = check.overlayFigure(device: outcome.device) else { continue }
      write(figure, "\(FileName.plain(check.id, keeping: "._-")).svg", title: Self.overlayTitle(check.id))
    }
    let isOfSound = bad.contains { $0.firstFailure != nil } || expected != nil
    guard isOfSound, let actual, actual.channelCount > 0, actual.frameCount > 0 else { return }
    let place = bad.compactMap(\.firstFailure).earliest
    let sound = SignalFigures(title: outcome.id, actual: actual, expected: expected, firstFailure: place)
    let first = place.flatMap { place in bad.first { $0.firstFailure == place } }
    if let closeUp = sound.closeUp(first, node: outcome.firstDifferentNode) {
      write(closeUp, "close-up.svg", title: "close-up")
    }
    write(sound.waveform, "waveform.svg", title: "waveform")
    if let spectrum = sound.spectrum { write(spectrum, "spectrum.svg", title: "spectrum") }
  }

  static func overlayTitle(_ check: String) -> String { "\(check): found, expected, allowed" }

  /// One that cannot be written does not hinder the case; no other is tried then.
  private mutating func write(_ figure: Figure, _ name: String, title: String) {
    guard remark == nil else { return }
    let path = "\(folder)/\(name)"
    do {
      try figure.write(to: path, withData: false)
      pictures.append((title, path))
    } catch {
      remark = "no pictures: \(error)"
    }
  }
}
