// AUComponent.h: what can be done with one audio unit. Each function looks its handle up and hands over.

import AudioCore
import CAudioToolbox
import Transcripts

/// Makes a unit ready to render; 0 where it is already. -10868 for formats that do not go together, -108 for more
/// memory than it may take.
@c @implementation
public func AudioUnitInitialize(_ inUnit: AudioUnit) -> OSStatus { callUnit(inUnit) { $0.initialize() } }

/// Stops a unit and frees what it renders with; parameters, formats and sources stay. 0 where it was not initialized.
@c @implementation
public func AudioUnitUninitialize(_ inUnit: AudioUnit) -> OSStatus { callUnit(inUnit) { $0.uninitialize() } }

/// Forgets all signal at the next slice, in built-in units whatever scope and element; a file player's schedule is
/// emptied at once.
@c @implementation
public func AudioUnitReset(
  _ inUnit: AudioUnit, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement
) -> OSStatus { callUnit(inUnit, CallText.scopeAndElement(inScope, inElement)) { $0.reset(inScope, inElement) } }

// MARK: Properties

/// A property's size in bytes and whether it can be set; either result may be null. -10879 for a property that the unit
/// does not have, -10866 and -10877 for a scope and an element.
@c @implementation
public func AudioUnitGetPropertyInfo(
  _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
  _ outDataSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  callUnit(inUnit, CallText.property(inID, inScope, inElement)) {
    $0.propertyInfo(inID, inScope, inElement, size: outDataSize, isWritable: outWritable)
  }
}

/// Reads a property. The size is the room in bytes on the way in and what was written on the way out, 0 after an error.
/// With too little room the beginning of the value is written; without `outData` only the size is answered.
@c @implementation
public func AudioUnitGetProperty(
  _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
  _ outData: UnsafeMutableRawPointer, _ ioDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  callUnit(
    inUnit, CallText.property(inID, inScope, inElement),
    result: CallText.value(inID, outData, ioDataSize.pointee)
  ) { unit in
    if isNull(ioDataSize) { return kAudio_ParamError }
    return unit.property(inID, inScope, inElement, data: isNull(outData) ? nil : outData, size: ioDataSize)
  }
}

/// Sets a property and calls its listeners on this thread; no data and size 0 take the value away again. -10865 for a
/// property that is only read, -10851 for a value that it does not take.
@c @implementation
public func AudioUnitSetProperty(
  _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
  _ inData: UnsafeRawPointer?, _ inDataSize: UInt32
) -> OSStatus {
  callUnit(
    inUnit, "\(CallText.property(inID, inScope, inElement)) = \(CallText.value(inID, inData, inDataSize))"
  ) { $0.setProperty(inID, inScope, inElement, data: inData, size: inDataSize) }
}

/// Calls a function when a property changes, on the thread that changes it, whatever scope and element. Added twice it
/// is called twice.
@c @implementation
public func AudioUnitAddPropertyListener(
  _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inProc: @escaping AudioUnitPropertyListenerProc,
  _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  callUnit(inUnit, CallText.property(inID)) {
    isMissing(inProc) ? kAudio_ParamError : $0.addPropertyListener(inID, inProc, inProcUserData)
  }
}

/// Removes a listener that was added with this function and data; 0 where there is none.
@c @implementation
public func AudioUnitRemovePropertyListenerWithUserData(
  _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inProc: @escaping AudioUnitPropertyListenerProc,
  _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  callUnit(inUnit, CallText.property(inID)) {
    $0.removePropertyListener(inID, inProc, inProcUserData, anyUserData: false)
  }
}

/// Removes a listener whatever data it was added with; 0 where there is none.
@c @implementation
public func AudioUnitRemovePropertyListener(
  _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inProc: @escaping AudioUnitPropertyListenerProc
) -> OSStatus {
  callUnit(inUnit, CallText.property(inID)) { $0.removePropertyListener(inID, inProc, nil, anyUserData: true) }
}

// MARK: Parameters

/// A parameter's value in its own unit of measure, or what a meter shows. -10878 for a parameter that the unit does not
/// have.
@c @implementation
public func AudioUnitGetParameter(
  _ inUnit: AudioUnit, _ inID: AudioUnitParameterID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
  _ outValue: UnsafeMutablePointer<AudioUnitParameterValue>
) -> OSStatus {
  callUnit(
    inUnit, CallText.parameter(inUnit, inID, inScope, inElement), result: NumberText.short(outValue.pointee)
  ) { isNull(outValue) ? kAudio_ParamError : $0.parameter(inID, inScope, inElement, into: outValue) }
}

/// Sets a parameter from the first frame of the next slice: built-in units ignore the offset, see
/// ``AudioUnitScheduleParameters(_:_:_:)``. Values outside the range are kept as given; -66743 for one that is not
/// finite, -10878 for a parameter that is only read.
@c @implementation
public func AudioUnitSetParameter(
  _ inUnit: AudioUnit, _ inID: AudioUnitParameterID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
  _ inValue: AudioUnitParameterValue, _ inBufferOffsetInFrames: UInt32
) -> OSStatus {
  callUnit(
    inUnit,
    "\(CallText.parameter(inUnit, inID, inScope, inElement)) = \(NumberText.short(inValue))\(inBufferOffsetInFrames == 0 ? "" : ", frame \(inBufferOffsetInFrames)")"
  ) {
    $0.setParameter(inID, inScope, inElement, to: inValue, bufferOffset: inBufferOffsetInFrames)
  }
}

/// Schedules changes and ramps within the next slice, all of them or none; may be called on the render thread. -108
/// where more than 512 would wait for one slice, -50 for an unknown type of event.
@c @implementation
public func AudioUnitScheduleParameters(
  _ inUnit: AudioUnit, _ inParameterEvent: UnsafePointer<AudioUnitParameterEvent>, _ inNumParamEvents: UInt32
) -> OSStatus {
  callUnit(inUnit, NumberText.count(inNumParamEvents, "event")) {
    isNull(inParameterEvent) ? kAudio_ParamError : $0.scheduleParameters(inParameterEvent, count: inNumParamEvents)
  }
}

// MARK: Rendering

/// Calls a function before and after each render call that passes its checks; flags say which of the two. Adding it
/// again changes nothing.
@c @implementation
public func AudioUnitAddRenderNotify(
  _ inUnit: AudioUnit, _ inProc: @escaping AURenderCallback, _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  callUnit(inUnit) { isMissing(inProc) ? kAudio_ParamError : $0.addRenderNotify(inProc, inProcUserData) }
}

/// Removes a render notify that was added with this function and data, and waits until no render call uses it, for a
/// second at most.
@c @implementation
public func AudioUnitRemoveRenderNotify(
  _ inUnit: AudioUnit, _ inProc: @escaping AURenderCallback, _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  callUnit(inUnit) { isMissing(inProc) ? kAudio_ParamError : $0.removeRenderNotify(inProc, inProcUserData) }
}

/// Renders one slice of an output bus, into the buffers of the list or, where those are null, into the unit's own.
/// - Returns: -10867 before initialization, -10874 for more frames than the maximum, -10877 for a bus that does not
///   exist, -10876 for an input without a source, -50 for a list of the wrong shape or size, -10863 while another
///   thread renders.
@c @implementation
public func AudioUnitRender(
  _ inUnit: AudioUnit, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
  _ inTimeStamp: UnsafePointer<AudioTimeStamp>, _ inOutputBusNumber: UInt32, _ inNumberFrames: UInt32,
  _ ioData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  recordedRender(
    .function, "AudioUnitRender", CallSubject(unit: inUnit), ioActionFlags, inTimeStamp, bus: Int(inOutputBusNumber),
    frames: inNumberFrames,
    explanation: CallText.buffers(ioData, inUnit, bus: inOutputBusNumber, frames: inNumberFrames)
  ) {
    withUnit(inUnit) {
      $0.render(ioActionFlags, inTimeStamp, bus: inOutputBusNumber, frames: inNumberFrames, ioData)
    }
  }
}

/// Renders an effect over buffers that hold its input and get its output: every call is a slice of its own, whatever
/// its time. The source of the input is not pulled, and render notifies are not called, as in Apple's base class.
/// - Returns: -4 for a built-in unit that is no effect, and for the reverb; -10867 before initialization, -10874 for
///   more frames than the maximum, -50 for a list of the wrong shape or size or without memory, -10863 while another
///   thread renders.
@c @implementation
public func AudioUnitProcess(
  _ inUnit: AudioUnit, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
  _ inTimeStamp: UnsafePointer<AudioTimeStamp>, _ inNumberFrames: UInt32,
  _ ioData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  recordedRender(
    .function, "AudioUnitProcess", CallSubject(unit: inUnit), ioActionFlags, inTimeStamp, bus: nil,
    frames: inNumberFrames
  ) { withUnit(inUnit) { $0.process(ioActionFlags, inTimeStamp, frames: inNumberFrames, ioData) } }
}

/// Renders from several buffer lists, one for each input, into several, one for each output, as
/// ``AudioUnitProcess(_:_:_:_:_:)`` does: effects, mixers, and converters of the same rate on both sides. A null list
/// is an input without a source, or an output that is not wanted; an output buffer without memory gets the unit's own.
/// An output may lie where an input does.
/// - Returns: -4 for a built-in unit without inputs, or at the head of a graph; -10877 for more lists than there are
///   buses, -10868 where an input is converted before the unit computes, or runs at another rate; -10876 where an
///   effect gets no input.
@c @implementation
public func AudioUnitProcessMultiple(
  _ inUnit: AudioUnit, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
  _ inTimeStamp: UnsafePointer<AudioTimeStamp>, _ inNumberFrames: UInt32, _ inNumberInputBufferLists: UInt32,
  _ inInputBufferLists: UnsafeMutablePointer<UnsafePointer<AudioBufferList>>, _ inNumberOutputBufferLists: UInt32,
  _ ioOutputBufferLists: UnsafeMutablePointer<UnsafeMutablePointer<AudioBufferList>>
) -> OSStatus {
  recordedRender(
    .function, "AudioUnitProcessMultiple", CallSubject(unit: inUnit), ioActionFlags, inTimeStamp, bus: nil,
    frames: inNumberFrames
  ) {
    withUnit(inUnit) {
      $0.processMultiple(
        ioActionFlags, inTimeStamp, frames: inNumberFrames, inputCount: inNumberInputBufferLists, inInputBufferLists,
        outputCount: inNumberOutputBufferLists, ioOutputBufferLists)
    }
  }
}
