import AudioCore
import AudioEngine
import BatchRender
import Measurement

/// What checks must know of the case that they belong to, whether a suite file or a test in Swift says it.
package struct CheckSubject: Sendable {
  /// What the outcome is called: `suite/case`.
  package var id: String
  package var golden: GoldenIdentity
  /// For people: the case without its suite.
  package var name: String
  /// Hertz, for devices that have no rate of their own.
  package var sampleRate = MeasurementSettings.defaultSampleRate
  /// Channels of the stimulus; nil: the device's own number, or 2.
  package var channelCount: Int?
  /// What the device is given; nil: nothing, it plays its own files.
  package var stimulus: StimulusDescription?
  /// Whether the device may answer differently to other levels, stimuli and times: otherwise what is measured of its response
  /// does not hold, and fails.
  package var isNonlinear = false
  /// Whether the output may be silence. Otherwise what holds of silence, which a device that has lost its sound gives as well, is
  /// no pass.
  package var mayBeSilent = true
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
    isNonlinear = testCase.isNonlinear
    mayBeSilent = testCase.mayBeSilent
  }

  /// The magnitude of the unit in closed form; nil for a unit that has none, and for one that moves.
  package var closedForm: AnalogResponse? {
    unitNode.flatMap { GraphFile.closedForm(ofNode: $0, sampleRate: sampleRate) }
  }
}
