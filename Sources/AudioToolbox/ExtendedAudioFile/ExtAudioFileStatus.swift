// The result codes of ExtendedAudioFile.h as errors of Swift.

import AudioCore
import CAudioToolbox

extension AudioStatus {
  static let extInvalidProperty = AudioStatus(rawValue: kExtAudioFileError_InvalidProperty)
  static let extPropertySize = AudioStatus(rawValue: kExtAudioFileError_InvalidPropertySize)
  static let extNonPCMClient = AudioStatus(rawValue: kExtAudioFileError_NonPCMClientFormat)
  static let extChannelMap = AudioStatus(rawValue: kExtAudioFileError_InvalidChannelMap)
  static let extOperationOrder = AudioStatus(rawValue: kExtAudioFileError_InvalidOperationOrder)
  static let extDataFormat = AudioStatus(rawValue: kExtAudioFileError_InvalidDataFormat)
  static let extSeek = AudioStatus(rawValue: kExtAudioFileError_InvalidSeek)
  static let extAsyncTooLarge = AudioStatus(rawValue: kExtAudioFileError_AsyncWriteTooLarge)
  static let extAsyncOverflow = AudioStatus(rawValue: kExtAudioFileError_AsyncWriteBufferOverflow)
}
