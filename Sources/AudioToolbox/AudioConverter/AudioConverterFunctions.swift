// AudioConverter.h: making and ending converters, and their properties. Each function tests its pointers, finds the
// converter behind its handle and hands on; the work is StreamConverter's. Conversion is in
// AudioConverterConversion.swift.

import AudioCore
import CAudioToolbox

/// Runs `body` on the converter behind a handle, alone; -50 where there is none.
func withConverter(_ handle: AudioConverterRef, _ body: (StreamConverter) -> OSStatus) -> OSStatus {
  HandleTable.shared.withObject(handle, StreamConverter.self, kind: .converter) { converter in
    converter.lock.withLock { body(converter) }
  } ?? AudioStatus.parameterError.rawValue
}

/// The status of what may throw one.
func converterStatus(_ body: () throws(AudioStatus) -> Void) -> OSStatus {
  do {
    try body()
    return 0
  } catch {
    return error.rawValue
  }
}

@c @implementation
public func AudioConverterNew(
  _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>
) -> OSStatus {
  guard !isNull(inSourceFormat), !isNull(inDestinationFormat), !isNull(outAudioConverter) else {
    return AudioStatus.parameterError.rawValue
  }
  outAudioConverter.pointee = nil
  return converterStatus { () throws(AudioStatus) in
    let converter = try StreamConverter(from: inSourceFormat.pointee, to: inDestinationFormat.pointee)
    guard let handle = HandleTable.shared.insert(converter, kind: .converter) else { throw .memoryFull }
    outAudioConverter.pointee = handle
  }
}

/// PCM and G.711 have one implementation each, so the list of codecs is not a choice; it must only be there.
@c @implementation
public func AudioConverterNewSpecific(
  _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inNumberClassDescriptions: UInt32,
  _ inClassDescriptions: UnsafePointer<AudioClassDescription>,
  _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>
) -> OSStatus {
  guard inNumberClassDescriptions == 0 || !isNull(inClassDescriptions) else {
    return AudioStatus.parameterError.rawValue
  }
  return AudioConverterNew(inSourceFormat, inDestinationFormat, outAudioConverter)
}

/// A converter whose proc is running lives until that call returns, which then answers -50.
@c @implementation
public func AudioConverterDispose(_ inAudioConverter: AudioConverterRef) -> OSStatus {
  guard let converter = HandleTable.shared.remove(inAudioConverter, kind: .converter) as? StreamConverter else {
    return AudioStatus.parameterError.rawValue
  }
  converter.lock.withLock { converter.isDisposed = true }
  return 0
}

@c @implementation
public func AudioConverterReset(_ inAudioConverter: AudioConverterRef) -> OSStatus {
  withConverter(inAudioConverter) { converter in
    converter.reset()
    return 0
  }
}

@c @implementation
public func AudioConverterGetPropertyInfo(
  _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID,
  _ outSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  withConverter(inAudioConverter) { converter in
    converterStatus { () throws(AudioStatus) in
      let info = try converter.info(of: inPropertyID)
      outSize?.pointee = UInt32(info.size)
      outWritable?.pointee = info.isWritable
    }
  }
}

@c @implementation
public func AudioConverterGetProperty(
  _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID,
  _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
  guard !isNull(ioPropertyDataSize), !isNull(outPropertyData) else { return AudioStatus.parameterError.rawValue }
  return withConverter(inAudioConverter) { converter in
    converterStatus { () throws(AudioStatus) in
      try converter.get(inPropertyID, size: &ioPropertyDataSize.pointee, to: outPropertyData)
    }
  }
}

@c @implementation
public func AudioConverterSetProperty(
  _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID, _ inPropertyDataSize: UInt32,
  _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
  guard !isNull(inPropertyData) else { return AudioStatus.parameterError.rawValue }
  return withConverter(inAudioConverter) { converter in
    converterStatus { () throws(AudioStatus) in
      try converter.set(inPropertyID, size: Int(inPropertyDataSize), from: inPropertyData)
    }
  }
}
