// `import VerificationTesting` beside `import Testing` is all that a test needs: graphs, units, devices and signals
// come along.

@_exported import AudioCore
@_exported import BatchRender
@_exported import GraphMeasurement
@_exported import Measurement
@_exported import Verification
