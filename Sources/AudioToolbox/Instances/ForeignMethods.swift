// The one file that calls the methods of a third-party component: their types are known by selector alone.

import CAudioToolbox
import CForeign

/// The methods of one component instance, looked up once; a missing one answers -4.
struct ForeignMethods: @unchecked Sendable {
  private let object: UnsafeMutableRawPointer
  private let table: [Int: UnsafeRawPointer]

  private static let selectors: [Int] =
    Array(0x01...0x15).map { Int($0) } + [Int(kAudioOutputUnitStartSelect), Int(kAudioOutputUnitStopSelect)]
    + Array(0x101...0x107)

  // Rendering looks nothing up.
  private let renderMethod: UnsafeRawPointer?

  init(object: UnsafeMutableRawPointer, lookup: @convention(c) (Int16) -> AudioComponentMethod?) {
    self.object = object
    var table: [Int: UnsafeRawPointer] = [:]
    for selector in Self.selectors {
      if let method = lookup(Int16(selector)) { table[selector] = unsafeBitCast(method, to: UnsafeRawPointer.self) }
    }
    self.table = table
    renderMethod = table[Int(kAudioUnitRenderSelect)]
  }

  func canDo(_ selector: Int16) -> Bool { table[Int(selector)] != nil }

  /// The method of a selector as a function of a type.
  private func method<Function>(_ selector: some BinaryInteger, as type: Function.Type) -> Function? {
    table[Int(selector)].map { unsafeBitCast($0, to: Function.self) }
  }

  /// Calls a method that only instruments have.
  func call<Function>(
    _ selector: some BinaryInteger, as type: Function.Type, _ body: (Function, UnsafeMutableRawPointer) -> OSStatus
  ) -> OSStatus {
    method(selector, as: type).map { body($0, object) } ?? kAudio_UnimplementedError
  }

  private typealias Object = UnsafeMutableRawPointer
  private typealias Context = UnsafeMutableRawPointer?

  /// A method without arguments: initialize, uninitialize, start, stop.
  func call(_ selector: some BinaryInteger) -> OSStatus {
    table[Int(selector)].map { foreign_call($0, object) } ?? kAudio_UnimplementedError
  }

  func reset(_ scope: UInt32, _ element: UInt32) -> OSStatus {
    method(kAudioUnitResetSelect, as: (@convention(c) (Object, UInt32, UInt32) -> OSStatus).self)?(
      object, scope, element) ?? kAudio_UnimplementedError
  }

  func propertyInfo(
    _ id: UInt32, _ scope: UInt32, _ element: UInt32, _ size: UnsafeMutablePointer<UInt32>?,
    _ isWritable: UnsafeMutablePointer<Bool>?
  ) -> OSStatus {
    typealias Method =
      @convention(c) (
        Object, UInt32, UInt32, UInt32, UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<Bool>?
      ) -> OSStatus
    return method(kAudioUnitGetPropertyInfoSelect, as: Method.self)?(object, id, scope, element, size, isWritable)
      ?? kAudio_UnimplementedError
  }

  func property(
    _ id: UInt32, _ scope: UInt32, _ element: UInt32, _ data: UnsafeMutableRawPointer?,
    _ size: UnsafeMutablePointer<UInt32>
  ) -> OSStatus {
    typealias Method =
      @convention(c) (
        Object, UInt32, UInt32, UInt32, UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt32>
      ) -> OSStatus
    return method(kAudioUnitGetPropertySelect, as: Method.self)?(object, id, scope, element, data, size)
      ?? kAudio_UnimplementedError
  }

  func setProperty(
    _ id: UInt32, _ scope: UInt32, _ element: UInt32, _ data: UnsafeRawPointer?, _ size: UInt32
  ) -> OSStatus {
    typealias Method = @convention(c) (Object, UInt32, UInt32, UInt32, UnsafeRawPointer?, UInt32) -> OSStatus
    return method(kAudioUnitSetPropertySelect, as: Method.self)?(object, id, scope, element, data, size)
      ?? kAudio_UnimplementedError
  }

  func addPropertyListener(_ id: UInt32, _ proc: AudioUnitPropertyListenerProc, _ userData: UnsafeMutableRawPointer?)
    -> OSStatus
  {
    typealias Method = @convention(c) (Object, UInt32, AudioUnitPropertyListenerProc, Context) -> OSStatus
    return method(kAudioUnitAddPropertyListenerSelect, as: Method.self)?(object, id, proc, userData)
      ?? kAudio_UnimplementedError
  }

  func removePropertyListener(_ id: UInt32, _ proc: AudioUnitPropertyListenerProc) -> OSStatus {
    typealias Method = @convention(c) (Object, UInt32, AudioUnitPropertyListenerProc) -> OSStatus
    return method(kAudioUnitRemovePropertyListenerSelect, as: Method.self)?(object, id, proc)
      ?? kAudio_UnimplementedError
  }

  func removePropertyListener(
    _ id: UInt32, _ proc: AudioUnitPropertyListenerProc, userData: UnsafeMutableRawPointer?
  ) -> OSStatus {
    typealias Method = @convention(c) (Object, UInt32, AudioUnitPropertyListenerProc, Context) -> OSStatus
    return method(kAudioUnitRemovePropertyListenerWithUserDataSelect, as: Method.self)?(object, id, proc, userData)
      ?? kAudio_UnimplementedError
  }

  func parameter(_ id: UInt32, _ scope: UInt32, _ element: UInt32, _ value: UnsafeMutablePointer<Float32>) -> OSStatus {
    typealias Method = @convention(c) (Object, UInt32, UInt32, UInt32, UnsafeMutablePointer<Float32>) -> OSStatus
    return method(kAudioUnitGetParameterSelect, as: Method.self)?(object, id, scope, element, value)
      ?? kAudio_UnimplementedError
  }

  func setParameter(_ id: UInt32, _ scope: UInt32, _ element: UInt32, _ value: Float32, _ offset: UInt32) -> OSStatus {
    typealias Method = @convention(c) (Object, UInt32, UInt32, UInt32, Float32, UInt32) -> OSStatus
    return method(kAudioUnitSetParameterSelect, as: Method.self)?(object, id, scope, element, value, offset)
      ?? kAudio_UnimplementedError
  }

  func scheduleParameters(_ events: UnsafePointer<AudioUnitParameterEvent>, _ count: UInt32) -> OSStatus {
    typealias Method = @convention(c) (Object, UnsafePointer<AudioUnitParameterEvent>, UInt32) -> OSStatus
    return method(kAudioUnitScheduleParametersSelect, as: Method.self)?(object, events, count)
      ?? kAudio_UnimplementedError
  }

  func renderNotify(
    _ selector: some BinaryInteger, _ proc: AURenderCallback, _ userData: UnsafeMutableRawPointer?
  ) -> OSStatus {
    typealias Method = @convention(c) (Object, AURenderCallback, Context) -> OSStatus
    return method(selector, as: Method.self)?(object, proc, userData) ?? kAudio_UnimplementedError
  }

  func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    _ bus: UInt32, _ frames: UInt32, _ data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let renderMethod else { return kAudio_UnimplementedError }
    return foreign_render(renderMethod, object, flags, timeStamp, bus, frames, data)
  }

  func process(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    _ frames: UInt32, _ data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let method = table[Int(kAudioUnitProcessSelect)] else { return kAudio_UnimplementedError }
    return foreign_process(method, object, flags, timeStamp, frames, data)
  }

  func processMultiple(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    _ frames: UInt32, _ inputCount: UInt32, _ inputs: UnsafeMutablePointer<UnsafePointer<AudioBufferList>>,
    _ outputCount: UInt32, _ outputs: UnsafeMutablePointer<UnsafeMutablePointer<AudioBufferList>>
  ) -> OSStatus {
    guard let method = table[Int(kAudioUnitProcessMultipleSelect)] else { return kAudio_UnimplementedError }
    return foreign_process_multiple(
      method, object, flags, timeStamp, frames, inputCount, inputs, outputCount, outputs)
  }
}
