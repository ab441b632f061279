// AudioOutputUnit.h: starting and stopping what pulls by itself.

import CAudioToolbox

@c @implementation
public func AudioOutputUnitStart(_ ci: AudioUnit) -> OSStatus { withUnit(ci) { $0.start() } }

@c @implementation
public func AudioOutputUnitStop(_ ci: AudioUnit) -> OSStatus { withUnit(ci) { $0.stop() } }
