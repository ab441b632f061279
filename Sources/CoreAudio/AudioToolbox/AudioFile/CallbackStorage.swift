// A sound file that the client keeps: in memory, in a database, wherever its four functions reach.
// The functions are called on the thread of the call that needs them, and never after AudioFileClose.

import AudioCore
import CAudioToolbox
import SoundFile
import Synchronization

final class CallbackStorage: ByteStorage, @unchecked Sendable {
  private let clientData: UnsafeMutableRawPointer
  private let readProc: AudioFile_ReadProc
  private let writeProc: AudioFile_WriteProc?
  private let sizeProc: AudioFile_GetSizeProc
  private let setSizeProc: AudioFile_SetSizeProc?
  private let isClosed = Atomic<Bool>(false)
  /// The first error that a callback gave, for opening: libsndfile passes none on.
  private(set) var failure: StorageError?

  init(
    clientData: UnsafeMutableRawPointer, read: @escaping AudioFile_ReadProc, write: AudioFile_WriteProc?,
    getSize: @escaping AudioFile_GetSizeProc, setSize: AudioFile_SetSizeProc?
  ) {
    self.clientData = clientData
    readProc = read
    writeProc = write
    sizeProc = getSize
    setSizeProc = setSize
  }

  /// The client may free what its functions need from now on.
  func close() { isClosed.store(true, ordering: .sequentiallyConsistent) }

  /// The present result of the client's function: it may be another number each time. Limited so that places in a file
  /// can be added up.
  var length: Int64 { isOpen ? min(1 << 60, max(0, sizeProc(clientData))) : 0 }

  func read(_ bytes: UnsafeMutableRawPointer, count: Int, at offset: Int64) throws(StorageError) -> Int {
    var done = 0
    while done < count {
      guard isOpen else { throw .status(kAudioFileNotOpenError) }
      let wanted = UInt32(clamping: min(count - done, Self.largestRequest))
      var got: UInt32 = 0
      let status = readProc(clientData, offset + Int64(done), wanted, bytes + done, &got)
      // A client that reports the end as an error still delivers what it has.
      done += Int(min(got, wanted))
      if status == kAudioFileEndOfFileError { break }
      guard status == 0 else { throw note(status) }
      if got == 0 { break }
    }
    return done
  }

  func write(_ bytes: UnsafeRawPointer, count: Int, at offset: Int64) throws(StorageError) {
    guard let writeProc else { throw .status(kAudioFilePermissionsError) }
    var done = 0
    while done < count {
      guard isOpen else { throw .status(kAudioFileNotOpenError) }
      let wanted = UInt32(clamping: min(count - done, Self.largestRequest))
      var put: UInt32 = 0
      let status = writeProc(clientData, offset + Int64(done), wanted, bytes + done, &put)
      guard status == 0 else { throw note(status) }
      guard put > 0 else { throw note(kAudioFileUnspecifiedError) }
      done += Int(min(put, wanted))
    }
  }

  func setLength(_ length: Int64) throws(StorageError) {
    guard let setSizeProc else { return }
    guard isOpen else { throw .status(kAudioFileNotOpenError) }
    let status = setSizeProc(clientData, length)
    guard status == 0 else { throw note(status) }
  }

  private var isOpen: Bool { !isClosed.load(ordering: .sequentiallyConsistent) }

  private func note(_ status: OSStatus) -> StorageError {
    if failure == nil { failure = .status(status) }
    return .status(status)
  }

  private static let largestRequest = 1 << 30
}
