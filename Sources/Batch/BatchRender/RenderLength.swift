import AudioCore
import AudioEngine
import RenderGraph

/// The length of a render. Each case gives an exact number of frames, for any slices.
public enum RenderLength: Hashable, Sendable {
  /// A number of frames of the output.
  case frames(Int64)
  /// A number of seconds, rounded to the nearest frame of the output.
  case seconds(Double)
  /// Until the longest source has ended; with `tail`, until what it set ringing has decayed by 120 dB as well, and the
  /// latency of the units has passed.
  case sources(tail: Bool)
  /// Until the output has stayed below a level (dBFS) for `holdSeconds` after the longest source has ended: the file
  /// then ends with the last frame that was not below it. At most `capSeconds` in all; nil: a minute beyond the
  /// sources.
  case untilSilent(thresholdDecibels: Double, holdSeconds: Double = 1, capSeconds: Double? = nil)

  /// The length if no other is set.
  public static let standard = RenderLength.sources(tail: true)
}

/// When sound ends at the output of a graph: frames on the output's clock.
public struct SoundEnd: Hashable, Sendable {
  /// The end of the longest source; nil where one never ends.
  public var sources: Int64?
  /// The longest way's latency.
  public var latencyFrames: Int64
  /// The longest way's ringing, to −120 dB.
  public var tailFrames: Int64
  /// The nodes that ring on behind the tail that they report, which is a minute at most.
  public var longTails: [String] = []
}

extension Graph {
  /// When the sound of a compiled graph ends, way by way: sources converted to the output's clock and speed, latencies
  /// and tails added up along each way. Under scripted hardware it ends with the scenario.
  public func soundEnd() throws(BenchError) -> SoundEnd {
    struct Reach {
      var end: Int64? = 0
      var latency: Int64 = 0
      var tail: Int64 = 0
    }
    // A change from a very low to a very high rate can turn few frames into more than Int64 can count: all lengths stay
    // so far below that sums of them are numbers. A sound that ends as late as that counts as endless.
    let most: Int64 = 1 << 60
    var reaches: [Int: Reach] = [:]
    let order = try renderOrder()
    for index in order {
      let unit = nodes[index].unit
      guard let format = try? unit.streamFormat(.output) else { continue }
      var reach = Reach()
      if unit.component.description.type == .generator { reach.end = (unit as? any SourceUnit)?.sourceFrames }
      for connection in inputs(of: index) {
        guard let source = reaches[connection.source],
          let rate = try? nodes[connection.source].unit.streamFormat(.output).sampleRate
        else { continue }
        func here(_ frames: Int64) -> Int64 {
          min(most, FrameCount.converted(frames, from: rate, to: format.sampleRate))
        }
        // If a unit plays at another speed, the tail at the end of the sources is played at the speed there.
        let end = source.end.map(here)
        let bus = connection.destinationBus
        func played(_ frames: Int64) -> Int64 {
          (unit as? any SpeedUnit)?.outputEnd(ofInputEnd: frames, input: bus) ?? frames
        }
        let present = played(end ?? 0)
        func behind(_ frames: Int64) -> Int64 { played((end ?? 0) + here(frames)) - present }
        reach.end = if let former = reach.end, end != nil { max(former, present) } else { nil }
        reach.latency = max(reach.latency, behind(source.latency))
        reach.tail = max(reach.tail, behind(source.tail))
      }
      reach.latency = min(most, reach.latency.clampedSum(Int64(unit.latencyFrames)))
      reach.tail = min(most, reach.tail.clampedSum(unit.tailFrames ?? 0))
      reaches[index] = reach
    }
    if let (_, scenario) = scriptedOutput {
      return SoundEnd(
        sources: scenario.seconds.flatMap { FrameCount.from(seconds: $0, sampleRate: scenario.device.sampleRate) },
        latencyFrames: 0, tailFrames: 0)
    }
    let head = reaches[try outputIndex()] ?? Reach()
    let end = head.end.flatMap { $0 < most ? $0 : nil }
    let longTails = order.filter { (nodes[$0].unit as? any LongTailUnit)?.tailIsCut ?? false }.map { nodes[$0].name }
    return SoundEnd(
      sources: end, latencyFrames: head.latency, tailFrames: head.tail, longTails: longTails)
  }
}
