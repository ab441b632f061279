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
}
