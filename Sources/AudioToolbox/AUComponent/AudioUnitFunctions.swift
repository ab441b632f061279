// AUComponent.h: what can be done with one audio unit. Each function looks its handle up and hands over.

import CAudioToolbox

@c @implementation
public func AudioUnitInitialize(_ inUnit: AudioUnit) -> OSStatus { withUnit(inUnit) { $0.initialize() } }

@c @implementation
public func AudioUnitUninitialize(_ inUnit: AudioUnit) -> OSStatus { withUnit(inUnit) { $0.uninitialize() } }

@c @implementation
public func AudioUnitReset(
  _ inUnit: AudioUnit, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement
) -> OSStatus { withUnit(inUnit) { $0.reset(inScope, inElement) } }

// MARK: Properties

@c @implementation
public func AudioUnitGetPropertyInfo(
  _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
  _ outDataSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  withUnit(inUnit) { $0.propertyInfo(inID, inScope, inElement, size: outDataSize, isWritable: outWritable) }
}

@c @implementation
public func AudioUnitGetProperty(
  _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
  _ outData: UnsafeMutableRawPointer, _ ioDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  withUnit(inUnit) { unit in
    if isNull(ioDataSize) { return kAudio_ParamError }
    return unit.property(inID, inScope, inElement, data: isNull(outData) ? nil : outData, size: ioDataSize)
  }
}

@c @implementation
public func AudioUnitSetProperty(
  _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
  _ inData: UnsafeRawPointer?, _ inDataSize: UInt32
) -> OSStatus {
  withUnit(inUnit) { $0.setProperty(inID, inScope, inElement, data: inData, size: inDataSize) }
}

@c @implementation
public func AudioUnitAddPropertyListener(
  _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inProc: @escaping AudioUnitPropertyListenerProc,
  _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  withUnit(inUnit) { isMissing(inProc) ? kAudio_ParamError : $0.addPropertyListener(inID, inProc, inProcUserData) }
}

@c @implementation
public func AudioUnitRemovePropertyListenerWithUserData(
  _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inProc: @escaping AudioUnitPropertyListenerProc,
  _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  withUnit(inUnit) { $0.removePropertyListener(inID, inProc, inProcUserData, anyUserData: false) }
}

@c @implementation
public func AudioUnitRemovePropertyListener(
  _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inProc: @escaping AudioUnitPropertyListenerProc
) -> OSStatus {
  withUnit(inUnit) { $0.removePropertyListener(inID, inProc, nil, anyUserData: true) }
}

// MARK: Parameters

@c @implementation
public func AudioUnitGetParameter(
  _ inUnit: AudioUnit, _ inID: AudioUnitParameterID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
  _ outValue: UnsafeMutablePointer<AudioUnitParameterValue>
) -> OSStatus {
  withUnit(inUnit) { isNull(outValue) ? kAudio_ParamError : $0.parameter(inID, inScope, inElement, into: outValue) }
}

@c @implementation
public func AudioUnitSetParameter(
  _ inUnit: AudioUnit, _ inID: AudioUnitParameterID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
  _ inValue: AudioUnitParameterValue, _ inBufferOffsetInFrames: UInt32
) -> OSStatus {
  withUnit(inUnit) {
    $0.setParameter(inID, inScope, inElement, to: inValue, bufferOffset: inBufferOffsetInFrames)
  }
}

@c @implementation
public func AudioUnitScheduleParameters(
  _ inUnit: AudioUnit, _ inParameterEvent: UnsafePointer<AudioUnitParameterEvent>, _ inNumParamEvents: UInt32
) -> OSStatus {
  withUnit(inUnit) {
    isNull(inParameterEvent) ? kAudio_ParamError : $0.scheduleParameters(inParameterEvent, count: inNumParamEvents)
  }
}

// MARK: Rendering

@c @implementation
public func AudioUnitAddRenderNotify(
  _ inUnit: AudioUnit, _ inProc: @escaping AURenderCallback, _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  withUnit(inUnit) { isMissing(inProc) ? kAudio_ParamError : $0.addRenderNotify(inProc, inProcUserData) }
}

@c @implementation
public func AudioUnitRemoveRenderNotify(
  _ inUnit: AudioUnit, _ inProc: @escaping AURenderCallback, _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  withUnit(inUnit) { isMissing(inProc) ? kAudio_ParamError : $0.removeRenderNotify(inProc, inProcUserData) }
}

@c @implementation
public func AudioUnitRender(
  _ inUnit: AudioUnit, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
  _ inTimeStamp: UnsafePointer<AudioTimeStamp>, _ inOutputBusNumber: UInt32, _ inNumberFrames: UInt32,
  _ ioData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  withUnit(inUnit) {
    $0.render(ioActionFlags, inTimeStamp, bus: inOutputBusNumber, frames: inNumberFrames, ioData)
  }
}

@c @implementation
public func AudioUnitProcess(
  _ inUnit: AudioUnit, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
  _ inTimeStamp: UnsafePointer<AudioTimeStamp>, _ inNumberFrames: UInt32,
  _ ioData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  withUnit(inUnit) { $0.process(ioActionFlags, inTimeStamp, frames: inNumberFrames, ioData) }
}

@c @implementation
public func AudioUnitProcessMultiple(
  _ inUnit: AudioUnit, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
  _ inTimeStamp: UnsafePointer<AudioTimeStamp>, _ inNumberFrames: UInt32, _ inNumberInputBufferLists: UInt32,
  _ inInputBufferLists: UnsafeMutablePointer<UnsafePointer<AudioBufferList>>, _ inNumberOutputBufferLists: UInt32,
  _ ioOutputBufferLists: UnsafeMutablePointer<UnsafeMutablePointer<AudioBufferList>>
) -> OSStatus {
  withUnit(inUnit) {
    $0.processMultiple(
      ioActionFlags, inTimeStamp, frames: inNumberFrames, inputCount: inNumberInputBufferLists, inInputBufferLists,
      outputCount: inNumberOutputBufferLists, ioOutputBufferLists)
  }
}
