import AVFAudio
import Testing

@Suite("AVAudioFormat: what is made, what is refused, what is equal")
struct AVAudioFormatTests {
  private func format(_ common: AVAudioCommonFormat, _ rate: Double, _ channels: UInt32, _ interleaved: Bool = false)
    -> AVAudioFormat?
  {
    AVAudioFormat(commonFormat: common, sampleRate: rate, channels: channels, interleaved: interleaved)
  }

  @Test("A common format has the description that Core Audio gives it")
  func descriptions() throws {
    // Common format, interleaved, flags, bits, bytes of a frame of two channels.
    let rows: [(AVAudioCommonFormat, Bool, UInt32, UInt32, UInt32)] = [
      (.pcmFormatFloat32, false, 0x29, 32, 4), (.pcmFormatFloat32, true, 0x09, 32, 8),
      (.pcmFormatFloat64, false, 0x29, 64, 8), (.pcmFormatFloat64, true, 0x09, 64, 16),
      (.pcmFormatInt16, false, 0x2C, 16, 2), (.pcmFormatInt16, true, 0x0C, 16, 4),
      (.pcmFormatInt32, false, 0x2C, 32, 4), (.pcmFormatInt32, true, 0x0C, 32, 8),
    ]
    for (common, interleaved, flags, bits, bytes) in rows {
      let made = try #require(format(common, 44_100, 2, interleaved))
      let description = made.streamDescription.pointee
      #expect(description.mFormatID == kAudioFormatLinearPCM)
      #expect(description.mFormatFlags == flags)
      #expect(description.mBitsPerChannel == bits)
      #expect(description.mBytesPerFrame == bytes)
      #expect(description.mBytesPerPacket == bytes)
      #expect(description.mFramesPerPacket == 1)
      #expect(made.commonFormat == common)
      #expect(made.isInterleaved == interleaved)
      #expect(made.isStandard == (common == .pcmFormatFloat32 && !interleaved))
      #expect((made.sampleRate, made.channelCount) == (44_100, 2))
    }
  }

  @Test("More than two channels need a layout with as many; none are refused")
  func layouts() throws {
    #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 3) == nil)
    #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 0) == nil)
    #expect(format(.otherFormat, 48_000, 2) == nil)
    let surround = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
    #expect(surround.channelCount == 6)
    let six = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: surround)
    #expect(six.channelCount == 6)
    var description = six.streamDescription.pointee
    #expect(AVAudioFormat(streamDescription: &description) == nil)
    #expect(AVAudioFormat(streamDescription: &description, channelLayout: surround) == six)
    description.mChannelsPerFrame = 5
    #expect(AVAudioFormat(streamDescription: &description, channelLayout: surround) == nil)
    #expect(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_UseChannelDescriptions) == nil)
  }

  @Test("A format without arguments is of nothing, and equal to another such only")
  func nothing() throws {
    let nothing = AVAudioFormat()
    #expect((nothing.sampleRate, nothing.channelCount, nothing.commonFormat) == (0, 0, .otherFormat))
    #expect(!nothing.isStandard)
    #expect(nothing == AVAudioFormat())
    let mono = try #require(format(.pcmFormatFloat32, 44_100, 1))
    #expect(nothing != mono)
    #expect(AVAudioConverter(from: nothing, to: mono) == nil)
  }

  @Test("Equal are formats whose sound is the same; a layout of two channels may be left unsaid")
  func equality() throws {
    let mono = try #require(format(.pcmFormatInt16, 8000, 1, false))
    #expect(mono == format(.pcmFormatInt16, 8000, 1, true))
    let stereo = try #require(format(.pcmFormatInt16, 8000, 2, false))
    for other in [
      format(.pcmFormatInt16, 8000, 2, true), format(.pcmFormatInt32, 8000, 2), format(.pcmFormatInt16, 8001, 2), mono,
    ] { #expect(stereo != other) }
    let stereoTag = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
    let said = AVAudioFormat(
      commonFormat: .pcmFormatInt16, sampleRate: 8000, interleaved: false, channelLayout: stereoTag)
    #expect(stereo == said)
    #expect(stereo.hash == said.hash)
    func five(_ tag: AudioChannelLayoutTag) throws -> AVAudioFormat {
      let layout = try #require(AVAudioChannelLayout(layoutTag: tag))
      return AVAudioFormat(standardFormatWithSampleRate: 8000, channelLayout: layout)
    }
    #expect(try five(kAudioChannelLayoutTag_MPEG_5_1_A) != five(kAudioChannelLayoutTag_MPEG_5_1_B))
    #expect(try five(kAudioChannelLayoutTag_MPEG_5_1_A) == five(kAudioChannelLayoutTag_MPEG_5_1_A))
  }

  @Test("Settings say what a format is, and make it again; what they contradict is refused")
  func settings() throws {
    let surround = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_AudioUnit_5_1))
    let formats = [
      format(.pcmFormatFloat32, 44_100, 2), format(.pcmFormatFloat64, 96_000, 1, true),
      format(.pcmFormatInt16, 8000, 2),
      format(.pcmFormatInt32, 8000, 2, true),
      AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: surround),
    ]
    for case let format? in formats { #expect(AVAudioFormat(settings: format.settings) == format) }
    let plain: [String: Any] = [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 8000, AVNumberOfChannelsKey: 1]
    let made = try #require(AVAudioFormat(settings: plain))
    #expect((made.commonFormat, made.isInterleaved) == (.pcmFormatInt16, true))
    let faults: [[String: Any]] = [
      [AVSampleRateKey: 0], [AVSampleRateKey: "fast"], [AVNumberOfChannelsKey: 0], [AVNumberOfChannelsKey: 6],
      [AVNumberOfChannelsKey: 1.5], [AVLinearPCMBitDepthKey: 4], [AVLinearPCMBitDepthKey: 12],
      [AVLinearPCMBitDepthKey: 64], [AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 16],
      [AVFormatIDKey: "lpcm"], [AVChannelLayoutKey: Data([1, 2])],
    ]
    for fault in faults {
      #expect(AVAudioFormat(settings: plain.merging(fault) { $1 }) == nil, "\(fault)")
    }
    let ulaw = try #require(
      AVAudioFormat(settings: [AVFormatIDKey: kAudioFormatULaw, AVSampleRateKey: 8000.0, AVNumberOfChannelsKey: 2]))
    #expect(ulaw.streamDescription.pointee.mBytesPerPacket == 2)
    #expect(ulaw.commonFormat == .otherFormat)
  }
}
