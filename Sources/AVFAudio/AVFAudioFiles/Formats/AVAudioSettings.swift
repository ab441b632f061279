// Keys of settings dictionaries. Names and strings: Apple's documentation of AVFAudio, where each key's string is its name.

/// An `AudioFormatID`: `kAudioFormatLinearPCM` and the like.
public let AVFormatIDKey = "AVFormatIDKey"
/// Hertz, a floating-point number.
public let AVSampleRateKey = "AVSampleRateKey"
/// A whole number.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// An `AudioChannelLayout`, as `Data`.
public let AVChannelLayoutKey = "AVChannelLayoutKey"
/// 8, 16, 24 or 32; 64 for floats.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// True: the most significant byte comes first.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// True: floats; false: integers.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// True: a buffer for each channel. Files are interleaved whatever it says.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"
/// An `AudioFileTypeID`; without it the extension of a file's name says the type.
public let AVAudioFileTypeKey = "AVAudioFileTypeKey"
/// An ``AVAudioQuality``.
public let AVEncoderAudioQualityKey = "AVEncoderAudioQualityKey"
/// An ``AVAudioQuality``, for encoders of variable bit rate.
public let AVEncoderAudioQualityForVBRKey = "AVEncoderAudioQualityForVBRKey"
/// Bits a second.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
/// Bits a second for each channel.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// `AVAudioBitRateStrategy_Constant` and the like.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"
/// 8 to 32: the bits of lossless encoders.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"
/// An ``AVAudioQuality``.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterAudioQualityKey"
/// ``AVSampleRateConverterAlgorithm_Normal`` and the like.
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"

/// The same number of bits in each second.
public let AVAudioBitRateStrategy_Constant = "AVAudioBitRateStrategy_Constant"
/// About the same over some seconds.
public let AVAudioBitRateStrategy_LongTermAverage = "AVAudioBitRateStrategy_LongTermAverage"
/// Variable, within bounds.
public let AVAudioBitRateStrategy_VariableConstrained = "AVAudioBitRateStrategy_VariableConstrained"
/// As many bits as the sound needs.
public let AVAudioBitRateStrategy_Variable = "AVAudioBitRateStrategy_Variable"

/// The usual filters of the rate conversion.
public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"
/// The longest filters.
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"
/// Filters of minimum phase.
public let AVSampleRateConverterAlgorithm_MinimumPhase = "AVSampleRateConverterAlgorithm_MinimumPhase"
