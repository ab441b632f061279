// The path of one slice: work. How fast the spatial mixer plays an input. Runs on the render thread: no allocation, no
// lock.

import AudioCore
import AudioEngine
import DSPKernels
import Glibc
import Synchronization

/// The part in front of an input of the spatial mixer: a conversion if the formats differ, and the playback rate.
///
/// With r[n] the parameter, and d[n] the distance in metres where the flags have `dopplerShift`, c = 343 m/s:
///
///     v[n] = (d[n + 1] − d[n]) · sample rate                                how fast the source goes away, metres a second
///     p[n + 1] = p[n] + r[n] · clamp(c / (c + v[n]), 1/2, 2)                the place in the input
///
/// read as a ``Varispeed`` does. A distance that jumps shifts nothing: only what moves along a line does.
final class SpatialSpeedProcessor: Processor {
  /// The range of the playback rate.
  static let rates = 0.5...2.0
  /// The range of a moving source's shift: at 343 m/s away, and at 171.5 m/s nearer.
  static let shifts = 0.5...2.0

  /// The places of the two parameters among those of the mixer's node.
  struct Slots {
    var rate: Int
    var distance: Int
  }

  private let mixer: RenderParameters
  private let slots: Slots
  private let sampleRate: Double
  private let isShifted: Atomic<Bool>
  private let course: RateCourse?
  private let keepsTime: Bool
  private let reader: SpeedReader
  private let conversion: ConversionProcessor?
  private let converted: StreamBuffer?
  /// Nil: whatever comes next is the start.
  private var nextOutputTime: Int64?

  /// - Parameters:
  ///   - mixer: the values of the mixer's node: as long as it lives.
  ///   - conversion: to `format`, which is planar Float32.
  ///   - course: the way of both parameters together, where one of them has a timeline.
  ///   - keepsTime: true if the rate is 1, as far as is known.
  init(
    _ format: StreamFormat, mixer: RenderParameters, slots: Slots, isShifted: Bool,
    conversion: ConversionProcessor?, maximumFrames: Int, course: RateCourse?, keepsTime: Bool
  ) {
    self.mixer = mixer
    self.slots = slots
    sampleRate = format.sampleRate
    self.isShifted = Atomic(isShifted)
    self.course = course
    self.keepsTime = keepsTime
    self.conversion = conversion
    converted = conversion.map { _ in StreamBuffer(format: format, frameCapacity: maximumFrames) }
    reader = SpeedReader(channelCount: format.channelCount, maximumFrames: maximumFrames, keepsFilters: false)
  }

  static func byteCount(_ format: StreamFormat, maximumFrames: Int) -> Int {
    SpeedReader.byteCount(channelCount: format.channelCount, maximumFrames: maximumFrames, keepsFilters: false)
  }

  /// Sets whether a source that moves changes its pitch, from the next slice on. Any thread.
  func setShift(_ isOn: Bool) { isShifted.store(isOn, ordering: .relaxed) }

  override var pullsItsInputs: Bool { true }
  override var isSynchronous: Bool { keepsTime && conversion?.isSynchronous ?? true }
  override var staysWithReader: Bool { true }
  override var clippedSamples: Int64 { conversion?.clippedSamples ?? 0 }
  override var nonFiniteSamples: Int64 { conversion?.nonFiniteSamples ?? 0 }

  override func process(_ piece: RenderPiece) throws(AudioStatus) {
    if piece.sampleTime != nextOutputTime {
      let position = course?.position(at: piece.sampleTime)
      reader.restart(at: position ?? Double(piece.sampleTime) * segment(at: piece.sampleTime, limit: 1).rate(0))
    }
    if piece.frames == 0 {
      guard try input(of: piece, reader.inputTime, 0).count > 0 else { throw .noConnection }
      return
    }
    var done = 0
    while done < piece.frames {
      let segment = segment(at: piece.sampleTime + Int64(done), limit: piece.frames - done)
      try reader.read(
        segment.frames, into: piece.outputs[0].planes, from: piece.offset + done, isMoving: !segment.line.isConstant,
        rate: { segment.rate($0) },
        source: { (time, frames) throws(AudioStatus) in try input(of: piece, time, frames) })
      done += segment.frames
    }
    nextOutputTime = piece.sampleTime + Int64(piece.frames)
  }

  private func input(of piece: RenderPiece, _ time: Int64, _ frames: Int) throws(AudioStatus) -> BusBuffer {
    guard let conversion, let converted else { return try piece.pull(bus: 0, sampleTime: time, frames: frames) }
    try conversion.convert(piece, sampleTime: time, frames: frames, into: converted.bus)
    return converted.bus
  }

  /// Frames over which the rate runs in a straight line. Each is a function of its time alone, so that it does not
  /// matter where slices begin.
  private struct RateSegment {
    var start: Int64
    var frames: Int
    var line: RampSegment
    var shift: Double

    @inline(__always)
    func rate(_ frame: Int) -> Double {
      clamped(line.value(at: start + Int64(frame)), SpatialSpeedProcessor.rates) * shift
    }
  }

  private func segment(at time: Int64, limit: Int) -> RateSegment {
    let line = mixer.segment(of: slots.rate, at: time)
    var end = min(line.endFrame, time + Int64(limit))
    var shift = 1.0
    if isShifted.load(ordering: .relaxed) {
      let distance = mixer.segment(of: slots.distance, at: time)
      end = min(end, distance.endFrame)
      shift = Self.shift(metersPerFrame: distance.slope, sampleRate: sampleRate)
    }
    return RateSegment(start: time, frames: Int(end - time), line: line, shift: shift)
  }

  static func shift(metersPerFrame: Double, sampleRate: Double) -> Double {
    let speed = metersPerFrame * sampleRate
    return speed > -SpatialLaws.speedOfSound
      ? clamped(1 / (1 + speed / SpatialLaws.speedOfSound), shifts) : shifts.upperBound
  }

  override func demand(sampleTime: Int64, frames: Int) -> (sampleTime: Int64, frames: Int) {
    let own = reader.demand(frames)
    guard let conversion, !conversion.isSynchronous else { return own }
    return conversion.demand(sampleTime: own.sampleTime, frames: own.frames)
  }

  override func reset() {
    nextOutputTime = nil
    reader.reset()
    conversion?.reset()
  }
}

@inline(__always)
private func clamped(_ value: Double, _ range: ClosedRange<Double>) -> Double {
  min(range.upperBound, max(range.lowerBound, value))
}
