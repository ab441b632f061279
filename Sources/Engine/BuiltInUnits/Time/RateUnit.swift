import AudioCore
import AudioEngine

/// The common parts of units that play their input at another speed: one input, one output of the same format, and
/// bypass.
///
/// Frame 0 of the output belongs to frame 0 of the input. For each output frame the place in the input moves on by the
/// rate at that frame; what is pulled follows from the place, and so does what the unit is late by: nothing.
public class RateUnit: Unit, SpeedUnit, @unchecked Sendable {
  /// The value of ``setBypass(_:)``; false in a new unit.
  public final private(set) var isBypassed = false

  /// One input and one output of the initial format, not bypassed.
  package init(_ component: Component, parameters: [ParameterDescriptor]) {
    super.init(component, inputs: 1, outputs: 1, parameters: parameters)
  }

  public override func checkFormats() throws(AudioStatus) {
    guard inputs[0].format == outputs[0].format else { throw .formatNotSupported }
  }

  /// Said, and not left to a host's rule: that takes "as many out as in" for granted with effects alone.
  public final override var channelCapabilities: [ChannelCapability] { [.equal] }

  /// The format of the input and of the output.
  package final var format: StreamFormat { outputs[0].format }

  /// Lets the input pass unchanged, at the original speed, from the frame on at which it has arrived.
  public final func setBypass(_ isOn: Bool) {
    isBypassed = isOn
    edit(RateProcessor.self) { $0.bypass.set(isOn) }
  }

  public override var ownProperties: [PropertyDescriptor] { [Self.bypassProperty] }

  private static let bypassProperty = PropertyDescriptor.bypass(
    of: RateUnit.self, get: { $0.isBypassed }, set: { $0.setBypass($1) })

  /// The parameter by which the rate is set, and how its values become rates; the course of it where it has a timeline.
  var course: RateCourse { RateCourse(constant: 1) }

  /// The range of the rate.
  var rates: ClosedRange<Double> { 1...1 }

  package final func mostSpeed(ofInput bus: Int) -> Double { rates.upperBound }

  /// The rate that the output frames follow: not bypassed, the course of the parameters.
  final var effectiveCourse: RateCourse { isBypassed ? RateCourse(constant: 1) : course }

  package final func outputEnd(ofInputEnd frames: Int64, input bus: Int = 0) -> Int64 {
    effectiveCourse.firstFrame(from: frames)
  }
}

/// The render half of a ``RateUnit``. Runs on the render thread: no allocation, no lock.
class RateProcessor: Processor {
  fileprivate let bypass: BypassSwitch
  /// True when the input passes unchanged in the present slice.
  var isBypassed: Bool { bypass.isOn }

  init(isBypassed: Bool) { bypass = BypassSwitch(isBypassed) }

  final override var pullsItsInputs: Bool { true }
  final override var isSynchronous: Bool { false }

  final override func latch() {
    let former = bypass.isOn
    _ = bypass.latch()
    if bypass.isOn && !former { beginBypass() }
  }

  /// Called in front of a slice from which on the input passes unchanged.
  func beginBypass() {}
}
