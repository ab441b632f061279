// The object behind an AudioUnit handle. Every AudioUnit function of the C interface is one method here, answered by a
// unit of this package (`NativeInstance`) or by a third-party component (`ForeignInstance`).

import AudioCore
import AudioEngine
import CAudioToolbox
import Synchronization
import Transcripts

class UnitInstance: HandleObject, @unchecked Sendable {
  static var handleKind: HandleKind { .unit }

  let component: ComponentEntry
  /// The domain that it renders in: its own, or its graph's.
  let domain: RenderDomain
  /// Held while the instance is edited.
  final let lock = RecursiveLock()
  /// Set once, before anyone else sees the instance.
  private(set) var handle: AudioUnit

  /// Its name in a transcript; nil if nothing is recorded.
  private(set) var callSubject: CallSubject?

  /// True for a ``NativeInstance``.
  final let isNative: Bool

  init(_ component: ComponentEntry, domain: RenderDomain, isNative: Bool = false) {
    self.isNative = isNative
    self.component = component
    self.domain = domain
    handle = AudioUnit(bitPattern: 1).unsafelyUnwrapped
  }

  /// Makes an instance of a component and gives it its handle.
  static func make(
    _ component: ComponentEntry, domain: RenderDomain = RenderDomain()
  ) throws(AudioStatus) -> UnitInstance {
    let instance = try component.makeInstance(domain)
    try instance.openWithHandle()
    return instance
  }

  /// Gives a fresh instance its handle and opens it.
  final func openWithHandle() throws(AudioStatus) {
    guard let handle = HandleTable.shared.insert(self) else {
      throw AudioStatus(kAudioComponentErr_TooManyInstances)
    }
    self.handle = handle
    callSubject = CallRecorder.shared?.makeSubject("\(FourCharCode(rawValue: component.description.componentSubType))")
    do {
      try open()
    } catch {
      _ = HandleTable.shared.remove(handle, UnitInstance.self)
      throw error
    }
  }

  /// Calls itself by the handle of an instance that answers by this one.
  final func stand(for handle: AudioUnit) { self.handle = handle }

  /// Ends an instance: stops it, frees what it holds, and lets its handle go stale.
  static func dispose(_ handle: AudioUnit?) -> OSStatus {
    guard let instance = HandleTable.shared.remove(handle, UnitInstance.self) else {
      return kAudio_ParamError
    }
    return instance.close()
  }

  // MARK: Edits

  /// Takes the lock. Inside a render call of these units it does not wait for an edit, and may fail.
  private func takeLock() -> Bool {
    guard !domain.isRenderingHere else { return lock.tryLock() }
    lock.lock()
    return true
  }

  /// Runs an edit. Inside a render call of these units it does not wait for another edit: it fails, to be tried again.
  final func edit(_ body: () throws(AudioStatus) -> Void) -> OSStatus {
    guard takeLock() else { return kAudioUnitErr_CannotDoInCurrentContext }
    defer { lock.unlock() }
    return status(body)
  }

  /// The sources of its inputs, in no order; none where the caller would have to wait for an edit.
  final var connectedSources: [InputSource] {
    guard takeLock() else { return [] }
    defer { lock.unlock() }
    return presentSources
  }

  // MARK: One method for each function

  /// Called once the handle is known.
  func open() throws(AudioStatus) {}
  func close() -> OSStatus { noErr }
  func canDo(_ selector: Int16) -> Bool { false }

  func initialize() -> OSStatus { kAudio_UnimplementedError }
  func uninitialize() -> OSStatus { kAudio_UnimplementedError }
  func reset(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> OSStatus { kAudio_UnimplementedError }
  func start() -> OSStatus { kAudio_UnimplementedError }
  func stop() -> OSStatus { kAudio_UnimplementedError }

  func propertyInfo(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    size: UnsafeMutablePointer<UInt32>?, isWritable: UnsafeMutablePointer<Bool>?
  ) -> OSStatus { kAudio_UnimplementedError }

  func property(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement, data: UnsafeMutableRawPointer?,
    size: UnsafeMutablePointer<UInt32>
  ) -> OSStatus { kAudio_UnimplementedError }

  func setProperty(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement, data: UnsafeRawPointer?,
    size: UInt32
  ) -> OSStatus { kAudio_UnimplementedError }

  func addPropertyListener(
    _ id: AudioUnitPropertyID, _ proc: AudioUnitPropertyListenerProc, _ userData: UnsafeMutableRawPointer?
  ) -> OSStatus { kAudio_UnimplementedError }

  /// - Parameter anyUserData: whatever was passed with the procedure.
  func removePropertyListener(
    _ id: AudioUnitPropertyID, _ proc: AudioUnitPropertyListenerProc, _ userData: UnsafeMutableRawPointer?,
    anyUserData: Bool
  ) -> OSStatus { kAudio_UnimplementedError }

  func addRenderNotify(_ proc: AURenderCallback, _ userData: UnsafeMutableRawPointer?) -> OSStatus {
    kAudio_UnimplementedError
  }

  func removeRenderNotify(_ proc: AURenderCallback, _ userData: UnsafeMutableRawPointer?) -> OSStatus {
    kAudio_UnimplementedError
  }

  func parameter(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    into value: UnsafeMutablePointer<AudioUnitParameterValue>
  ) -> OSStatus { kAudio_UnimplementedError }

  func setParameter(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    to value: AudioUnitParameterValue, bufferOffset: UInt32
  ) -> OSStatus { kAudio_UnimplementedError }

  func scheduleParameters(_ events: UnsafePointer<AudioUnitParameterEvent>, count: UInt32) -> OSStatus {
    kAudio_UnimplementedError
  }

  func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    bus: UInt32, frames: UInt32, _ data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus { kAudio_UnimplementedError }

  func process(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    frames: UInt32, _ data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus { kAudio_UnimplementedError }

  func processMultiple(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    frames: UInt32, inputCount: UInt32, _ inputs: UnsafeMutablePointer<UnsafePointer<AudioBufferList>>,
    outputCount: UInt32, _ outputs: UnsafeMutablePointer<UnsafeMutablePointer<AudioBufferList>>
  ) -> OSStatus { kAudio_UnimplementedError }

  // MARK: Sources of inputs

  /// Gives an input bus a source, or takes it away. The change is posted to the domain, or only prepared and added to
  /// `edits`, for a graph that lets several hold at once.
  ///
  /// A connection carries the format of its source over to the input, which is then frozen.
  func setSource(_ source: InputSource, input bus: UInt32, edits: inout [SharedValue.Edit]) -> OSStatus {
    kAudio_UnimplementedError
  }

  /// As ``setSource(_:input:edits:)``, at the edge before the next slice; returns when the former source is out of use.
  final func setSource(_ source: InputSource, input bus: UInt32) -> OSStatus {
    var edits: [SharedValue.Edit] = []
    let status = setSource(source, input: bus, edits: &edits)
    domain.post(edits)
    domain.settle()
    return status
  }

  /// The source of an input bus now, on the edit side.
  func source(ofInput bus: UInt32) -> InputSource { .none }
  /// The sources of its inputs, in no order. Call with the lock held.
  var presentSources: [InputSource] { [] }
  var isInitialized: Bool { false }
}

extension UnitInstance {
  /// Reads a property of fixed size; where that fails `value` stays as it is, or as a third-party component has left
  /// it.
  final func read<Value>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement, into value: inout Value
  ) -> OSStatus {
    var size = UInt32(MemoryLayout<Value>.size)
    return withUnsafeMutableBytes(of: &value) { property(id, scope, element, data: $0.baseAddress, size: &size) }
  }

  /// The stream format of a bus; nil where it has none.
  final func streamDescription(_ scope: AudioUnitScope, _ bus: AudioUnitElement) -> AudioStreamBasicDescription? {
    var format = AudioStreamBasicDescription()
    return read(kAudioUnitProperty_StreamFormat, scope, bus, into: &format) == noErr ? format : nil
  }

  /// Sets a property of fixed size.
  final func write<Value>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement, _ value: Value
  ) -> OSStatus {
    withUnsafeBytes(of: value) {
      setProperty(id, scope, element, data: $0.baseAddress, size: UInt32(MemoryLayout<Value>.size))
    }
  }
}

/// The source of an input bus, which has one at most.
enum InputSource {
  case none
  /// An output bus of another unit, by handle: a unit that is gone is an error and not a crash.
  case connection(source: AudioUnit, bus: UInt32)
  case callback(AURenderCallback, userData: UnsafeMutableRawPointer?)
}

/// Runs `body` with the instance of a handle.
///
/// - Returns: the result of `body`; -50 for a handle that is stale, foreign or null.
@inline(__always)
func withUnit(_ handle: AudioUnit?, _ body: (UnitInstance) -> OSStatus) -> OSStatus {
  HandleTable.shared.withObject(handle, UnitInstance.self, body) ?? kAudio_ParamError
}

/// Throws what a call has answered, unless that is 0: the way back from ``status(_:)``.
@inline(__always)
func ensureSuccess(_ status: OSStatus) throws(AudioStatus) {
  guard status == noErr else { throw AudioStatus(status) }
}

/// Runs a body that throws a status, and returns it.
@inline(__always)
func status(_ body: () throws(AudioStatus) -> Void) -> OSStatus {
  do {
    try body()
    return noErr
  } catch {
    return error.rawValue
  }
}

/// As the other, for one call: `status(try unit.initialize())`.
@inline(__always)
func status(_ call: @autoclosure () throws(AudioStatus) -> Void) -> OSStatus { status(call) }
