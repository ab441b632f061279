import AudioCore
import AudioToolbox
import CoreFoundation
import TestSupport
import Testing

/// The catalogue of file types. Extensions and types: the SDK's header.
@Suite struct AudioFileCatalogueTests {
  private func numbers(_ id: AudioFilePropertyID, _ specifier: UInt32? = nil) throws -> [UInt32] {
    var (size, number) = (UInt32(0), specifier ?? 0)
    let given = UInt32(specifier == nil ? 0 : 4)
    try #require(AudioFileGetGlobalInfoSize(id, given, &number, &size) == 0)
    var result = [UInt32](repeating: 0, count: Int(size / 4))
    try #require(AudioFileGetGlobalInfo(id, given, &number, &size, &result) == 0)
    return result
  }

  private func texts(_ id: AudioFilePropertyID, _ type: UInt32? = nil) throws -> [String] {
    var (array, size, number) = (Unmanaged<CFArray>?.none, UInt32(8), type ?? 0)
    try #require(AudioFileGetGlobalInfo(id, type == nil ? 0 : 4, &number, &size, &array) == 0)
    let list = try #require(array).takeRetainedValue()
    return (0..<CFArrayGetCount(list)).compactMap { index in
      CFArrayGetValueAtIndex(list, index).flatMap { string($0) }
    }
  }

  private func types(_ id: AudioFilePropertyID, named name: String) throws -> [UInt32] {
    let text = CFStringCreateWithCString(kCFAllocatorDefault, name, CFStringBuiltInEncodings.UTF8.rawValue)
    var specifier = Unmanaged.passUnretained(try #require(text)).toOpaque()
    var (size, result) = (UInt32(80), [UInt32](repeating: 0, count: 20))
    try #require(AudioFileGetGlobalInfo(id, 8, &specifier, &size, &result) == 0)
    withExtendedLifetime(text) {}
    return Array(result[..<Int(size / 4)])
  }

  private func string(_ pointer: UnsafeRawPointer) -> String? {
    let text = Unmanaged<CFString>.fromOpaque(pointer).takeUnretainedValue()
    var characters = [CChar](repeating: 0, count: 200)
    guard CFStringGetCString(text, &characters, 200, CFStringBuiltInEncodings.UTF8.rawValue) else { return nil }
    return String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  @Test func typesHaveNamesAndExtensions() throws {
    let readable = try numbers(kAudioFileGlobalInfo_ReadableTypes)
    let writable = try numbers(kAudioFileGlobalInfo_WritableTypes)
    #expect(Set(readable).isSuperset(of: writable))
    for type in [kAudioFileWAVEType, kAudioFileAIFFType, kAudioFileAIFCType, kAudioFileCAFType, kAudioFileFLACType] {
      #expect(writable.contains(type))
    }
    #expect(readable.contains(kAudioFileMP3Type) && !writable.contains(kAudioFileMP3Type))
    #expect(readable.contains(kAudioFileM4AType) && !writable.contains(kAudioFileM4AType))
    #expect(try texts(kAudioFileGlobalInfo_ExtensionsForType, kAudioFileWAVEType).first == "wav")
    #expect(try texts(kAudioFileGlobalInfo_MIMETypesForType, kAudioFileMP3Type).contains("audio/mpeg"))
    #expect(try texts(kAudioFileGlobalInfo_UTIsForType, kAudioFileAIFFType) == ["public.aiff-audio"])
    #expect(try texts(kAudioFileGlobalInfo_AllExtensions).contains("caf"))
    #expect(try !texts(kAudioFileGlobalInfo_AllMIMETypes).isEmpty && !texts(kAudioFileGlobalInfo_AllUTIs).isEmpty)
    #expect(try !numbers(kAudioFileGlobalInfo_AllHFSTypeCodes).isEmpty)
    #expect(try numbers(kAudioFileGlobalInfo_TypesForHFSTypeCode, kAudioFileAIFFType) == [kAudioFileAIFFType])
    #expect(try numbers(kAudioFileGlobalInfo_HFSTypeCodesForType, kAudioFileAIFCType) == [kAudioFileAIFCType])
    #expect(try types(kAudioFileGlobalInfo_TypesForExtension, named: "WAV").first == kAudioFileWAVEType)
    #expect(try types(kAudioFileGlobalInfo_TypesForExtension, named: "docx") == [])
    #expect(try types(kAudioFileGlobalInfo_TypesForMIMEType, named: "audio/flac") == [kAudioFileFLACType])
    #expect(try types(kAudioFileGlobalInfo_TypesForUTI, named: "public.mp3") == [kAudioFileMP3Type])
    var (name, size, type) = (Unmanaged<CFString>?.none, UInt32(8), kAudioFileCAFType)
    #expect(AudioFileGetGlobalInfo(kAudioFileGlobalInfo_FileTypeName, 4, &type, &size, &name) == 0)
    #expect(string(try #require(name).toOpaque()) == "CAF")
    name?.release()
  }

  /// As xamarin-macios, tests/monotouch-test/AudioToolbox/AudioFileGlobalInfoTest.cs, asks on Macs.
  @Test func everyTypeHasFormatsExtensionsMimeTypesAndUniformTypes() throws {
    for type in try numbers(kAudioFileGlobalInfo_ReadableTypes) {
      for question in [
        kAudioFileGlobalInfo_ExtensionsForType, kAudioFileGlobalInfo_MIMETypesForType, kAudioFileGlobalInfo_UTIsForType,
      ] {
        // LOAS has no uniform type.
        let isNameless = type == kAudioFileLATMInLOASType && question == kAudioFileGlobalInfo_UTIsForType
        #expect(try texts(question, type).isEmpty == isNameless, "\(AudioCore.FourCharCode(rawValue: type))")
      }
      let formats = try numbers(kAudioFileGlobalInfo_AvailableFormatIDs, type)
      #expect(!formats.isEmpty)
      for format in formats {
        var pair = AudioFileTypeAndFormatID(mFileType: type, mFormatID: format)
        var size: UInt32 = 0
        #expect(
          AudioFileGetGlobalInfoSize(kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, 8, &pair, &size) == 0)
        #expect(size >= 40)
      }
    }
    #expect(try numbers(kAudioFileGlobalInfo_AvailableFormatIDs, kAudioFileMP3Type) == [kAudioFormatMPEGLayer3])
    #expect(
      try types(kAudioFileGlobalInfo_TypesForUTI, named: "com.microsoft.waveform-audio").first == kAudioFileWAVEType)
  }

  /// Whatever the catalogue offers can be created, but for a rate and channels.
  @Test func everyDescriptionThatIsOfferedCanBeWritten() throws {
    let folder = TemporaryFolder()
    for type in try numbers(kAudioFileGlobalInfo_WritableTypes) {
      for id in try numbers(kAudioFileGlobalInfo_AvailableFormatIDs, type) {
        var pair = AudioFileTypeAndFormatID(mFileType: type, mFormatID: id)
        var (size, list) = (UInt32(0), [AudioStreamBasicDescription](repeating: .init(), count: 30))
        #expect(
          AudioFileGetGlobalInfoSize(kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, 8, &pair, &size) == 0)
        #expect(
          AudioFileGetGlobalInfo(kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, 8, &pair, &size, &list) == 0
        )
        #expect(size > 0)
        for offered in list[..<Int(size / 40)] {
          var format = offered
          format.mSampleRate = 48_000
          format.mChannelsPerFrame = 2
          if id == kAudioFormatLinearPCM {
            format.mBytesPerFrame = format.mBitsPerChannel / 4
            format.mBytesPerPacket = format.mBytesPerFrame
          }
          var file: ExtAudioFileRef?
          #expect(ExtAudioFileCreateWithURL(makeURL(folder.file("a")), type, &format, nil, 1, &file) == 0)
          if let file { #expect(ExtAudioFileDispose(file) == 0) }
        }
      }
    }
  }

  @Test func questionsThatMakeNoSenseAreErrors() throws {
    var (size, type) = (UInt32(80), kAudioFileSoundDesigner2Type)
    var room = [UInt8](repeating: 0, count: 80)
    #expect(
      AudioFileGetGlobalInfo(kAudioFileGlobalInfo_ExtensionsForType, 4, &type, &size, &room)
        == kAudioFileUnsupportedFileTypeError)
    #expect(
      AudioFileGetGlobalInfo(kAudioFileGlobalInfo_ExtensionsForType, 3, &type, &size, &room)
        == kAudioFileBadPropertySizeError)
    #expect(
      AudioFileGetGlobalInfo(kAudioFileGlobalInfo_ExtensionsForType, 0, nil, &size, &room)
        == kAudioFileBadPropertySizeError)
    #expect(AudioFileGetGlobalInfo(0x7878_7878, 0, nil, &size, &room) == kAudioFileUnsupportedPropertyError)
    size = 3
    #expect(
      AudioFileGetGlobalInfo(kAudioFileGlobalInfo_ReadableTypes, 0, nil, &size, &room) == kAudioFileBadPropertySizeError
    )
    var pair = AudioFileTypeAndFormatID(mFileType: kAudioFileWAVEType, mFormatID: kAudioFormatMPEG4AAC)
    #expect(
      AudioFileGetGlobalInfoSize(kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, 8, &pair, &size)
        == kAudioFileUnsupportedDataFormatError)
  }
}
