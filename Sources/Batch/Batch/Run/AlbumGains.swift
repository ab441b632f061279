import AudioCore
import Loudness

/// The gains of albums: every sound of one gets the gain of the whole. Meters go as soon as the last of an album is
/// there.
final class AlbumGains: Sendable {
  private struct Album {
    var missing: Int
    /// False when a sound has no part in the gain for a reason that is not in its files.
    var isWhole = true
    var meters: [(task: Int, meter: LoudnessMeter)] = []
    var failures: [Int: BenchError] = [:]
    var gain: Finishing.Loudness.Gain?
  }
  private let loudness: Finishing.Loudness
  private let albums: Locked<[String: Album]>

  /// - Parameter tasks: for each album the number of its tasks.
  init(_ loudness: Finishing.Loudness, tasks: [String: Int]) {
    self.loudness = loudness
    albums = Locked(tasks.mapValues { Album(missing: $0) })
  }

  /// Notes that a sound could not be measured; where that is final it is left out.
  func note(_ error: BenchError, of task: Int, in name: String, isFinal: Bool) {
    albums.withLock {
      $0[name]?.failures[task] = error
      if isFinal, error.kind != .input { $0[name]?.isWhole = false }
    }
    if isFinal { add(nil, of: task, in: name) }
  }

  /// True when every sound was measured or left out. A run that ends at its first failure leaves albums that are not.
  func isMeasured(_ name: String) -> Bool { albums.withLock { $0[name]?.missing == 0 } }

  /// Why a sound could not be measured.
  func failure(of task: Int, in name: String) -> BenchError? { albums.withLock { $0[name]?.failures[task] } }

  /// False when the gain would be another one at the next run of the same job: a sound could not be measured that can be
  /// read.
  func isWhole(_ name: String) -> Bool { albums.withLock { $0[name]?.isWhole ?? true } }

  /// Takes the meter of one sound; nil: it failed, and does not count.
  func add(_ meter: LoudnessMeter?, of task: Int, in name: String) {
    albums.withLock { albums in
      guard var album = albums[name] else { return }
      album.missing -= 1
      if let meter { album.meters.append((task, meter)) }
      if album.missing == 0 {
        // In one order, whichever was ready first.
        let meters = album.meters.sorted { $0.task < $1.task }.map(\.meter)
        let whole = LoudnessMeter.integratedLUFS(of: meters)
        let isFinite = meters.allSatisfy(\.isFinite)
        let frames = meters.map(\.frameCount).max() ?? 0
        let rate = meters.map(\.sampleRate).min() ?? 0
        let peak = isFinite ? meters.map { $0.finish().maximumTruePeakDecibels }.max() ?? -.infinity : -.infinity
        var gain = loudness.gain(
          loudnessLUFS: whole, truePeakDecibels: peak, frames: frames, sampleRate: Double(rate), nonFinite: !isFinite)
        gain.refusal = gain.refusal.map { _ in
          isFinite
            ? "no sound of its album is above the gate of -70 LUFS for 400 ms"
            : "a sound of its album has samples that are NaN or infinite"
        }
        album.gain = gain
        album.meters = []
      }
      albums[name] = album
    }
  }

  /// Nil while sounds of the album are missing.
  func gain(of name: String) -> Finishing.Loudness.Gain? { albums.withLock { $0[name]?.gain } }
}
