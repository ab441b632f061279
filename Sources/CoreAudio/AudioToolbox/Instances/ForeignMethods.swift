// The one file that calls the methods of a third-party component: their types are known by selector alone.

import AudioCore
import CAudioToolbox
import CForeign

/// The methods of one component instance, looked up once; a missing one answers -4.
struct ForeignMethods: @unchecked Sendable {
  private let object: UnsafeMutableRawPointer
  private let table: [Int: UnsafeRawPointer]

  private static let selectors: [Int] =
    Array(0x01...0x15).map { Int($0) } + [Int(kAudioOutputUnitStartSelect), Int(kAudioOutputUnitStopSelect)]
    + Array(0x101...0x107)

  /// The notice that is written if a call crashes that does not render; nil: none.
  var notice: CrashNotice?

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

  typealias Object = UnsafeMutableRawPointer
  typealias Context = UnsafeMutableRawPointer?
  typealias Reset = @convention(c) (Object, UInt32, UInt32) -> OSStatus
  typealias GetPropertyInfo =
    @convention(c) (
      Object, UInt32, UInt32, UInt32, UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<Bool>?
    ) -> OSStatus
  typealias GetProperty =
    @convention(c) (Object, UInt32, UInt32, UInt32, UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt32>) -> OSStatus
  typealias SetProperty = @convention(c) (Object, UInt32, UInt32, UInt32, UnsafeRawPointer?, UInt32) -> OSStatus
  typealias PropertyListener = @convention(c) (Object, UInt32, AudioUnitPropertyListenerProc) -> OSStatus
  typealias PropertyListenerWithUserData =
    @convention(c) (Object, UInt32, AudioUnitPropertyListenerProc, Context) -> OSStatus
  typealias GetParameter = @convention(c) (Object, UInt32, UInt32, UInt32, UnsafeMutablePointer<Float32>) -> OSStatus
  typealias SetParameter = @convention(c) (Object, UInt32, UInt32, UInt32, Float32, UInt32) -> OSStatus
  typealias ScheduleParameters = @convention(c) (Object, UnsafePointer<AudioUnitParameterEvent>, UInt32) -> OSStatus
  typealias RenderNotify = @convention(c) (Object, AURenderCallback, Context) -> OSStatus

  /// Calls the method of a selector, as a function of a type.
  func call<Function>(
    _ selector: some BinaryInteger, as type: Function.Type, _ body: (Function, Object) -> OSStatus
  ) -> OSStatus {
    guard let method = table[Int(selector)] else { return kAudio_UnimplementedError }
    let function = unsafeBitCast(method, to: Function.self)
    // Parameters are set in render calls too.
    return CrashNotice.around(notice, catchesExits: false) { body(function, object) }
  }

  /// Calls a method without arguments: initialize, uninitialize, start, stop.
  func call(_ selector: some BinaryInteger) -> OSStatus {
    guard let method = table[Int(selector)] else { return kAudio_UnimplementedError }
    return CrashNotice.around(notice) { foreign_call(method, object) }
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
