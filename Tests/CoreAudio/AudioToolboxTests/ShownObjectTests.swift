import AudioToolbox
import Foundation
import TestSupport
import Testing

@Suite("CAShow says what every kind of handle stands for")
struct ShownObjectTests {
  private func shown(_ object: OpaquePointer?) -> String { ShownObject(UnsafeMutableRawPointer(object)).text }

  @Test("Converters: both formats")
  func converters() throws {
    var source = AudioStreamBasicDescription(
      mSampleRate: 44_100, mFormatID: kAudioFormatULaw, mFormatFlags: 0, mBytesPerPacket: 1, mFramesPerPacket: 1,
      mBytesPerFrame: 1, mChannelsPerFrame: 1, mBitsPerChannel: 8, mReserved: 0)
    var target = AudioStreamBasicDescription(
      mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked, mBytesPerPacket: 4, mFramesPerPacket: 1,
      mBytesPerFrame: 4, mChannelsPerFrame: 1, mBitsPerChannel: 32, mReserved: 0)
    var made: AudioConverterRef?
    try #require(AudioConverterNew(&source, &target, &made) == noErr)
    let converter = try #require(made)
    let text = shown(converter)
    #expect(text.hasPrefix("AudioConverter 0x\(String(UInt(bitPattern: converter), radix: 16)): [muLaw, 44100 Hz"))
    #expect(text.contains("] => [48000 Hz") && text.hasSuffix("]\n"))
    AudioConverterDispose(converter)
    #expect(shown(converter).hasSuffix("not a graph, unit or component\n"))
  }

  @Test("Files: container, format and length; extended ones with what the client reads")
  func files() throws {
    let folder = TemporaryFolder()
    var format = AudioStreamBasicDescription(
      mSampleRate: 22_050, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: 2,
      mFramesPerPacket: 1, mBytesPerFrame: 2, mChannelsPerFrame: 1, mBitsPerChannel: 16, mReserved: 0)
    var made: AudioFileID?
    let url = URL(filePath: folder.file("shown.wav"))
    try #require(AudioFileCreateWithURL(url, kAudioFileWAVEType, &format, .eraseFile, &made) == noErr)
    let file = try #require(made)
    var (samples, packets) = ([Int16](repeating: 1, count: 3), UInt32(3))
    expectNoError(AudioFileWritePackets(file, false, 6, nil, 0, &packets, &samples))
    let text = shown(file)
    #expect(text.hasPrefix("AudioFile 0x") && text.contains("'WAVE', [22050 Hz") && text.hasSuffix("], 3 frames\n"))
    expectNoError(AudioFileClose(file))

    var opened: ExtAudioFileRef?
    try #require(ExtAudioFileOpenURL(url, &opened) == noErr)
    let extended = try #require(opened)
    #expect(shown(extended).hasPrefix("ExtAudioFile 0x") && shown(extended).contains(": reading AudioFile 0x"))
    #expect(shown(extended).contains("3 frames; [22050 Hz"))
    ExtAudioFileDispose(extended)
  }

  @Test("Buffers: sizes, and words of each kind, none beyond their bytes")
  func buffers() {
    var bytes: [UInt8] = [0, 0, 0x80, 0x3F, 0xFF, 0xFE, 0x80, 0x00]
    bytes.withUnsafeMutableBytes { memory in
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(mNumberChannels: 2, mDataByteSize: 8, mData: memory.baseAddress))
      func words(_ frames: Int32, _ wordSize: Int32) -> Substring? {
        let text = ShownValues.text(of: &list, frames: frames, wordSize: wordSize)
        #expect(text.hasPrefix("AudioBufferList 0x") && text.contains("  buffer 0: 2 channels, 8 bytes at 0x"))
        return text.split(separator: ": ").dropFirst(3).first.map { $0.dropLast() }
      }
      #expect(words(1, 2) == "0 -32705")
      #expect(words(1, -2) == "0 16256")
      #expect(words(100, -2) == "0 16256 -257 128")
      #expect(words(1, 1) == "0 0" && words(4, 1) == "0 0 -128 63 -1 -2 -128 0")
      #expect(words(1, 3) == "128 4194302")
      #expect(words(1, 0)?.hasPrefix("1.0 ") == true)
      #expect(words(0, 2) == nil && words(-1, 2) == nil && words(1, 5) == nil && words(1, .min) == nil)
      #expect(words(.max, 4) == "32831 -98304")
    }
    var empty = AudioBufferList(
      mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 40, mData: nil))
    #expect(ShownValues.text(of: &empty, frames: 3, wordSize: 0).hasSuffix("1 channels, 40 bytes, no memory\n"))
    #expect(ShownValues.text(of: nil, frames: 3, wordSize: 0) == "AudioBufferList: null\n")
  }

  @Test("Layouts and descriptions: tags, channels and codes")
  func layouts() {
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_A
    #expect(ShownValues.text(of: &layout).hasSuffix(" (L R C LFE Ls Rs)\n"))
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelBitmap
    layout.mChannelBitmap = [.bit_Left, .bit_Right]
    #expect(ShownValues.text(of: &layout).contains(": tag 0x10000, bitmap 0x3, "))
    layout.mChannelLayoutTag = 0xFFFF_0000
    #expect(ShownValues.text(of: &layout).hasSuffix(", unknown channels\n"))
    var description = GraphBench.description(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    #expect(
      ShownValues.text(of: &description) == "AudioComponentDescription: 'aumx' 'mcmx' 'appl', flags 0x0, mask 0x0\n")
  }
}
