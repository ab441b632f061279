import AudioCore
import AudioEngine

extension ComponentRegistry {
  /// The output units that a graph file may have for its head, each on hardware of its own: a scenario pulls the graph
  /// then.
  package static let scriptedOutputs = ComponentRegistry(
    [DeviceOutput.Kind.remoteIO, .voiceProcessing].map(\.ofGraphs))

  /// The units that play to and record from the simulated hardware of the process: what programs of the C interface
  /// get.
  package static let devices = ComponentRegistry(DeviceOutput.Kind.allCases.map(\.component))
}
