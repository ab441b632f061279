import AudioCore
import Loudness

/// The gains of albums: every sound of one gets the gain of the whole. Meters go as soon as the last of an album is there.
final class AlbumGains: @unchecked Sendable {
  private struct Album {
    var missing: Int
    var meters: [(task: Int, meter: LoudnessMeter)] = []
    var gainDecibels: Double?
    var shortfallDecibels = 0.0
  }
  private let loudness: Finishing.Loudness
  private let albums: Locked<[String: Album]>

  /// - Parameter tasks: for each album the number of its tasks.
  init(_ loudness: Finishing.Loudness, tasks: [String: Int]) {
    self.loudness = loudness
    albums = Locked(tasks.mapValues { Album(missing: $0) })
  }

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
        let peak = meters.map { $0.finish().maximumTruePeakDecibels }.max() ?? -.infinity
        (album.gainDecibels, album.shortfallDecibels) = loudness.gain(loudnessLUFS: whole, truePeakDecibels: peak)
        album.meters = []
      }
      albums[name] = album
    }
  }

  /// Nil while sounds of the album are missing.
  func gain(of name: String) -> (decibels: Double, shortfallDecibels: Double)? {
    albums.withLock { albums in
      albums[name].flatMap { album in album.gainDecibels.map { ($0, album.shortfallDecibels) } }
    }
  }
}
