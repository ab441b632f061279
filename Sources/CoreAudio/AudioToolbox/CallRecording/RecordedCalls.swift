// Calls of the C interface, and of the program's functions, as a transcript has them. If nothing is recorded, a call
// costs one check of that.

import AudioCore
import CAudioToolbox
import Transcripts

/// Carries out a function of the C interface, recorded where calls are.
///
/// - Parameters:
///   - subject: the object that is called; evaluated beforehand.
///   - arguments: as they are to be read.
///   - result: the text of its results besides its status, if that is 0.
@inline(__always)
func recorded(
  _ subject: @autoclosure () -> CallSubject? = nil, _ arguments: @autoclosure () -> String = "",
  result: @autoclosure () -> String = "", function: StaticString = #function, _ body: () -> OSStatus
) -> OSStatus {
  guard let recorder = CallRecorder.shared else { return body() }
  let mark = recorder.begin(.function, function, subject(), arguments: arguments())
  let status = body()
  recorder.end(mark, status: status, result: status == noErr ? result() : "")
  return status
}

/// ``withUnit(_:_:)`` for a function of the C interface: see ``recorded(_:_:result:function:_:)``.
@inline(__always)
func callUnit(
  _ handle: AudioUnit?, _ arguments: @autoclosure () -> String = "", result: @autoclosure () -> String = "",
  function: StaticString = #function, _ body: (UnitInstance) -> OSStatus
) -> OSStatus {
  guard CallRecorder.shared != nil else { return withUnit(handle, body) }
  return recorded(CallSubject(unit: handle), arguments(), result: result(), function: function) {
    withUnit(handle, body)
  }
}

/// Carries out a call that renders, or that asks the program to, recorded with its flags before and after.
///
/// - Parameter explanation: the error of the arguments, if they are refused.
@inline(__always)
func recordedRender(
  _ kind: CallKind, _ name: StaticString, _ subject: @autoclosure () -> CallSubject?,
  _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ timeStamp: UnsafePointer<AudioTimeStamp>?,
  bus: Int?, frames: UInt32, explanation: @autoclosure () -> String = "", _ body: () -> OSStatus
) -> OSStatus {
  guard let recorder = CallRecorder.shared else { return body() }
  let stamp = CallText.read(timeStamp, as: AudioTimeStamp.self)
  let time = stamp.flatMap { $0.mFlags.contains(.sampleTimeValid) ? $0.mSampleTime : nil } ?? .nan
  let mark = recorder.begin(
    kind, name, subject(),
    at: CallMoment(
      sampleTime: time, frames: Int(frames), bus: bus,
      flags: CallText.read(flags, as: AudioUnitRenderActionFlags.self)?.rawValue ?? 0))
  let status = body()
  recorder.end(
    mark, status: status, result: status == kAudio_ParamError ? explanation() : "",
    flags: CallText.read(flags, as: AudioUnitRenderActionFlags.self)?.rawValue)
  return status
}

/// Carries out a call of the program's that returns nothing.
@inline(__always)
func recordedCallback(
  _ name: StaticString, _ subject: @autoclosure () -> CallSubject? = nil, _ arguments: @autoclosure () -> String = "",
  _ body: () -> Void
) {
  guard let recorder = CallRecorder.shared else { return body() }
  let mark = recorder.begin(.callback, name, subject(), arguments: arguments())
  body()
  recorder.end(mark)
}

// Each is nil for a handle that is stale.
extension CallSubject {
  init?(unit handle: AudioUnit?) { self.init(handle, UnitInstance.self) { $0.callSubject } }
  init?(file handle: AudioFileID?) { self.init(handle, AudioFileObject.self) { $0.callSubject } }
  init?(extendedFile handle: ExtAudioFileRef?) { self.init(handle, ExtAudioFileObject.self) { $0.callSubject } }
  init?(queue handle: AudioQueueRef?) { self.init(handle, AudioQueueObject.self) { $0.callSubject } }
  init?(stream handle: AudioFileStreamID?) { self.init(handle, AudioFileStreamObject.self) { $0.callSubject } }
  init?(graph handle: AUGraph?) { self.init(handle, GraphModel.self) { $0.callSubject } }

  private init?<Object: HandleObject>(
    _ handle: OpaquePointer?, _ type: Object.Type, _ subject: (Object) -> CallSubject?
  ) {
    guard let subject = HandleTable.shared.withObject(handle, type, subject) ?? nil else { return nil }
    self = subject
  }
}
