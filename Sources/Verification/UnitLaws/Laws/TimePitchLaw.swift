import Glibc

/// Tempo and pitch by SoundTouch, called directly: what the units add is which frames it is given, which of its frames come
/// out, and what is passed beside it.
protocol StretchLaw: UnitLaw {
  /// Lengths in milliseconds of sequence, seek window and overlap; 0: the library's own.
  static func lengths(_ values: [Double]) -> (sequence: Int, seek: Int, overlap: Int)
  /// m, from 0 to 1, at a frame.
  static func blend(_ courses: LawCourses, at frame: Int) -> Double
}

/// A stream of the library, into which interleaved frames are put and from which they are taken.
public protocol LawStretcher: AnyObject {
  /// The taps of its anti-alias filter.
  var filterLength: Int { get }
  var available: Int { get }
  func set(tempo: Float, pitch: Float)
  func put(_ frames: [Float])
  func take(_ frames: Int) -> [Float]
}

struct TimePitchLaw: StretchLaw {
  static let unit = "timePitch"
  static let parameters = [
    LawParameter("rate", 0.03125...32, initial: 1, form: .geometric), LawParameter("pitch", -2400...2400, initial: 0),
    LawParameter("effectBlend", 0...100, initial: 100),
  ]
  static func lengths(_ values: [Double]) -> (sequence: Int, seek: Int, overlap: Int) { (0, 0, 8) }
  static func blend(_ courses: LawCourses, at frame: Int) -> Double {
    min(max(courses.value(2, at: frame) / 100, 0), 1)
  }
}

struct NewTimePitchLaw: StretchLaw {
  static let unit = "newTimePitch"
  static let parameters =
    Array(TimePitchLaw.parameters.prefix(2)) + [
      LawParameter("smoothness", 3...32, initial: 8),
      LawParameter("enableTransientPreservation", 0...1, initial: 1, form: .whole),
      LawParameter("enableSpectralCoherence", 0...1, initial: 1, form: .whole),
    ]
  static func lengths(_ values: [Double]) -> (sequence: Int, seek: Int, overlap: Int) {
    let overlap = Int(exactly: min(max(values[2].rounded(), 3), 32)) ?? 8
    return values[3] >= 0.5 ? (30, 12, overlap) : (0, 0, overlap)
  }
  static func blend(_ courses: LawCourses, at frame: Int) -> Double { 1 }
}

extension StretchLaw {
  static var residual: Double { -130 }

  static func outputs(of node: LawNode, _ inputs: [LawSignal?]) throws(LawError) -> [LawSignal] {
    guard let input = inputs.first ?? nil else { throw LawError("a time pitch without input") }
    let courses = LawCourses(node, parameters)
    let channels = input.channels.count
    let fadeLength = (0.01 * node.rate).rounded()
    var stream = Stream(input)
    var made: [[Double]] = input.channels.map { _ in [] }
    var place = 0.0
    // The length is planned by the rate of each frame.
    var planned = 0.0
    var (rate, started, isFirst, fades) = (1.0, 0, true, false)
    let restarts = node.restarts(frames: node.wantedFrames ?? 0)
    var mix = 1.0
    var frame = 0
    var end = node.wantedFrames
    while end.map({ frame < $0 }) ?? true {
      if end == nil, planned >= Double(input.frames) { end = frame + tail(node) }
      if let end, frame >= end { break }
      let values = courses.held(at: frame)
      if restarts.contains(frame) {
        let present = min(max(courses.value(0, at: frame), 1.0 / 32), 32)
        place =
          node.points("rate") == nil
          ? Double(frame) * present
          : (0..<frame).map { min(max(courses.value(0, at: $0), 1.0 / 32), 32) }.reduce(0, +)
        place = place.rounded(.down)
        stream.stop()
        isFirst = true
      }
      if frame % 64 == 0 || isFirst {
        rate = min(max(courses.value(0, at: frame), 1.0 / 32), 32)
        let factor = pow(2, min(max(courses.value(1, at: frame), -2400), 2400) / 1200)
        if stream.library == nil, rate != 1 || factor != 1 {
          let lengths = Self.lengths(values)
          let library = node.surroundings.stretcher(
            node.rate, channels, lengths.sequence, lengths.seek, lengths.overlap)
          guard let library else { throw LawError("SoundTouch is not there") }
          stream.start(library, at: Int(exactly: place.rounded()) ?? 0, rate, factor)
          (started, fades) = (frame, !isFirst)
          mix = rate == 1 ? blend(courses, at: frame) : 1
        }
        stream.library?.set(tempo: Float(rate), pitch: Float(factor))
        isFirst = false
      }
      let passed = stream.origin + frame - started
      if stream.library == nil {
        let passed = Int(exactly: place.rounded(.down)) ?? 0
        for channel in 0..<channels { made[channel].append(stream.input(channel, passed)) }
      } else {
        let wet = stream.next()
        let wanted = rate == 1 ? blend(courses, at: frame) : 1
        mix = single(mix + single(min(max(single(wanted) - mix, -single(1 / fadeLength)), single(1 / fadeLength))))
        let fade = !fades ? 1 : min(1, Double(frame - started + 1) / fadeLength)
        for channel in 0..<channels {
          let dry = stream.input(channel, Int(exactly: place.rounded(.down)) ?? 0)
          let blended = dry + (wet[channel] - dry) * mix
          made[channel].append(stream.input(channel, passed) * (1 - fade) + blended * fade)
        }
      }
      place += rate
      planned += min(max(courses.value(0, at: frame), 1.0 / 32), 32)
      frame += 1
    }
    return [LawSignal(rate: input.rate, channels: made)]
  }

  /// Frames that are rendered behind the input's end: the rest of a piece of the library, and its crossfade.
  private static func tail(_ node: LawNode) -> Int {
    let neutral = [1.0, 0.0]
    let moves = zip(["rate", "pitch"], neutral).contains { name, neutral in
      node.points(name).map { $0.contains { $0.value != neutral } } ?? (node.start(name, neutral) != neutral)
    }
    let overlaps = node.points("smoothness")?.map(\.value) ?? [node.start("smoothness", 8)]
    let overlap = min(max(overlaps.max() ?? 8, 3), 32)
    return moves ? Int(exactly: (node.rate * (40 + overlap) / 1000).rounded(.up)) ?? 0 : 0
  }

  static func draw(_ draw: inout CrossDraw) {
    var node: LawValue = ["id": "device", "unit": .text(unit)]
    let parameter = draw.random.pick(Array(parameters.prefix(3)))
    var set: LawValue = [:]
    for other in parameters where other.name != parameter.name && draw.random.chance(0.5) {
      set[other.name] = .number(draw.value(of: other))
    }
    node["set"] = set
    draw.fileCase(node, parameter, longest: 12_000, canReset: true)
  }
}

/// The library with the input that it gets in blocks, from a place on.
private struct Stream {
  private let signal: LawSignal
  private(set) var library: (any LawStretcher)?
  private(set) var origin = 0
  private var given = 0

  init(_ signal: LawSignal) { self.signal = signal }

  func input(_ channel: Int, _ index: Int) -> Double {
    index >= 0 && index < signal.frames ? signal.channels[channel][index] : 0
  }

  mutating func start(_ library: any LawStretcher, at place: Int, _ rate: Double, _ factor: Double) {
    (self.library, origin, given) = (library, place, place)
    library.set(tempo: Float(rate), pitch: Float(factor))
    guard factor < 1 else { return }
    let late = Double(library.filterLength) / 2 * (1 / factor - 1)
    for _ in 0..<(Int(exactly: late.rounded()) ?? 0) { _ = next() }
  }

  mutating func stop() { library = nil }

  /// The library's next frame.
  mutating func next() -> [Double] {
    guard let library else { return [] }
    while library.available < 1 {
      library.put((0..<128).flatMap { k in signal.channels.indices.map { Float(input($0, given + k)) } })
      given += 128
    }
    return library.take(1).map(Double.init)
  }
}
