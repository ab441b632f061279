// The path of one slice: work. The processor of the time pitch units. Runs on the render thread: only the library
// allocates, see `TimeStretcher`. The library gets blocks at fixed places of the input, and new values at fixed output
// frames, so that the bits cannot depend on slices.

import AudioCore
import AudioEngine
import Glibc
import TimeStretch

final class TimePitchProcessor: RateProcessor {
  /// Parameters are taken over at absolute output frames divisible by this.
  private static let cellFrames: Int64 = 64
  /// Input frames that the library is given at once.
  private static let blockFrames: Int64 = 128
  /// Input frames for one output after which the library must have given it.
  private static let mostAheadFrames: Int64 = 1 << 24

  private let channelCount: Int
  private let fadeFrames: Int
  private let mixStep: Float
  private let keptFrames: Int64
  private let slots: TimePitchUnit.Slots
  private let course: RateCourse?
  private let stretcher: TimeStretcher
  private let window: InputWindow

  /// The input as it is under the crossfade into the library's output, and how far that has come.
  private let fadeFrom: PlanarBuffer
  private var fadePosition = 0
  /// Nil: whatever comes next is the start.
  private var nextOutputTime: Int64?
  private var isStretching = false
  /// The input frame that the library gets next.
  private var fedEnd: Int64 = 0
  /// The place in the input at the beginning of the cell, how far it goes on for each frame, and how many there have
  /// been.
  private var cellPlace: Int64 = 0
  private var cellFraction = 0.0
  private var rate = 1.0
  private var framesOfCell = 0
  /// The present mix of the effect.
  private var mix: Float = 1

  init(
    _ format: StreamFormat, _ stretcher: TimeStretcher, maximumFrames: Int, isBypassed: Bool,
    slots: TimePitchUnit.Slots, course: RateCourse?
  ) {
    channelCount = format.channelCount
    fadeFrames = max(1, Int(clamping: (0.01 * format.sampleRate).rounded()))
    mixStep = 1 / Float(fadeFrames)
    keptFrames = Int64(clamping: format.sampleRate.rounded(.up))
    self.slots = slots
    self.course = course
    self.stretcher = stretcher
    window = InputWindow(Self.windowExtent(format, maximumFrames: maximumFrames))
    fadeFrom = PlanarBuffer(channelCount: format.channelCount, frameCapacity: fadeFrames)
    fadePosition = fadeFrames
    super.init(isBypassed: isBypassed)
  }

  /// A second of what was read, and the block to come.
  static func windowExtent(_ format: StreamFormat, maximumFrames: Int) -> InputWindow.Extent {
    InputWindow.Extent(
      channelCount: format.channelCount, frames: Int(clamping: format.sampleRate.rounded(.up)) + Int(blockFrames) + 64,
      longestPull: maximumFrames)
  }

  override func process(_ piece: RenderPiece) throws(AudioStatus) {
    if piece.sampleTime != nextOutputTime { begin(piece) }
    if piece.frames == 0 {
      // Whatever stands behind refuses no frames as it does some.
      let input = try piece.pull(bus: 0, sampleTime: window.end, frames: 0)
      guard input.count > 0 else { throw .noConnection }
      return
    }
    var done = 0
    while done < piece.frames {
      let time = piece.sampleTime + Int64(done)
      let ofCell = Int(Self.cellFrames - (time & (Self.cellFrames - 1)))
      let isFirst = nextOutputTime == nil
      if isFirst || ofCell == Int(Self.cellFrames) { try takeParameters(of: piece, at: done, isFirst: isFirst) }
      let count = min(piece.frames - done, ofCell)
      if isStretching { try stretch(piece, done, count) } else { try pass(piece, done, count) }
      framesOfCell += count
      done += count
      nextOutputTime = time + Int64(count)
    }
  }

  // MARK: Output

  private func value(_ piece: RenderPiece, _ slot: Int, at frame: Int) -> Double {
    CellRamp(piece) { $0(slot) }.exactValue(at: frame)
  }

  /// The place in the input that the next output frame belongs to: the frame at or before it, and how far behind that
  /// it lies.
  private var present: (place: Int64, fraction: Double) {
    let moved = cellFraction + rate * Double(framesOfCell)
    let whole = moved.rounded(.down)
    return (cellPlace + Int64(clamping: whole), moved - whole)
  }

  var presentPlace: (frame: Double, rate: Double) {
    let (place, fraction) = present
    return (Double(place) + fraction, rate)
  }

  private func beginCell() {
    (cellPlace, cellFraction) = present
    framesOfCell = 0
  }

  /// Takes over rate and pitch, and starts the library where either is another than the input's own.
  private func takeParameters(of piece: RenderPiece, at frame: Int, isFirst: Bool) throws(AudioStatus) {
    beginCell()
    guard !isBypassed else { return }
    let rates = TimePitchUnit.allRates
    let wantedRate = min(rates.upperBound, max(rates.lowerBound, value(piece, 0, at: frame)))
    let pitch = exp2(min(2400, max(-2400, value(piece, 1, at: frame))) / 1200)
    rate = wantedRate
    if isStretching { return stretcher.set(tempo: Float(rate), pitch: Float(pitch)) }
    guard rate != 1 || pitch != 1 else { return }
    let parameters = piece.parameters
    let overlap = slots.smoothness.map { Int(clamping: min(32, max(3, parameters[$0])).rounded()) } ?? 8
    let isShort = slots.preservesTransients.map { parameters[$0] != 0 } ?? false
    stretcher.restart(
      tempo: Float(rate), pitch: Float(pitch), lengths: isShort ? .short(overlap: overlap) : .init(overlap: overlap))
    isStretching = true
    fedEnd = cellPlace
    mix = wantedMix(piece, frame)
    fadePosition = fadeFrames
    guard !isFirst else { return }
    try window.pull(piece, before: cellPlace + Int64(fadeFrames), keepingFrom: cellPlace)
    for channel in 0..<channelCount {
      fadeFrom.planes[channel].update(
        from: window.buffer.planes[channel] + window.place(of: cellPlace), count: fadeFrames)
    }
    fadePosition = 0
  }

  private func wantedMix(_ piece: RenderPiece, _ frame: Int) -> Float {
    guard let slot = slots.blend, rate == 1 else { return 1 }
    return Float(min(1, max(0, value(piece, slot, at: frame) / 100)))
  }

  // MARK: Frames

  /// The input frames as they are.
  private func pass(_ piece: RenderPiece, _ offset: Int, _ count: Int) throws(AudioStatus) {
    let place = present.place
    try window.pull(piece, before: place + Int64(count), keepingFrom: place)
    let from = window.place(of: place)
    for channel in 0..<channelCount {
      (piece.output(channel) + offset).update(from: window.buffer.planes[channel] + from, count: count)
    }
  }

  private func stretch(_ piece: RenderPiece, _ offset: Int, _ count: Int) throws(AudioStatus) {
    let output = piece.outputs[0].planes
    let first = piece.offset + offset
    var made = stretcher.take(into: output, offset: first, frames: count)
    let limit = fedEnd + Self.mostAheadFrames
    while made < count {
      guard fedEnd < limit else { throw .cannotDoInCurrentContext }
      try feed(piece)
      made += stretcher.take(into: output, offset: first + made, frames: count - made)
    }
    if fadePosition < fadeFrames { fade(piece, first, count) }
    if slots.blend != nil { try blend(piece, offset, count) }
  }

  private func feed(_ piece: RenderPiece) throws(AudioStatus) {
    let end = fedEnd + Self.blockFrames
    try window.pull(piece, before: end, keepingFrom: min(fedEnd, max(present.place, window.end - keptFrames)))
    stretcher.put(window.buffer.planes, offset: window.place(of: fedEnd), frames: Int(Self.blockFrames))
    fedEnd = end
  }

  /// From the input as it is, at its own speed, to the library's output.
  private func fade(_ piece: RenderPiece, _ first: Int, _ count: Int) {
    let frames = min(count, fadeFrames - fadePosition)
    for channel in 0..<channelCount {
      let (dry, wet) = (fadeFrom.planes[channel] + fadePosition, piece.outputs[0].planes[channel] + first)
      for frame in 0..<frames {
        let weight = Float(fadePosition + frame + 1) * mixStep
        wet[frame] = dry[frame] + (wet[frame] - dry[frame]) * weight
      }
    }
    fadePosition += frames
  }

  /// Mixes with the input. The new mix is reached in a straight line of 10 ms for the whole way, so that a rate beside
  /// 1 does not cut off the input.
  private func blend(_ piece: RenderPiece, _ offset: Int, _ count: Int) throws(AudioStatus) {
    guard let slot = slots.blend else { return }
    let wanted = CellRamp(piece) { min(1, max(0, $0(slot) / 100)) }
    let isWhole = rate != 1 || (!wanted.isMoving && wanted.value(at: offset) >= 1)
    if mix >= 1 && isWhole { return }
    let output = piece.outputs[0].planes
    // A frame's place depends on nothing but its own time.
    let (base, speed, first) = (cellPlace, rate, Double(framesOfCell))
    let fraction = cellFraction
    func place(_ frame: Int) -> Int64 {
      base + Int64(clamping: (fraction + speed * (first + Double(frame))).rounded(.down))
    }
    try window.pull(
      piece, before: place(count - 1) + 1, keepingFrom: min(fedEnd, max(place(0), window.end - keptFrames)))
    let oldest = window.end - keptFrames
    for frame in 0..<count {
      let goal = rate == 1 ? wanted.value(at: offset + frame) : 1
      mix += min(mixStep, max(-mixStep, goal - mix))
      guard mix < 1 else { continue }
      for channel in 0..<channelCount {
        let at = place(frame)
        let dry = at >= oldest ? window.buffer.planes[channel][window.place(of: at)] : 0
        let wet = output[channel] + piece.offset + offset + frame
        wet[0] = mix > 0 ? dry + (wet[0] - dry) * mix : dry
      }
    }
  }

  // MARK: Time

  /// A jump in time, or the start.
  private func begin(_ piece: RenderPiece) {
    let rates = TimePitchUnit.allRates
    let present = isBypassed ? 1 : min(rates.upperBound, max(rates.lowerBound, value(piece, 0, at: 0)))
    let position =
      !isBypassed
      ? course?.position(at: piece.sampleTime) ?? Double(piece.sampleTime) * present : Double(piece.sampleTime)
    // The source has no frames beyond this.
    let most = Double(1 << 61 as Int64)
    (cellPlace, cellFraction) = (Int64(clamping: min(most, max(-most, position)).rounded(.down)), 0)
    (framesOfCell, rate) = (0, 1)
    window.restart(at: cellPlace, silence: 0)
    isStretching = false
    nextOutputTime = nil
  }

  override func demand(sampleTime: Int64, frames: Int) -> (sampleTime: Int64, frames: Int) {
    (window.end, Int(clamping: (Double(frames) * rate).rounded(.up)) + Int(Self.blockFrames))
  }

  /// Back to the input as it is, at the place that was reached: what the library holds is forgotten.
  override func beginBypass() {
    guard isStretching else { return }
    beginCell()
    if cellFraction >= 0.5 { cellPlace += 1 }
    cellPlace = max(cellPlace, window.end - keptFrames)
    (cellFraction, rate) = (0, 1)
    isStretching = false
  }

  override func reset() { nextOutputTime = nil }
}
