// MusicDevice.h: notes and messages for instruments. There are none in this package: a call is passed to the method of
// a third-party component, and any unit without that method returns -4.

import CAudioToolbox

/// Calls a method of a third-party unit, as a function of a type.
private func call<Function>(
  _ unit: AudioUnit?, _ selector: some BinaryInteger, as type: Function.Type, function: StaticString = #function,
  _ body: (Function, UnsafeMutableRawPointer) -> OSStatus
) -> OSStatus {
  callUnit(unit, function: function) {
    ($0 as? ForeignInstance)?.callMethod(selector, as: type, body) ?? kAudio_UnimplementedError
  }
}

private typealias Object = UnsafeMutableRawPointer

/// Gives an instrument a MIDI message: status with channel, two data bytes, and the frame of the next slice. -4 for a
/// unit that takes none.
@c @implementation
public func MusicDeviceMIDIEvent(
  _ inUnit: MusicDeviceComponent, _ inStatus: UInt32, _ inData1: UInt32, _ inData2: UInt32,
  _ inOffsetSampleFrame: UInt32
) -> OSStatus {
  typealias Method = @convention(c) (Object, UInt32, UInt32, UInt32, UInt32) -> OSStatus
  return call(inUnit, kMusicDeviceMIDIEventSelect, as: Method.self) { method, object in
    method(object, inStatus, inData1, inData2, inOffsetSampleFrame)
  }
}

/// Gives an instrument a system exclusive message of so many bytes. -4 for a unit that takes none.
@c @implementation
public func MusicDeviceSysEx(
  _ inUnit: MusicDeviceComponent, _ inData: UnsafePointer<UInt8>, _ inLength: UInt32
) -> OSStatus {
  typealias Method = @convention(c) (Object, UnsafePointer<UInt8>, UInt32) -> OSStatus
  return call(inUnit, kMusicDeviceSysExSelect, as: Method.self) { method, object in
    isNull(inData) ? kAudio_ParamError : method(object, inData, inLength)
  }
}

/// Gives an instrument universal MIDI packets, at a frame of the next slice. -4 for a unit that takes none.
@c @implementation
public func MusicDeviceMIDIEventList(
  _ inUnit: MusicDeviceComponent, _ inOffsetSampleFrame: UInt32, _ evtList: UnsafePointer<MIDIEventList>
) -> OSStatus {
  typealias Method = @convention(c) (Object, UInt32, UnsafePointer<MIDIEventList>) -> OSStatus
  return call(inUnit, kMusicDeviceMIDIEventListSelect, as: Method.self) { method, object in
    isNull(evtList) ? kAudio_ParamError : method(object, inOffsetSampleFrame, evtList)
  }
}

/// Starts a note at a frame of the next slice and answers its identifier. -4 for a unit that does not have this.
@c @implementation
public func MusicDeviceStartNote(
  _ inUnit: MusicDeviceComponent, _ inInstrument: MusicDeviceInstrumentID, _ inGroupID: MusicDeviceGroupID,
  _ outNoteInstanceID: UnsafeMutablePointer<NoteInstanceID>, _ inOffsetSampleFrame: UInt32,
  _ inParams: UnsafePointer<MusicDeviceNoteParams>
) -> OSStatus {
  typealias Method =
    @convention(c) (
      Object, UInt32, UInt32, UnsafeMutablePointer<NoteInstanceID>, UInt32, UnsafePointer<MusicDeviceNoteParams>
    ) -> OSStatus
  return call(inUnit, kMusicDeviceStartNoteSelect, as: Method.self) { method, object in
    isNull(outNoteInstanceID) || isNull(inParams)
      ? kAudio_ParamError
      : method(object, inInstrument, inGroupID, outNoteInstanceID, inOffsetSampleFrame, inParams)
  }
}

/// Ends a note, by its identifier, at a frame of the next slice. -4 for a unit that does not have this.
@c @implementation
public func MusicDeviceStopNote(
  _ inUnit: MusicDeviceComponent, _ inGroupID: MusicDeviceGroupID, _ inNoteInstanceID: NoteInstanceID,
  _ inOffsetSampleFrame: UInt32
) -> OSStatus {
  typealias Method = @convention(c) (Object, UInt32, UInt32, UInt32) -> OSStatus
  return call(inUnit, kMusicDeviceStopNoteSelect, as: Method.self) { method, object in
    method(object, inGroupID, inNoteInstanceID, inOffsetSampleFrame)
  }
}

/// Lets an instrument load what its notes need. -4 for a unit that does not have this.
@c @implementation
public func MusicDevicePrepareInstrument(
  _ inUnit: MusicDeviceComponent, _ inInstrument: MusicDeviceInstrumentID
) -> OSStatus { callWithInstrument(inUnit, kMusicDevicePrepareInstrumentSelect, inInstrument) }

/// Lets an instrument free what its notes needed. -4 for a unit that does not have this.
@c @implementation
public func MusicDeviceReleaseInstrument(
  _ inUnit: MusicDeviceComponent, _ inInstrument: MusicDeviceInstrumentID
) -> OSStatus { callWithInstrument(inUnit, kMusicDeviceReleaseInstrumentSelect, inInstrument) }

private func callWithInstrument(
  _ unit: MusicDeviceComponent, _ selector: some BinaryInteger, _ instrument: MusicDeviceInstrumentID,
  function: StaticString = #function
) -> OSStatus {
  typealias Method = @convention(c) (Object, UInt32) -> OSStatus
  return call(unit, selector, as: Method.self, function: function) { method, object in method(object, instrument) }
}
