import AudioCore
import GraphMeasurement
import LibraryReference
import Measurement
import UnitLaws

/// The output is that of the units' laws, computed in float64 without the engine, within the residual that the laws state.
///
/// ```json
/// {
///   "id": "law",
///   "device": { "unit": "lowPassFilter", "set": { "cutoffFrequency": 500 } },
///   "stimulus": { "type": "noise", "frames": 4800 },
///   "checks": [{ "check": "law", "slices": [1, 37] }]
/// }
/// ```
package struct LawCheck: SuiteCheck {
  package var id = "law"
  /// The largest difference, dB against full scale or the expected peak; nil: what the laws state.
  private let withinDecibels: Double?
  /// Lengths of the slices of a second render, one after another and again from the first; none: it is left out.
  private let slices: [Int]

  package static let kind = CheckKind(
    "law", "The output is that of the units' laws, computed in double precision without the engine.",
    keys: [withinKey, slicesKey])

  private static let withinKey = JSONKey(
    optional: "within", JSONForm<Double>.number(.upTo(-60), expected: "at most -60 dB"),
    "The largest difference, dB against full scale or the expected peak; what the laws state where it is missing.")
  private static let slicesKey = JSONKey(
    optional: "slices", JSONForm<[Int]>.integers(in: 1...(1 << 20)),
    "Lengths of slices of a second render, in turn, which is held to the same.")

  package init(_ object: inout JSONObject, _ reader: CheckReader) throws(BenchError) {
    withinDecibels = try object.take(Self.withinKey)
    slices = try object.take(Self.slicesKey) ?? []
  }

  package func run(_ context: CheckContext) throws(BenchError) -> CheckOutcome {
    guard let description = context.subject.description, description.isRendered else {
      throw BenchError(.suite, at: "check \"\(id)\"", "only units and graphs have laws")
    }
    let input = context.subject.stimulus == nil ? nil : try context.input()
    let trial = LawTrial(description, input: input, withinDecibels: withinDecibels)
    let output = try context.output()
    var judged = try trial.judgement(of: output)
    context.expected = judged.expected
    var renders = 1
    var usesSlices = false
    if judged.isGood, !slices.isEmpty {
      judged = try trial.judgement(of: trial.rendered(slices: slices))
      usesSlices = true
      renders = 2
    }
    var found = judged.found
    if !judged.isGood {
      let smallest = trial.smallest(slices: usesSlices ? slices : [])
      if usesSlices { found = "in slices of \(slices.map(\.description).joined(separator: ", ")): " + found }
      found += "; still with \(smallest.device.text), there \(smallest.found ?? "the same")"
    }
    return CheckOutcome(
      id, judged.isGood ? .passed : .failed, found: found, expected: judged.limit,
      readings: [Reading("lawResidual", "largest difference from the law", judged.decibels, .decibels)],
      firstFailure: judged.firstFailure
    ).examining(output, renders: renders)
  }
}

/// A device beside its law, rendered in several ways.
struct LawTrial {
  let description: DeviceDescription
  let input: AudioSignal?
  let withinDecibels: Double?

  init(_ description: DeviceDescription, input: AudioSignal?, withinDecibels: Double?) {
    (self.description, self.input, self.withinDecibels) = (description, input, withinDecibels)
  }

  struct Judgement {
    var expected: AudioSignal
    var isGood: Bool
    /// dB against full scale or the expected peak.
    var decibels: Double
    var found: String
    var limit: String
    var firstFailure: CheckOutcome.Place?
  }

  /// Renders in slices of these lengths, in turn; the usual way without any.
  func rendered(slices: [Int]) throws(BenchError) -> AudioSignal {
    let device = try description.make(playsItself: input == nil)
    let input =
      self.input ?? AudioSignal(sampleRate: device.preferredSampleRate ?? description.sampleRate, channels: [[]])
    guard var graph = device as? GraphDevice, !slices.isEmpty else { return try device.process(input) }
    graph.partition.sliceFrames = slices.max()
    if slices.count > 1 {
      // The render is cut where an edit is, also where that changes nothing.
      let end = Int64(clamping: input.frameCount) * 8 + (graph.extraFrames ?? graph.reportedTailFrames ?? 0)
      var frame: Int64 = 0
      var index = 0
      while frame < min(end, 100_000) {
        frame += Int64(slices[index % slices.count])
        index += 1
        graph.edits.append(.init(frame: frame))
      }
    }
    return try graph.process(input)
  }

  func judgement(of output: AudioSignal) throws(BenchError) -> Judgement {
    let (expected, residual) = try self.expected(beside: output)
    let peak = max(1, expected.channels.map { $0.map(abs).max() ?? 0 }.max() ?? 0)
    let within = withinDecibels ?? residual
    let largest = peak * Decibels.amplitude(within)
    var worst = 0.0
    var first: CheckOutcome.Place?
    var found = ""
    if expected.channelCount != output.channelCount || expected.frameCount != output.frameCount {
      worst = .infinity
      found =
        "\(NumberText.count(output.frameCount, "frame")) of \(NumberText.count(output.channelCount, "channel")), "
        + "where the law gives \(expected.frameCount) of \(expected.channelCount)"
    } else {
      for frame in 0..<expected.frameCount {
        for channel in 0..<expected.channelCount {
          let (wanted, sample) = (expected.channels[channel][frame], output.channels[channel][frame])
          let difference = abs(wanted - sample)
          if !(difference <= worst) { worst = difference.isNaN ? .infinity : difference }
          guard first == nil, !(difference <= largest) else { continue }
          let place = CheckOutcome.Place(
            frame: Int64(frame), seconds: Double(frame) / output.sampleRate, channel: channel)
          first = place
          found = "\(place): the law gives \(wanted), found \(sample)"
        }
      }
    }
    let decibels = Decibels.of(amplitude: worst / peak)
    let size = "largest difference \(ComparisonText.level(decibels, "dB"))"
    return Judgement(
      expected: expected, isGood: worst <= largest, decibels: decibels,
      found: found.isEmpty ? size : "\(found); \(size)",
      limit: "the law, within \(ComparisonText.limit(within, "dB")) of full scale or the peak", firstFailure: first)
  }

  private func expected(beside output: AudioSignal) throws(BenchError) -> (AudioSignal, residual: Double) {
    let folder = description.folder
    let surroundings = LawSurroundings(
      file: { path in
        (try? AudioSignal(contentsOf: FileName.path(path, in: folder))).map {
          LawSignal(rate: $0.sampleRate, channels: $0.channels)
        }
      },
      convert: { signal, quality, rate in
        guard let filter = LibraryConversion.Filter(rawValue: quality) else { return nil }
        let input = AudioSignal(sampleRate: signal.rate, channels: signal.channels)
        return (try? LibraryConversionDevice(filter, to: rate).process(input)).map {
          LawSignal(rate: $0.sampleRate, channels: $0.channels)
        }
      },
      stretcher: { rate, channels, sequence, seek, overlap in
        guard let stretch = LibraryStretch(rate: Int(clamping: rate.rounded()), channels: channels) else { return nil }
        if sequence > 0 { stretch[.sequenceMilliseconds] = sequence }
        if seek > 0 { stretch[.seekMilliseconds] = seek }
        stretch[.overlapMilliseconds] = overlap
        return stretch
      })
    // Edits do not change a length that was planned when the render began.
    let written = LawValue(description.written)
    var frames: Int? = input == nil && written["edits"] == nil ? nil : output.frameCount
    if let input, let tail = description.tailFrames {
      frames = input.frameCount(atRate: output.sampleRate) + Int(clamping: tail)
    }
    do {
      let graph = try LawGraph(device: written, rate: description.sampleRate)
      let signal = try graph.output(
        for: input.map { LawSignal(rate: $0.sampleRate, channels: $0.channels) }, frames: frames,
        rate: output.sampleRate, surroundings)
      return (AudioSignal(sampleRate: output.sampleRate, channels: signal.channels), graph.residual)
    } catch {
      throw BenchError(.suite, at: "check \"law\"", error.description)
    }
  }
}

extension LibraryStretch: LawStretcher {
  public var filterLength: Int { self[.filterLength] }
}
