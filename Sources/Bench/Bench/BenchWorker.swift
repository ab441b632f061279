import AudioCore
import BatchRender
import CRealtime
import FoundationEssentials
import Glibc

/// A process that renders one graph for a bench: on its first line of standard input it gets a ``BenchSubject``, then a
/// ``BenchRequest`` on each; it answers by a ``BenchAnswer`` on each line of descriptor 3.
package enum BenchWorker {
  package static let word = "bench-worker"
  /// With a number of slices behind it: a process that renders so many of its subject, and ends.
  package static let countWord = "bench-count"
  /// A process whose render calls are watched: on its second line it gets a ``WatchOrder``, and answers by a
  /// ``WatchReport``.
  package static let watchWord = "bench-watch"

  /// Renders some slices of the subject on standard input: for whoever counts what that takes.
  /// - Throws: the error of the subject.
  package static func render(slices: Int, options: GraphFile.Options) throws(BenchError) {
    guard let first = readLine(strippingNewline: true),
      let subject = JSONMessage.value(BenchSubject.self, from: Data(first.utf8))
    else { throw BenchError(.usage, "there is no subject") }
    try BenchRender(subject, options: options).render(slices: slices)
  }

  /// Renders the subject on standard input as the order behind it says, and answers what its calls did.
  package static func watch(options: GraphFile.Options) {
    guard let lines = readLine(strippingNewline: true).flatMap({ first in readLine().map { (first, $0) } }),
      let subject = JSONMessage.value(BenchSubject.self, from: Data(lines.0.utf8)),
      let order = JSONMessage.value(WatchOrder.self, from: Data(lines.1.utf8))
    else { return }
    do { answer(.watched(try WatchedRender(subject, order, options: options).report())) } catch {
      answer(.failure(error))
    }
  }

  /// Serves requests until standard input ends.
  package static func serve(options: GraphFile.Options) {
    guard let first = readLine(strippingNewline: true),
      let subject = JSONMessage.value(BenchSubject.self, from: Data(first.utf8))
    else { return }
    if let processor = subject.processor, subject.threads == 1 { realtime_run_on(Int32(clamping: processor)) }
    do {
      let render = try BenchRender(subject, options: options)
      answer(.ready(render.facts))
      while let line = readLine(strippingNewline: true) {
        guard let request = JSONMessage.value(BenchRequest.self, from: Data(line.utf8)) else { return }
        switch request {
        case .block(let slices, let metersNodes):
          answer(.block(try render.block(slices: slices, metersNodes: metersNodes)))
        case .sound(let frames, let path): answer(.sound(channels: try render.sound(frames: frames, to: path)))
        }
      }
    } catch {
      answer(.failure(error))
    }
  }

  private static func answer(_ answer: BenchAnswer) {
    _ = writeAll(Array(JSONMessage.data(answer)) + [UInt8(ascii: "\n")], to: 3)
  }
}
