import AudioCore
import Foundation
import Measurement
import Verification

/// A curve from a file that a measured one is laid over: a golden's or anybody's table, or what an earlier run of
/// `aubench measure --json` found.
public struct ReferenceCurve: Hashable, Sendable {
  /// For legends: the file, and what it holds where that is several curves.
  public var name: String
  /// `magnitude`; nil: any curve with such axes.
  public var id: String?
  /// `magnitude dB`; nil: not known.
  public var yName: String?
  /// The channel from 0 whose curves it is laid over; nil: any channel's.
  public var channel: Int?
  /// As many as ``y``, in the unit of the measured curve's x axis: hertz for most.
  public var x: [Double]
  /// Not a number where there is none.
  public var y: [Double]
  /// Somebody's file, from which the difference is of interest; a closed form has a reading of its own.
  var isFromFile = true

  /// A magnitude that is known by a formula, from 10 Hz to half the rate.
  package static func magnitude(
    _ name: String, sampleRate: Double, decibels: (_ hertz: Double) -> Double?
  ) -> ReferenceCurve {
    let hertz =
      LinearSettings.grid(sampleRate: sampleRate, pointsPerOctave: 96) + LinearSettings.approach(sampleRate: sampleRate)
    let x = hertz.sorted()
    return ReferenceCurve(name: name, id: "magnitude", x: x, y: x.map { decibels($0) ?? .nan }, isFromFile: false)
  }

  /// True when it is of the quantity that a measured curve shows.
  func belongs(to curve: Curve) -> Bool {
    if let id, id != curve.id { return false }
    if let channel, let other = curve.channel, channel != other { return false }
    if let yName { return yName == "\(curve.y.name) \(curve.y.unit.rawValue)" }
    // A table without a head: decibels over hertz, as most are.
    return id != nil || (curve.id == "magnitude" && curve.x.unit == .hertz)
  }

  /// Reads a file: a table of x and y with tabs between (`# frequency Hz<tab>magnitude dB` in front where it is another
  /// curve), or JSON of `aubench measure`.
  /// - Throws: `.input`, naming the file.
  public static func curves(contentsOf path: String) throws(BenchError) -> [ReferenceCurve] {
    let data = Data(try FileSystem.bytes(of: path, atMost: CurveFile.maximumBytes))
    let first = data.first { !" \n\r\t".utf8.contains($0) }
    return first == UInt8(ascii: "{") ? try measured(data, path) : [try table(path)]
  }

  private static func table(_ path: String) throws(BenchError) -> ReferenceCurve {
    do {
      let file = try CurveFile(contentsOf: path)
      return ReferenceCurve(
        name: FileName.last(of: path), yName: file.yName == "y" ? nil : file.yName, x: file.points.map(\.x),
        y: file.points.map(\.y))
    } catch {
      throw BenchError(
        .input, at: error.place, error.message,
        advice: "a reference is a table of x and y with a tab between, or JSON of \"aubench measure --json\"")
    }
  }

  private static func measured(_ data: Data, _ path: String) throws(BenchError) -> [ReferenceCurve] {
    guard let saved = try? JSONDecoder().decode(Saved.self, from: data) else {
      throw BenchError(
        .input, at: path, "it is not what a measurement prints as JSON",
        advice: "save what \"aubench measure --json\" prints")
    }
    let curves = saved.measurements.flatMap(\.curves).filter { $0.x.count == $0.y.count }
    guard !curves.isEmpty else { throw BenchError(.input, at: path, "the measurement has no curves") }
    return curves.map { curve in
      let several = Set(curves.filter { $0.id == curve.id }.map(\.channel)).count > 1
      return ReferenceCurve(
        name: FileName.last(of: path) + (several ? curve.channel.map { ", channel \($0)" } ?? "" : ""), id: curve.id,
        channel: several ? curve.channel : nil, x: curve.x, y: curve.y.map { $0 ?? .nan })
    }
  }

  private struct Saved: Decodable {
    struct Measured: Decodable { let curves: [Line] }
    struct Line: Decodable {
      let id: String
      let channel: Int?
      let x: [Double]
      let y: [Double?]
    }
    let measurements: [Measured]
  }
}
