import AudioCore
import CKernels
import Dispatch
import Glibc
import Synchronization

/// Sums of squared, or crossed, spectra over the segments of a stream, on several threads.
///
/// The sum is the same whatever the threads and the blocks: sixteen segments, counted from the start of the stream, are
/// summed in order by one thread, and these groups are summed in order.
final class SegmentSum: SegmentConsumer {
  /// The summed quantity: the power of one channel, or everything between two.
  enum Row {
    case power(channel: Int)
    case cross(reference: Int, response: Int)
  }

  private static let groupLength = 16
  /// With fewer transforms than this, waking a thread takes longer than it saves.
  private static let threadedTransforms = 16

  let settings: SegmentSettings
  private let rows: [Row]
  private let cutter: SegmentCutter
  private let workers: [Worker]
  private let window: FlatMemory<Double>
  /// Doubles of one row: squares of real and imaginary parts in turn; crossed rows have those of both channels, then
  /// the products as real and imaginary parts.
  private let stride: Int
  /// Groups of a row that can be summed at once.
  private let slotCount: Int
  /// For each row the total of its closed groups, then its slots. A group has the slot of its number modulo their
  /// count.
  private let storage: FlatMemory<Double>

  /// Two transforms for one thread; a crossed row needs both at once.
  private final class Worker: @unchecked Sendable {
    let first: RealFFT
    let second: RealFFT?
    init(length: Int, isCrossed: Bool) {
      first = RealFFT(length: length)
      second = isCrossed ? RealFFT(length: length) : nil
    }
  }

  /// - Parameter threads: 1 or more; nil: as many as there are processors.
  init(channelCount: Int, rows: [Row], settings: SegmentSettings, threads: Int?) {
    self.settings = settings
    self.rows = rows
    cutter = SegmentCutter(channelCount: channelCount, settings: settings)
    let isCrossed = rows.contains { if case .cross = $0 { true } else { false } }
    let wanted = threads ?? sysconf(Int32(_SC_NPROCESSORS_ONLN))
    workers = (0..<max(1, min(wanted, 64))).map { _ in Worker(length: settings.segmentLength, isCrossed: isCrossed) }
    stride = settings.binCount * (isCrossed ? 6 : 2)
    slotCount = max(1, 16 * workers.count / rows.count)
    let doubles = rows.count * (slotCount + 1) * stride
    storage = FlatMemory(repeating: 0, count: doubles)
    window = FlatMemory(settings.window.samples(settings.segmentLength))
  }

  var segmentCount: Int { cutter.segmentCount }

  func add<Sample: StreamSample>(_ planes: Planes<Sample>, frames: Int) {
    cutter.add(planes, frames: frames, to: self)
  }

  /// The sum of a row over all segments so far.
  func total(row: Int) -> [Double] {
    var sum = Array(total(of: row).prefix(stride).elements)
    let open = slot(of: row, group: segmentCount / Self.groupLength)
    for index in sum.indices { sum[index] += open[index] }
    return sum
  }

  private func total(of row: Int) -> Plane<Double> { storage.all + row * (slotCount + 1) * stride }
  private func slot(of row: Int, group: Int) -> Plane<Double> {
    total(of: row) + (1 + group % slotCount) * stride
  }

  func consume<Sample: StreamSample>(
    _ planes: Planes<Sample>, offset: Int, count: Int, first: Int
  ) {
    let length = Self.groupLength
    var next = first
    while next < first + count {
      let group = next / length
      let end = min(first + count, (group + slotCount) * length)
      let groups = (end - 1) / length - group + 1
      let start = next
      perform(tasks: rows.count * groups, transforms: rows.count * (end - start)) { task, worker in
        let (row, taskGroup) = (task % rows.count, group + task / rows.count)
        let sum = slot(of: row, group: taskGroup)
        for segment in max(start, taskGroup * length)..<min(end, (taskGroup + 1) * length) {
          add(row, planes, at: offset + (segment - first) * settings.hopFrames, to: sum, with: worker)
        }
      }
      for closed in group..<end / length { for row in rows.indices { close(row, closed) } }
      next = end
    }
  }

  /// Adds a whole group to its row's total.
  private func close(_ row: Int, _ group: Int) {
    let (sum, part) = (total(of: row), slot(of: row, group: group))
    for index in 0..<stride { sum[index] += part[index] }
    part.update(repeating: 0, count: stride)
  }

  /// Runs each task once, on more threads the more work there is.
  private func perform(tasks: Int, transforms: Int, _ body: (Int, Worker) -> Void) {
    guard workers.count > 1, tasks > 1, transforms >= Self.threadedTransforms else {
      for task in 0..<tasks { body(task, workers[0]) }
      return
    }
    let next = Atomic(0)
    // Tasks write to slots of their own, and the call returns when all are done.
    withoutActuallyEscaping(body) { body in
      nonisolated(unsafe) let body = body
      let workers = workers
      DispatchQueue.concurrentPerform(iterations: min(workers.count, tasks)) { index in
        while true {
          let task = next.wrappingAdd(1, ordering: .relaxed).oldValue
          if task >= tasks { return }
          body(task, workers[index])
        }
      }
    }
  }

  private func add<Sample: StreamSample>(
    _ row: Int, _ planes: Planes<Sample>, at frame: Int,
    to sum: Plane<Double>, with worker: Worker
  ) {
    let count = 2 * settings.binCount
    switch rows[row] {
    case .power(let channel):
      worker.first.forward(planes[channel] + frame, window: window.all)
      addSquares(of: worker.first, to: sum, count)
    case .cross(let reference, let response):
      guard let second = worker.second else { return }
      worker.first.forward(planes[reference] + frame, window: window.all)
      second.forward(planes[response] + frame, window: window.all)
      addSquares(of: worker.first, to: sum, count)
      addSquares(of: second, to: sum + count, count)
      let (x, y) = (worker.first.bins, second.bins)
      let cross = sum + 2 * count
      for bin in 0..<x.count {
        cross[2 * bin] += x[bin].real * y[bin].real + x[bin].imaginary * y[bin].imaginary
        cross[2 * bin + 1] += x[bin].real * y[bin].imaginary - x[bin].imaginary * y[bin].real
      }
    }
  }

  /// Squares of real and imaginary parts apart: so vectors need no shuffles.
  private func addSquares(of fft: RealFFT, to sum: Plane<Double>, _ count: Int) {
    guard let bins = fft.bins.baseAddress else { return }
    bins.withMemoryRebound(to: Double.self, capacity: count) { parts in
      segments_add_squares(parts, sum.start(of: count), count)
    }
  }
}
