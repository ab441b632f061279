// AudioConverter.h: making and ending converters, and their properties. Each function tests its pointers, finds the
// converter behind its handle and hands on; the work is StreamConverter's. Conversion is in
// AudioConverterConversion.swift.

import AudioCore
import CAudioToolbox
import CForeign

extension StreamConverter: HandleObject {
  static var handleKind: HandleKind { .converter }
}

/// Runs `body` on the converter behind a handle, alone; -50 where there is none.
func withConverter(
  _ handle: AudioConverterRef, _ body: (StreamConverter) throws(AudioStatus) -> Void
) -> OSStatus {
  HandleTable.shared.withObject(handle, StreamConverter.self) { converter in
    converter.lock.withLock { status { () throws(AudioStatus) in try body(converter) } }
  } ?? kAudio_ParamError
}

/// A converter from PCM, µ-law, A-law, or a codec that is decoded here, to PCM, µ-law or A-law. 'fmt?' for other codecs, and
/// for rates or channels beyond the engine's limits.
@c @implementation
public func AudioConverterNew(
  _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>
) -> OSStatus {
  guard !isNull(inSourceFormat), !isNull(inDestinationFormat), !isNull(outAudioConverter) else {
    return kAudio_ParamError
  }
  outAudioConverter.pointee = nil
  return status { () throws(AudioStatus) in
    let converter = try StreamConverter(from: inSourceFormat.pointee, to: inDestinationFormat.pointee)
    outAudioConverter.pointee = try HandleTable.shared.add(converter)
  }
}

/// Every codec has one implementation, so the list of codecs is not a choice; it must only be there.
@c @implementation
public func AudioConverterNewSpecific(
  _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inNumberClassDescriptions: UInt32,
  _ inClassDescriptions: UnsafePointer<AudioClassDescription>,
  _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>
) -> OSStatus {
  guard inNumberClassDescriptions == 0 || !isNull(inClassDescriptions) else {
    return kAudio_ParamError
  }
  return AudioConverterNew(inSourceFormat, inDestinationFormat, outAudioConverter)
}

/// As ``AudioConverterNew(_:_:_:)``. Input is never asked for ahead, so that the option changes nothing; −50 for unknown ones.
@c @implementation
public func AudioConverterNewWithOptions(
  _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>, _ inOptions: AudioConverterOptions,
  _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>
) -> OSStatus {
  guard inOptions.rawValue & ~(1 << 16) == 0 else { return kAudio_ParamError }
  return AudioConverterNew(inSourceFormat, inDestinationFormat, outAudioConverter)
}

/// AudioConverterPrepare: there is nothing to make ready. The block is called with 0, on this thread.
@c(AudioConverterPrepare)
public func _audioConverterPrepare(
  _ inFlags: UInt32, _ ioReserved: UnsafeMutableRawPointer?, _ inCompletionBlock: UnsafeRawPointer?
) {
  if let inCompletionBlock { foreign_call_status_block(inCompletionBlock, noErr) }
}

/// A converter whose proc is running lives until that call returns, which then answers -50.
@c @implementation
public func AudioConverterDispose(_ inAudioConverter: AudioConverterRef) -> OSStatus {
  guard let converter = HandleTable.shared.remove(inAudioConverter, StreamConverter.self) else {
    return kAudio_ParamError
  }
  converter.lock.withLock { converter.isDisposed = true }
  return 0
}

/// Forgets what was fed, also that the input had ended; the settings stay.
@c @implementation
public func AudioConverterReset(_ inAudioConverter: AudioConverterRef) -> OSStatus {
  withConverter(inAudioConverter) { $0.reset() }
}

/// A property's size in bytes and whether it can be set; either result may be null. 'prop' for a property that
/// converters of PCM do not have, or that has no value yet.
@c @implementation
public func AudioConverterGetPropertyInfo(
  _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID,
  _ outSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  withConverter(inAudioConverter) { (converter) throws(AudioStatus) in
    let info = try converter.info(of: inPropertyID)
    outSize?.pointee = UInt32(info.size)
    outWritable?.pointee = info.isWritable
  }
}

/// Reads a property. The size is the room in bytes on the way in and what was written on the way out; '!siz' for too
/// little room, 'prop' for a property that is not there.
@c @implementation
public func AudioConverterGetProperty(
  _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID,
  _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
  withConverter(inAudioConverter) { (converter) throws(AudioStatus) in
    try require(ioPropertyDataSize, outPropertyData)
    try converter.get(inPropertyID, size: &ioPropertyDataSize.pointee, to: outPropertyData)
  }
}

/// Sets a property. 'op??' for one that is only read and once a rate conversion has begun, '!siz' for a wrong size, -50
/// for a value that means nothing.
@c @implementation
public func AudioConverterSetProperty(
  _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID, _ inPropertyDataSize: UInt32,
  _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
  withConverter(inAudioConverter) { (converter) throws(AudioStatus) in
    try require(inPropertyData)
    try converter.set(inPropertyID, size: Int(inPropertyDataSize), from: inPropertyData)
  }
}
