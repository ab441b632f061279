import AudioCore
import AudioEngine
import BatchRender
import Measurement

/// The facts about a case that its checks need, from a suite file or from a test in Swift.
package struct CheckSubject: Sendable {
  /// The name of the outcome: `suite/case`.
  package var id: String
  package var golden: GoldenIdentity
  /// For people: the case without its suite.
  package var name: String
  /// Hertz, for devices that have no rate of their own.
  package var sampleRate = MeasurementSettings.defaultSampleRate
  /// Channels of the stimulus; nil: the device's own number, or 2.
  package var channelCount: Int?
  /// The stimulus; nil: none, the device plays its own files.
  package var stimulus: StimulusDescription?
  /// True when the device may respond differently at other levels, to other stimuli and at other times. Otherwise a
  /// measured response that differs with these fails.
  package var isNonlinear = false
  /// True when the output may be silent. Otherwise a check that silence would pass does not pass, as a device that has
  /// lost its sound is silent too.
  package var mayBeSilent = true
  /// The device as the suite has it; nil for one that was made in Swift.
  private(set) var description: DeviceDescription?
  /// The statements about the device's outputs.
  package var routes = StatedRoutes()
  /// The unit's node as JSON, for answers in closed form.
  private var unitNode: JSONValue?

  package init(
    id: String, golden: GoldenIdentity, name: String, sampleRate: Double, channelCount: Int?,
    stimulus: StimulusDescription?
  ) {
    self.id = id
    self.golden = golden
    self.name = name
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.stimulus = stimulus
  }

  package init(_ testCase: TestCase) {
    self.init(
      id: testCase.id,
      golden: GoldenIdentity(id: testCase.id, name: testCase.goldenName, definition: testCase.definition),
      name: testCase.name, sampleRate: testCase.device.sampleRate, channelCount: testCase.device.channelCount,
      stimulus: testCase.stimulus)
    unitNode = testCase.device.unitNode
    description = testCase.device
    isNonlinear = testCase.isNonlinear
    mayBeSilent = testCase.mayBeSilent
    routes = testCase.routes
  }

  /// The magnitude of the unit in closed form; nil for a unit that has none, and for one that moves.
  package var closedForm: AnalogResponse? {
    unitNode.flatMap { GraphFile.closedForm(ofNode: $0, sampleRate: sampleRate) }
  }
}
