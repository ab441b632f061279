// libsoxr behind a small type: the only file that says `soxr_`. Runs inside RateConverter.push, on the caller's thread;
// allocates at init and reset only. Each channel has its own state inside libsoxr, so channels cannot change one
// another's bits. libsoxr itself chooses AVX or scalar arithmetic by the machine (and by its SOXR_ environment
// variables): of 56 million samples 3 then differed by the last bit of Float32. All machines with AVX give the same
// bits.

import AudioCore
import CSoxr

final class SoxrEngine: LibraryEngine {
  let blockFrames: Int
  private(set) var lookAheadFrames = 0
  private var state: OpaquePointer
  private let inputRate: Double
  private let outputRate: Double
  private let minimumPhase: Bool
  private let channelCount: Int
  private let input: PlanarBuffer
  /// Output frames that belong to the silence before frame 0 and are still to come.
  private var leadFrames = 0

  init(from inputRate: Double, to outputRate: Double, channelCount: Int, minimumPhase: Bool) throws(BenchError) {
    self.inputRate = inputRate
    self.outputRate = outputRate
    self.minimumPhase = minimumPhase
    self.channelCount = channelCount
    blockFrames = conversionBlockFrames(ratio: outputRate / inputRate)
    input = PlanarBuffer(channelCount: channelCount, frameCapacity: blockFrames)
    state = try Self.newState(
      from: inputRate, to: outputRate, channelCount: channelCount, minimumPhase: minimumPhase)
    warmUp()
  }

  deinit { soxr_delete(state) }

  func store(_ planes: FloatPlanes?, offset: Int, frames: Int, at start: Int) {
    precondition(start >= 0 && frames >= 0 && start + frames <= blockFrames)
    for channel in 0..<channelCount {
      (input.planes[channel] + start).take(planes?[channel], offset: offset, frames: frames)
    }
  }

  func convertBlock(into queue: inout OutputQueue) {
    let room = queue.makeRoom()
    let made = process(input.planes, frames: blockFrames, into: queue.tail, room: room)
    precondition(made < room, "libsoxr made more than there is room for")
    queue.append(made)
    let dropped = min(made, leadFrames)
    queue.drop(dropped)
    leadFrames -= dropped
  }

  /// A new state, warmed up as at init: libsoxr's own clear frees and allocates its stages as well.
  func reset() {
    guard
      let fresh = try? Self.newState(
        from: inputRate, to: outputRate, channelCount: channelCount, minimumPhase: minimumPhase)
    else { preconditionFailure("libsoxr could not be made again: out of memory") }
    soxr_delete(state)
    state = fresh
    warmUp()
  }

  private static func newState(
    from inputRate: Double, to outputRate: Double, channelCount: Int, minimumPhase: Bool
  ) throws(BenchError) -> OpaquePointer {
    var format = soxr_io_spec(SOXR_FLOAT32_S, SOXR_FLOAT32_S)
    // The exact clock keeps fractional ratios from drifting over hours.
    let recipe = UInt(SOXR_VHQ) | UInt(minimumPhase ? SOXR_MINIMUM_PHASE : SOXR_LINEAR_PHASE)
    var quality = soxr_quality_spec(recipe, UInt(SOXR_HI_PREC_CLOCK))
    var runtime = soxr_runtime_spec(1)
    var problem: soxr_error_t?
    guard
      let state = soxr_create(
        inputRate, outputRate, UInt32(channelCount), &problem, &format, &quality, &runtime)
    else {
      throw BenchError(
        .render, at: "rate conversion",
        "libsoxr, \(inputRate) Hz to \(outputRate) Hz: " + (problem.map { String(cString: $0) } ?? "no state"))
    }
    return state
  }

  private func process(
    _ source: FloatPlanes, frames: Int, into planes: FloatPlanes, room: Int
  ) -> Int {
    var made = 0
    let problem = soxr_process(
      state, source.starts(of: channelCount, frames: frames), frames, nil,
      planes.starts(of: channelCount, frames: room), room, &made)
    precondition(problem == nil, "libsoxr refused a block it was made for")
    return made
  }

  /// Lets silence in before frame 0, until libsoxr's buffers have grown to the size they keep, and bounds by it how far
  /// libsoxr looks ahead. The silence is as long as a whole number of output frames, which are dropped, so frame 0
  /// stays where it was: before the start the input is silence anyway.
  ///
  /// libsoxr works in bursts, one DFT each. Two bursting stages need not have met their worst moments together while
  /// this looked on, so one largest burst is added to the most that was held back. Some blocks of three bursts then
  /// make its buffers larger than blocks of the usual size ever need.
  private func warmUp() {
    let step = inputRate / outputRate
    let scratchFrames = Int(clamping: 8192 / step) + 16384
    let scratch = SharedPlane(channelCount: channelCount, frames: scratchFrames)
    let block = SharedPlane(channelCount: channelCount, frames: blockFrames)
    var (fed, made, bursts, lastBurst, gap) = (0, 0, 0, 0, 0)
    var hold = 0.0
    while bursts <= 10 || fed < 10 * gap || fed < 10240 {
      fed += blockFrames
      let fresh = process(block.planes, frames: blockFrames, into: scratch.planes, room: scratchFrames)
      made += fresh
      hold = max(hold, Double(fed) - Double(made) * step)
      guard fresh > 0 else { continue }
      if bursts > 0 { gap = max(gap, fed - lastBurst) }
      bursts += 1
      lastBurst = fed
    }
    lookAheadFrames = Int(clamping: (hold + Double(gap)).rounded(.up)) + 2

    let period = wholePeriod(ratio: outputRate / inputRate)
    let large = SharedPlane(channelCount: channelCount, frames: 3 * gap)
    let end = (fed + 12 * gap + period.input - 1) / period.input * period.input
    while fed < end {
      let frames = min(3 * gap, end - fed)
      fed += frames
      made += process(large.planes, frames: frames, into: scratch.planes, room: scratchFrames)
    }
    leadFrames = end / period.input * period.output - made
    precondition(leadFrames >= 0, "libsoxr made more than the rates say")
  }
}

/// One plane of zeros that is used for every channel: silence to read, or a place for output that is not used.
private struct SharedPlane: ~Copyable {
  let planes: FloatPlanes
  private let memory: PlanarBuffer
  private let addresses: PlaneAddresses<Float>

  init(channelCount: Int, frames: Int) {
    memory = PlanarBuffer(channelCount: 1, frameCapacity: frames)
    addresses = PlaneAddresses(channelCount: channelCount)
    planes = addresses.planes(Array(repeating: memory[0], count: channelCount))
  }
}

/// Input and output frames of one duration: the continued fraction of `ratio`, stopped where it is exact or an input of
/// more than 65,536 frames would be needed (off by less than 1/65,536 of an output frame then).
func wholePeriod(ratio: Double) -> (input: Int, output: Int) {
  var (outputs, inputs) = ((1, Int(clamping: ratio)), (0, 1))
  var rest = ratio - ratio.rounded(.down)
  while abs(Double(inputs.1) * ratio - Double(outputs.1)) > 1e-9, rest > 1e-12 {
    let whole = (1 / rest).rounded(.down)
    rest = 1 / rest - whole
    let next = whole * Double(inputs.1) + Double(inputs.0)
    guard next <= 65536 else { break }
    outputs = (outputs.1, Int(clamping: whole) * outputs.1 + outputs.0)
    inputs = (inputs.1, Int(clamping: next))
  }
  return (inputs.1, outputs.1)
}
