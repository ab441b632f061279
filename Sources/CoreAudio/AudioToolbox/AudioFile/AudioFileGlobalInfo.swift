// AudioFile.h: the catalogue of file types. It follows from `AudioFileType.all` alone.

import AudioCore
import CAudioToolbox

/// The size in bytes of what ``AudioFileGetGlobalInfo(_:_:_:_:_:)`` answers, with its errors.
@c @implementation
public func AudioFileGetGlobalInfoSize(
  _ inPropertyID: AudioFilePropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeMutableRawPointer?,
  _ outDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  status { () throws(AudioStatus) in
    try require(outDataSize)
    outDataSize.pointee = UInt32(
      try FileCatalogue.value(inPropertyID, specifier: inSpecifier, size: Int(inSpecifierSize)).size)
  }
}

/// Gets facts about file types without a file. 'pty?' for an unknown property, '!siz' for a specifier of the wrong size
/// or too little room, 'typ?' and 'fmt?' for types and formats that are unknown or do not go together. The caller
/// releases objects.
@c @implementation
public func AudioFileGetGlobalInfo(
  _ inPropertyID: AudioFilePropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeMutableRawPointer?,
  _ ioDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
  status { () throws(AudioStatus) in
    try require(ioDataSize, outPropertyData)
    let value = try FileCatalogue.value(inPropertyID, specifier: inSpecifier, size: Int(inSpecifierSize))
    try value.write(to: outPropertyData, size: &ioDataSize.pointee, orThrow: .filePropertySize)
  }
}

private enum FileCatalogue {
  /// - Throws: 'pty?' for an unknown question, '!siz' for a specifier of the wrong size, 'typ?' and 'fmt?' for types
  ///   and formats that are unknown or do not go together.
  static func value(
    _ id: AudioFilePropertyID, specifier: UnsafeMutableRawPointer?, size: Int
  ) throws(AudioStatus) -> CValue {
    let question = Question(specifier: specifier, size: size)
    let all = AudioFileType.all
    switch id {
    case kAudioFileGlobalInfo_ReadableTypes: return CValue(array: all.map(\.id))
    case kAudioFileGlobalInfo_WritableTypes:
      return CValue(array: all.filter { !$0.writableFormats.isEmpty }.map(\.id))
    case kAudioFileGlobalInfo_FileTypeName: return .text(try question.type().name)
    case kAudioFileGlobalInfo_AvailableFormatIDs: return CValue(array: try question.type().offeredFormats)
    case kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat:
      let pair = try question.number(AudioFileTypeAndFormatID.self)
      guard let type = AudioFileType.find(pair.mFileType) else { throw .fileTypeUnsupported }
      let found = type.streamDescriptions(pair.mFormatID)
      guard !found.isEmpty else { throw .fileFormatUnsupported }
      return CValue(array: found)
    case kAudioFileGlobalInfo_AllExtensions: return .object(.texts(unique(all.flatMap(\.extensions))))
    case kAudioFileGlobalInfo_AllHFSTypeCodes: return CValue(array: all.flatMap(\.hfsCodes))
    case kAudioFileGlobalInfo_AllUTIs: return .object(.texts(unique(all.flatMap(\.uniformTypes))))
    case kAudioFileGlobalInfo_AllMIMETypes: return .object(.texts(unique(all.flatMap(\.mimeTypes))))
    case kAudioFileGlobalInfo_ExtensionsForType: return .object(.texts(try question.type().extensions))
    case kAudioFileGlobalInfo_HFSTypeCodesForType: return CValue(array: try question.type().hfsCodes)
    case kAudioFileGlobalInfo_UTIsForType: return .object(.texts(try question.type().uniformTypes))
    case kAudioFileGlobalInfo_MIMETypesForType: return .object(.texts(try question.type().mimeTypes))
    case kAudioFileGlobalInfo_TypesForMIMEType:
      let name = try question.text().lowercased()
      return CValue(array: all.filter { $0.mimeTypes.contains(name) }.map(\.id))
    case kAudioFileGlobalInfo_TypesForUTI:
      let name = try question.text()
      return CValue(array: all.filter { $0.uniformTypes.contains(name) }.map(\.id))
    case kAudioFileGlobalInfo_TypesForHFSTypeCode:
      let code = try question.number(UInt32.self)
      return CValue(array: all.filter { $0.hfsCodes.contains(code) }.map(\.id))
    case kAudioFileGlobalInfo_TypesForExtension:
      let name = try question.text().lowercased()
      return CValue(array: all.filter { $0.extensions.contains(name) }.map(\.id))
    default: throw .filePropertyUnsupported
    }
  }

  private static func unique(_ names: [String]) -> [String] {
    var seen = Set<String>()
    return names.filter { seen.insert($0).inserted }
  }

  /// The arguments of a query.
  private struct Question {
    let specifier: UnsafeMutableRawPointer?
    let size: Int

    func number<T: BitwiseCopyable>(_ type: T.Type) throws(AudioStatus) -> T {
      guard let specifier, size == MemoryLayout<T>.size else { throw .filePropertySize }
      return specifier.loadUnaligned(as: type)
    }

    func type() throws(AudioStatus) -> AudioFileType {
      guard let found = AudioFileType.find(try number(UInt32.self)) else { throw .fileTypeUnsupported }
      return found
    }

    /// The specifier points to a CFStringRef.
    func text() throws(AudioStatus) -> String {
      guard let text = CFText.string(at: try number(UnsafeRawPointer?.self)) else { throw .parameterError }
      return text
    }
  }
}
