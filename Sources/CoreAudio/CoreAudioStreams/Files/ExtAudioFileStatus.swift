// The result codes of ExtendedAudioFile.h as errors of Swift.

import AudioCore
import CAudioToolbox

extension AudioStatus {
  package static let extInvalidProperty = AudioStatus(kExtAudioFileError_InvalidProperty)
  package static let extPropertySize = AudioStatus(kExtAudioFileError_InvalidPropertySize)
  package static let extNonPCMClient = AudioStatus(kExtAudioFileError_NonPCMClientFormat)
  package static let extChannelMap = AudioStatus(kExtAudioFileError_InvalidChannelMap)
  package static let extOperationOrder = AudioStatus(kExtAudioFileError_InvalidOperationOrder)
  package static let extDataFormat = AudioStatus(kExtAudioFileError_InvalidDataFormat)
  package static let extSeek = AudioStatus(kExtAudioFileError_InvalidSeek)
  package static let extAsyncTooLarge = AudioStatus(kExtAudioFileError_AsyncWriteTooLarge)
  package static let extAsyncOverflow = AudioStatus(kExtAudioFileError_AsyncWriteBufferOverflow)
}
