// The properties of an extended file.

import AudioCore
import CAudioToolbox

extension ExtAudioFileObject {
  /// Bytes of a property and whether it may be set.
  func propertyInfo(_ id: ExtAudioFilePropertyID) throws(AudioStatus) -> (size: Int, isWritable: Bool) {
    switch id {
    case kExtAudioFileProperty_ConverterConfig, kExtAudioFileProperty_IOBuffer:
      return (MemoryLayout<UnsafeRawPointer>.size, true)
    default:
      return (try property(id).size, isSettable(id))
    }
  }

  /// - Throws: −66561 for what does not exist, is only set, or this file does not have.
  func property(_ id: ExtAudioFilePropertyID) throws(AudioStatus) -> CValue {
    switch id {
    case kExtAudioFileProperty_FileDataFormat: return CValue(file.dataFormat)
    case kExtAudioFileProperty_FileChannelLayout:
      guard let layout = fileLayout ?? file.channelLayout() else { throw .extInvalidProperty }
      return .bytes(layout.structureBytes)
    case kExtAudioFileProperty_ClientDataFormat:
      return CValue(clientFormat?.audioStreamBasicDescription ?? file.dataFormat)
    case kExtAudioFileProperty_ClientChannelLayout:
      let channels = clientFormat?.channelCount ?? file.channelCount
      let implied = channels == file.channelCount ? fileLayout ?? file.channelLayout() : nil
      guard let layout = clientLayout ?? implied ?? ChannelLayoutData(channelCount: channels) else {
        throw .extInvalidProperty
      }
      return .bytes(layout.structureBytes)
    case kExtAudioFileProperty_CodecManufacturer: return CValue(codecManufacturer)
    case kExtAudioFileProperty_AudioConverter:
      return CValue(UInt(bitPattern: Int(bitPattern: try audioConverter())))
    case kExtAudioFileProperty_AudioFile: return CValue(UInt(bitPattern: Int(bitPattern: fileHandle)))
    case kExtAudioFileProperty_FileMaxPacketSize: return CValue(file.largestPacket(scans: false))
    case kExtAudioFileProperty_ClientMaxPacketSize:
      guard let clientFormat else { throw AudioStatus(kExtAudioFileError_MaxPacketSizeUnknown) }
      return CValue(UInt32(clientFormat.bytesPerFrame))
    case kExtAudioFileProperty_FileLengthFrames: return CValue(frameCount)
    case kExtAudioFileProperty_IOBufferSizeBytes: return CValue(ioBufferBytes)
    case kExtAudioFileProperty_PacketTable:
      do throws(AudioStatus) { return try file.property(kAudioFilePropertyPacketTableInfo) } catch {
        throw .extInvalidProperty
      }
    default: throw .extInvalidProperty
    }
  }

  private func isSettable(_ id: ExtAudioFilePropertyID) -> Bool {
    switch id {
    case kExtAudioFileProperty_FileChannelLayout, kExtAudioFileProperty_ClientDataFormat,
      kExtAudioFileProperty_ClientChannelLayout, kExtAudioFileProperty_CodecManufacturer,
      kExtAudioFileProperty_IOBufferSizeBytes:
      true
    case kExtAudioFileProperty_FileLengthFrames: isWriting && file.canWrite && file.plainFormat != nil
    default: false
    }
  }

  func setProperty(_ id: ExtAudioFilePropertyID, size: Int, data: UnsafeRawPointer?) throws(AudioStatus) {
    // Programs resynchronize with a pointer to NULL, or with nothing at all.
    if id == kExtAudioFileProperty_ConverterConfig {
      guard size == MemoryLayout<UnsafeRawPointer>.size || size == 0 else { throw .extPropertySize }
      let list = size == 0 ? 0 : data?.loadUnaligned(as: Int.self) ?? 0
      // A list of settings is a converter's own, which has none to set here.
      guard list == 0 else { throw .parameterError }
      return try resynchronize()
    }
    guard let data else { throw .parameterError }
    func value<T: BitwiseCopyable>(_ type: T.Type) throws(AudioStatus) -> T {
      guard size == MemoryLayout<T>.size else { throw .extPropertySize }
      return data.loadUnaligned(as: type)
    }
    switch id {
    case kExtAudioFileProperty_ClientDataFormat:
      let description = try value(AudioStreamBasicDescription.self)
      guard description.mFormatID == kAudioFormatLinearPCM else { throw .extNonPCMClient }
      guard let format = StreamFormat(description) else { throw .extDataFormat }
      try setClientFormat(format)
    case kExtAudioFileProperty_FileChannelLayout:
      guard let layout = ChannelLayoutData(data, size: size) else { throw .extPropertySize }
      guard !hasSetClientFormat else { throw .extOperationOrder }
      guard layout.channelCount == file.channelCount else { throw .extChannelMap }
      if isWriting && file.canWrite && file.encoder == nil { try file.setChannelLayout(layout) }
      fileLayout = layout
    case kExtAudioFileProperty_ClientChannelLayout:
      guard let layout = ChannelLayoutData(data, size: size) else { throw .extPropertySize }
      guard hasSetClientFormat, let clientFormat else { throw .extOperationOrder }
      guard layout.channelCount == clientFormat.channelCount else { throw .extChannelMap }
      try setClientLayout(layout)
    case kExtAudioFileProperty_CodecManufacturer:
      let manufacturer = try value(UInt32.self)
      guard !hasSetClientFormat else { throw .extOperationOrder }
      codecManufacturer = manufacturer
    case kExtAudioFileProperty_IOBufferSizeBytes: ioBufferBytes = try value(UInt32.self)
    // The engine keeps its own buffers; the client's is taken note of and not needed.
    case kExtAudioFileProperty_IOBuffer: _ = try value(UInt.self)
    case kExtAudioFileProperty_FileLengthFrames:
      let frames = try value(Int64.self)
      try setFrameCount(frames)
    case kExtAudioFileProperty_PacketTable:
      let wanted = try value(AudioFilePacketTableInfo.self)
      // The values of the file itself are used in any case.
      guard wanted.mPrimingFrames < 0 || wanted.mRemainderFrames < 0 else { throw .extInvalidProperty }
    default: throw .extInvalidProperty
    }
  }
}
