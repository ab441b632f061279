import AudioCore
import Foundation
import GraphMeasurement
import Measurement
import Testing
import Verification

// The checks of suite files as expectations. Each renders the device anew, from rest; whatever is checked, the samples
// must be finite and not subnormal. A check that fails is an issue at the caller's line; the outcome is returned too.

// MARK: The sound

/// Expects the output to be the one that was kept.
///
/// - Parameters:
///   - subject: the device under test.
///   - golden: the kept output, by its name.
///   - comparator: the tolerance: `.exact`, `.ulps(4)`, `.residual(peak: -120)`.
///   - stimulus: the input. Nil: a graph with files of its own plays these; anything else gets half a second of
///     noise. A golden made with another stimulus is out of date.
///   - sourceLocation: the place that a failure names.
@discardableResult
public func expect(
  _ subject: some DeviceConvertible, matches golden: Golden, within comparator: some SignalComparator = .exact,
  given stimulus: StimulusDescription? = nil, sourceLocation: SourceLocation = #_sourceLocation
) -> CaseOutcome {
  rendered(subject, "matches \(golden.name)", golden: golden, given: stimulus, sourceLocation) { _ in
    [GoldenCheck(within: [comparator], bits: golden.bits)]
  }
}

/// Expects a signal to be the one that was kept.
@discardableResult
public func expect(
  _ signal: AudioSignal, matches golden: Golden, within comparator: some SignalComparator = .exact,
  sourceLocation: SourceLocation = #_sourceLocation
) -> CaseOutcome {
  rendered(
    fixed(signal), "matches \(golden.name)", golden: golden, given: .silence(), signalRate: signal.sampleRate,
    sourceLocation
  ) { _ in
    [GoldenCheck(within: [comparator], bits: golden.bits)]
  }
}

/// Expects two signals to be the same within a limit. Another length, rate or number of channels, and whatever is no
/// finite number, always fails.
@discardableResult
public func expect(
  _ signal: AudioSignal, equals expected: AudioSignal, _ comparator: some SignalComparator = .exact,
  sourceLocation: SourceLocation = #_sourceLocation
) -> CaseOutcome {
  rendered(fixed(signal), comparator.id, given: .silence(), signalRate: signal.sampleRate, sourceLocation) { _ in
    [SameAsCheck(.signal(expected), within: [comparator])]
  }
}

/// Expects two devices to give the same for the same stimulus within a limit.
@discardableResult
public func expect(
  _ subject: some DeviceConvertible, equals other: some DeviceConvertible,
  _ comparator: some SignalComparator = .exact, given stimulus: StimulusDescription? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) -> CaseOutcome {
  rendered(subject, comparator.id, given: stimulus, sourceLocation) { (device) throws(BenchError) in
    try requireOther(subject, other)
    let playsItself = stimulus == nil && other.playsFiles
    return [SameAsCheck(.device(try other.device(playsItself: playsItself)), within: [comparator])]
  }
}

/// Expects what a check of suites says: `expect(filter, check: "length", ["frames": 512])`.
///
/// - Parameters:
///   - subject: the device under test.
///   - check: its name in suites; a failure for an unknown one lists those that there are.
///   - keys: the other keys of the check in a suite: texts, numbers, flags, lists and objects. Names of files are
///     relative to the test's own.
///   - golden: the golden for `golden`, and for `response` against a golden: they fail without it.
///   - stimulus: the input; nil: as for a golden.
///   - sourceLocation: the place that a failure names.
@discardableResult
public func expect(
  _ subject: some DeviceConvertible, check: String, _ keys: [String: Any] = [:], golden: Golden? = nil,
  given stimulus: StimulusDescription? = nil, sourceLocation: SourceLocation = #_sourceLocation
) -> CaseOutcome {
  rendered(
    Attempt(subject: subject), check, golden: golden, given: stimulus, sourceLocation
  ) { (device) throws(BenchError) in
    var written = keys
    written["check"] = check
    let place = "check \"\(check)\""
    guard JSONSerialization.isValidJSONObject(written), let data = try? JSONSerialization.data(withJSONObject: written)
    else { throw BenchError(.usage, at: place, "its keys are not what JSON can hold") }
    let folder = URL(filePath: sourceLocation.filePath).deletingLastPathComponent().path + "/"
    let object = try JSONObject(JSONValue.document(data, kind: .usage), at: place, folder: folder, kind: .usage)
    return [try CheckReader(sampleRate: device.preferredSampleRate ?? Expectation.sampleRate).check(object)]
  }
}

// MARK: What is measured

/// Expects a measured response: `expect(filter, response: .within(0.01, of: { hertz in 0 }), to: 20_000)`.
///
/// - Parameters:
///   - subject: the device under test.
///   - response: the expected course and its tolerance.
///   - curve: magnitude, phase or group delay.
///   - from: hertz.
///   - to: hertz; nil: 0.45 times the rate.
///   - channel: nil: every one.
///   - routes: the outputs that are expected, and the inputs that are heard in each; nil: each input in the output with
///     its number.
///   - sourceLocation: the place that a failure names.
@discardableResult
public func expect(
  _ subject: some DeviceConvertible, response: Response, of curve: ResponseCurve = .magnitude, from: Double = 20,
  to: Double? = nil, channel: Int? = nil, routes: ExpectedRoutes? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) -> CaseOutcome {
  var expectation = Expectation(location: sourceLocation, name: curve.rawValue, isOfSound: false, routes: routes)
  let reference: ResponseCheck.Reference
  switch response.reference {
  case .function(let answer): reference = .function(answer)
  case .device(let device): reference = .device(device)
  case .zero: reference = .nothing
  case .golden(let golden):
    reference = .golden
    // A curve's golden keeps no stimulus: it is not the record of a sound of the same name.
    expectation.golden = golden
    expectation.golden?.name += ".response"
  }
  return expectation.run(subject, playsItself: false) { (device) throws(BenchError) in
    let top = to ?? 0.45 * (device.preferredSampleRate ?? Expectation.sampleRate)
    return [
      ResponseCheck(
        curve.rawValue, against: reference, within: try response.mask(from: from, to: top), channel: channel)
    ]
  }
}

/// Expects a measured number within limits: `expect(gain, reading: "latency", of: .linear, atMost: 0)`.
///
/// - Parameters:
///   - subject: the device under test.
///   - reading: the reading's id; a failure for an unknown one lists those that there are.
///   - measurement: which measurement.
///   - least: in the reading's unit; nil: any.
///   - most: in the reading's unit; nil: any.
///   - channel: nil: each must hold.
///   - at: which, where several readings share an id: `["frequency": 997]`.
///   - routes: the outputs that are expected, and the inputs that are heard in each; nil: each input in the output with
///     its number.
///   - sourceLocation: the place that a failure names.
@discardableResult
public func expect(
  _ subject: some DeviceConvertible, reading: String, of measurement: MeasurementKind, atLeast least: Double? = nil,
  atMost most: Double? = nil, channel: Int? = nil, at: [String: Double] = [:], routes: ExpectedRoutes? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) -> CaseOutcome {
  expectReading(
    subject, reading, of: measurement, ValueLimits(least: least, most: most), channel: channel, at: at, routes: routes,
    sourceLocation)
}

private func expectReading(
  _ subject: some DeviceConvertible, _ reading: String, of measurement: MeasurementKind, _ limits: ValueLimits,
  channel: Int?, at: [String: Double], routes: ExpectedRoutes?, _ sourceLocation: SourceLocation
) -> CaseOutcome {
  Expectation(location: sourceLocation, name: reading, isOfSound: false, routes: routes)
    .run(subject, playsItself: false) { (device) throws(BenchError) in
      guard limits.least != nil || limits.most != nil else {
        throw BenchError(.usage, at: "reading \"\(reading)\"", "no limit is given", advice: "write atLeast or atMost")
      }
      return [MeasureCheck(reading, of: measurement, channel: channel, at: at, limits)]
    }
}

/// Expects a measured number near a value.
/// - Parameters:
///   - subject: the device under test.
///   - reading: the reading's id.
///   - measurement: which measurement.
///   - value: in the reading's unit.
///   - tolerance: either way, in the reading's unit.
///   - channel: nil: each must hold.
///   - at: which, where several readings share an id.
///   - routes: as for limits.
///   - sourceLocation: the place that a failure names.
@discardableResult
public func expect(
  _ subject: some DeviceConvertible, reading: String, of measurement: MeasurementKind, equals value: Double,
  within tolerance: Double, channel: Int? = nil, at: [String: Double] = [:], routes: ExpectedRoutes? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) -> CaseOutcome {
  expectReading(
    subject, reading, of: measurement,
    ValueLimits(least: value - tolerance, most: value + tolerance, isAround: true), channel: channel, at: at,
    routes: routes, sourceLocation)
}

// MARK: What must not be heard

/// Expects the same bits however the render is partitioned: slices of these sizes, on so many threads.
///
/// For graphs, units, and devices that can render in other slices, such as `SlicedDevice`; for others it fails.
@discardableResult
public func expectSliceInvariance(
  of subject: some DeviceConvertible, sizes: [Int] = [1, 37, 1500], threads: [Int] = [1, 2],
  given stimulus: StimulusDescription? = nil, sourceLocation: SourceLocation = #_sourceLocation
) -> CaseOutcome {
  rendered(subject, "slices", given: stimulus, sourceLocation) { (device) throws(BenchError) in
    guard (device as? any PartitionableDevice)?.canBePartitioned ?? false else {
      throw BenchError(
        .usage, at: device.name, "the device has no setting for slices and threads, so they cannot be varied",
        advice: "make it a SlicedDevice, a PartitionableDevice, or a command with {slice} among its words")
    }
    return [SlicesCheck(sizes: sizes, threads: threads)]
  }
}

/// Expects that after a reset the device gives the same bits as a new one.
///
/// For graphs, units, and devices that can be reset, such as a `SlicedDevice` with a reset; for others it fails.
@discardableResult
public func expectResetEqualsNew(
  of subject: some DeviceConvertible, given stimulus: StimulusDescription? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) -> CaseOutcome {
  rendered(subject, "reset", given: stimulus, sourceLocation) { (device) throws(BenchError) in
    let canReset = (device as? any ResettableDevice)?.canReset ?? (device is any GraphBacked)
    guard canReset else {
      throw BenchError(
        .usage, at: device.name, "the device cannot be reset", advice: "give a SlicedDevice its reset")
    }
    return [ResetCheck()]
  }
}

/// Expects silence when the input has ended, the latency has passed, and the tail is over.
///
/// - Parameters:
///   - subject: the device under test.
///   - level: dB against the peak of the output.
///   - frames: after the end of the input; nil: the latency and the tail that the device reports.
///   - stimulus: the input; nil: as for a golden.
///   - sourceLocation: the place that a failure names.
@discardableResult
public func expectSilence(
  afterTailOf subject: some DeviceConvertible, below level: Double = -120, after frames: Int64? = nil,
  given stimulus: StimulusDescription = .noise(), sourceLocation: SourceLocation = #_sourceLocation
) -> CaseOutcome {
  rendered(subject, "silence", given: stimulus, sourceLocation) { _ in
    [SilenceCheck(belowDecibels: level, afterFrames: frames)]
  }
}

// MARK: How

/// - Throws: `.usage` where both are the same object or the same command: they are the same whatever they do.
private func requireOther(_ one: some DeviceConvertible, _ two: some DeviceConvertible) throws(BenchError) {
  let isSameObject =
    type(of: one) is AnyClass && type(of: two) is AnyClass && (one as AnyObject) === (two as AnyObject)
  let commands = (one as? CommandDevice, two as? CommandDevice)
  let isSameCommand = commands.0 != nil && commands.0?.words == commands.1?.words
  guard isSameObject || isSameCommand else { return }
  throw BenchError(
    .usage, at: "equals", "the device is compared with itself, and is the same whatever it does",
    advice: "compare it with another one, a golden, or a signal that is known")
}

private func rendered(
  _ subject: some DeviceConvertible, _ name: String, golden: Golden? = nil, given stimulus: StimulusDescription?,
  signalRate: Double? = nil, _ location: SourceLocation, _ checks: (any Device) throws(BenchError) -> [any Check]
) -> CaseOutcome {
  let playsItself = stimulus == nil && subject.playsFiles
  return Expectation(
    location: location, name: name, golden: golden, stimulus: playsItself ? nil : stimulus ?? .noise(),
    signalRate: signalRate
  ).run(subject, playsItself: playsItself, checks)
}

/// A device that is refused fails when it renders, where a check can see it.
private struct Attempt<Subject: DeviceConvertible>: DeviceConvertible {
  let subject: Subject
  var playsFiles: Bool { subject.playsFiles }

  func device(playsItself: Bool) -> any Device {
    do {
      return try subject.device(playsItself: playsItself)
    } catch {
      return FunctionDevice("refused") { (_) throws(BenchError) in throw error }
    }
  }
}

/// A signal as the output of a device.
private func fixed(_ signal: AudioSignal) -> FunctionDevice {
  FunctionDevice("signal") { _ in signal }
}
