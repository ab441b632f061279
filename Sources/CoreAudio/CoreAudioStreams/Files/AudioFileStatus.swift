// The result codes of AudioFile.h as errors of Swift, and the way to them from the system's and the engine's.

import AudioCore
import CAudioToolbox
import Glibc
import SoundFile

extension AudioStatus {
  package static let fileUnspecified = AudioStatus(kAudioFileUnspecifiedError)
  package static let fileTypeUnsupported = AudioStatus(kAudioFileUnsupportedFileTypeError)
  package static let fileFormatUnsupported = AudioStatus(kAudioFileUnsupportedDataFormatError)
  package static let filePropertyUnsupported = AudioStatus(kAudioFileUnsupportedPropertyError)
  package static let filePropertySize = AudioStatus(kAudioFileBadPropertySizeError)
  package static let filePermissions = AudioStatus(kAudioFilePermissionsError)
  package static let fileNotOptimized = AudioStatus(kAudioFileNotOptimizedError)
  package static let fileChunk = AudioStatus(kAudioFileInvalidChunkError)
  package static let fileTooLarge = AudioStatus(kAudioFileDoesNotAllow64BitDataSizeError)
  package static let filePacketOffset = AudioStatus(kAudioFileInvalidPacketOffsetError)
  package static let fileInvalid = AudioStatus(kAudioFileInvalidFileError)
  package static let fileOperationUnsupported = AudioStatus(kAudioFileOperationNotSupportedError)
  package static let fileEnd = AudioStatus(kAudioFileEndOfFileError)
  package static let filePosition = AudioStatus(kAudioFilePositionError)
  package static let fileNotFound = AudioStatus(kAudioFileFileNotFoundError)

  /// The status in the C interface for an errno of opening, reading or writing a file.
  package init(errorNumber: Int32) {
    switch errorNumber {
    case ENOENT, ENOTDIR: self = .fileNotFound
    case EACCES, EPERM, EROFS, EEXIST, EISDIR, EBADF: self = .filePermissions
    default: self = .fileUnspecified
    }
  }

  package init(_ error: StorageError) {
    switch error {
    case .system(let number): self.init(errorNumber: number)
    case .status(let status): self.init(rawValue: status)
    }
  }
}

/// Runs a call of the storage, in the words of the C interface.
package func stored<R>(_ body: () throws(StorageError) -> R) throws(AudioStatus) -> R {
  do { return try body() } catch { throw AudioStatus(error) }
}

/// As the other, for one call.
package func stored<R>(_ call: @autoclosure () throws(StorageError) -> R) throws(AudioStatus) -> R { try stored(call) }
