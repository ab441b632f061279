// The result codes of ExtendedAudioFile.h as errors of Swift.

import AudioCore
import CAudioToolbox

extension AudioStatus {
  static let extInvalidProperty = AudioStatus(kExtAudioFileError_InvalidProperty)
  static let extPropertySize = AudioStatus(kExtAudioFileError_InvalidPropertySize)
  static let extNonPCMClient = AudioStatus(kExtAudioFileError_NonPCMClientFormat)
  static let extChannelMap = AudioStatus(kExtAudioFileError_InvalidChannelMap)
  static let extOperationOrder = AudioStatus(kExtAudioFileError_InvalidOperationOrder)
  static let extDataFormat = AudioStatus(kExtAudioFileError_InvalidDataFormat)
  static let extSeek = AudioStatus(kExtAudioFileError_InvalidSeek)
  static let extAsyncTooLarge = AudioStatus(kExtAudioFileError_AsyncWriteTooLarge)
  static let extAsyncOverflow = AudioStatus(kExtAudioFileError_AsyncWriteBufferOverflow)
}
