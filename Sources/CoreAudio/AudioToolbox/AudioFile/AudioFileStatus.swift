// The result codes of AudioFile.h as errors of Swift, and the way to them from the system's and the engine's.

import AudioCore
import CAudioToolbox
import Glibc
import SoundFile

extension AudioStatus {
  static let fileUnspecified = AudioStatus(kAudioFileUnspecifiedError)
  static let fileTypeUnsupported = AudioStatus(kAudioFileUnsupportedFileTypeError)
  static let fileFormatUnsupported = AudioStatus(kAudioFileUnsupportedDataFormatError)
  static let filePropertyUnsupported = AudioStatus(kAudioFileUnsupportedPropertyError)
  static let filePropertySize = AudioStatus(kAudioFileBadPropertySizeError)
  static let filePermissions = AudioStatus(kAudioFilePermissionsError)
  static let fileNotOptimized = AudioStatus(kAudioFileNotOptimizedError)
  static let fileChunk = AudioStatus(kAudioFileInvalidChunkError)
  static let fileTooLarge = AudioStatus(kAudioFileDoesNotAllow64BitDataSizeError)
  static let filePacketOffset = AudioStatus(kAudioFileInvalidPacketOffsetError)
  static let fileInvalid = AudioStatus(kAudioFileInvalidFileError)
  static let fileOperationUnsupported = AudioStatus(kAudioFileOperationNotSupportedError)
  static let fileEnd = AudioStatus(kAudioFileEndOfFileError)
  static let filePosition = AudioStatus(kAudioFilePositionError)
  static let fileNotFound = AudioStatus(kAudioFileFileNotFoundError)

  /// The status in the C interface for an errno of opening, reading or writing a file.
  init(errorNumber: Int32) {
    switch errorNumber {
    case ENOENT, ENOTDIR: self = .fileNotFound
    case EACCES, EPERM, EROFS, EEXIST, EISDIR, EBADF: self = .filePermissions
    default: self = .fileUnspecified
    }
  }

  init(_ error: StorageError) {
    switch error {
    case .system(let number): self.init(errorNumber: number)
    case .status(let status): self.init(rawValue: status)
    }
  }
}

/// Runs a call of the storage, in the words of the C interface.
func stored<R>(_ body: () throws(StorageError) -> R) throws(AudioStatus) -> R {
  do { return try body() } catch { throw AudioStatus(error) }
}

/// As the other, for one call.
func stored<R>(_ call: @autoclosure () throws(StorageError) -> R) throws(AudioStatus) -> R { try stored(call) }
