// AudioOutputUnit.h: starting and stopping what pulls by itself.

import CAudioToolbox

/// Starts an output unit: a device's own thread pulls it from now on, a generic output is left to its host. -10867
/// before initialization, -4 for a unit that is no output.
@c @implementation
public func AudioOutputUnitStart(_ ci: AudioUnit) -> OSStatus { callUnit(ci) { $0.start() } }

/// Stops an output unit; 0 where it does not run, -4 for a unit that is no output.
@c @implementation
public func AudioOutputUnitStop(_ ci: AudioUnit) -> OSStatus { callUnit(ci) { $0.stop() } }
