// `import AudioUnits` gives the unit model, all units, and the simulated hardware that output units play to.

@_exported import AudioEngine
@_exported import BuiltInUnits
@_exported import DeviceUnits
@_exported import Hardware
