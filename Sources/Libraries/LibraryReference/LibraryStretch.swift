// SoundTouch, called directly and without the engine: the reference for verifying the engine's changes of tempo and pitch.
// Nothing of `TimeStretch` is used here, on purpose.

import AudioCore
import Glibc

/// A stream of SoundTouch: the functions of its library as its own header has them.
public final class LibraryStretch {
  /// Numbers of settings, of the library's header.
  public enum Setting: Int32 {
    case filterLength = 1
    case sequenceMilliseconds = 3
    case seekMilliseconds = 4
    case overlapMilliseconds = 5
  }

  private struct Functions: @unchecked Sendable {
    typealias Handle = UnsafeMutableRawPointer

    let create: @convention(c) () -> Handle?
    let destroy: @convention(c) (Handle) -> Void
    let setChannels: @convention(c) (Handle, UInt32) -> Int32
    let setRate: @convention(c) (Handle, UInt32) -> Int32
    let setTempo: @convention(c) (Handle, Float) -> Void
    let setPitch: @convention(c) (Handle, Float) -> Void
    let setSetting: @convention(c) (Handle, Int32, Int32) -> Int32
    let setting: @convention(c) (Handle, Int32) -> Int32
    let put: @convention(c) (Handle, UnsafePointer<Float>, UInt32) -> Int32
    let receive: @convention(c) (Handle, UnsafeMutablePointer<Float>, UInt32) -> UInt32
    let available: @convention(c) (Handle) -> UInt32
    let clear: @convention(c) (Handle) -> Void

    init?() {
      guard let library = dlopen("libSoundTouchDll.so.1", RTLD_NOW) else { return nil }
      func function<Function>(_ name: String) -> Function? {
        dlsym(library, "soundtouch_" + name).map { unsafeBitCast($0, to: Function.self) }
      }
      guard let create: @convention(c) () -> Handle? = function("createInstance"),
        let destroy: @convention(c) (Handle) -> Void = function("destroyInstance"),
        let setChannels: @convention(c) (Handle, UInt32) -> Int32 = function("setChannels"),
        let setRate: @convention(c) (Handle, UInt32) -> Int32 = function("setSampleRate"),
        let setTempo: @convention(c) (Handle, Float) -> Void = function("setTempo"),
        let setPitch: @convention(c) (Handle, Float) -> Void = function("setPitch"),
        let setSetting: @convention(c) (Handle, Int32, Int32) -> Int32 = function("setSetting"),
        let setting: @convention(c) (Handle, Int32) -> Int32 = function("getSetting"),
        let put: @convention(c) (Handle, UnsafePointer<Float>, UInt32) -> Int32 = function("putSamples"),
        let receive: @convention(c) (Handle, UnsafeMutablePointer<Float>, UInt32) -> UInt32 = function(
          "receiveSamples"),
        let available: @convention(c) (Handle) -> UInt32 = function("numSamples"),
        let clear: @convention(c) (Handle) -> Void = function("clear")
      else { return nil }
      (self.create, self.destroy, self.setChannels, self.setRate) = (create, destroy, setChannels, setRate)
      (self.setTempo, self.setPitch, self.setSetting, self.setting) = (setTempo, setPitch, setSetting, setting)
      (self.put, self.receive, self.available, self.clear) = (put, receive, available, clear)
    }
  }

  private static let functions = Functions()

  private let functions: Functions
  private let handle: UnsafeMutableRawPointer
  private let channels: Int

  /// A stream at its start; nil where the library is missing.
  public init?(rate: Int, channels: Int) {
    guard let functions = Self.functions, let handle = functions.create() else { return nil }
    (self.functions, self.handle, self.channels) = (functions, handle, channels)
    _ = functions.setChannels(handle, UInt32(clamping: channels))
    _ = functions.setRate(handle, UInt32(clamping: rate))
    // A new instance of 2.3.2 has the silence in front of its filter twice; one that was cleared has it once.
    functions.clear(handle)
  }

  deinit { functions.destroy(handle) }

  public subscript(_ setting: Setting) -> Int {
    get { Int(functions.setting(handle, setting.rawValue)) }
    set { _ = functions.setSetting(handle, setting.rawValue, Int32(clamping: newValue)) }
  }

  public func set(tempo: Float, pitch: Float) {
    functions.setTempo(handle, tempo)
    functions.setPitch(handle, pitch)
  }

  /// Output frames that are ready.
  public var available: Int { Int(functions.available(handle)) }

  /// - Parameter frames: interleaved.
  public func put(_ frames: [Float]) { _ = functions.put(handle, frames, UInt32(clamping: frames.count / channels)) }

  /// The next frames, interleaved: as many as asked for, or as there are.
  public func take(_ frames: Int) -> [Float] {
    var samples = [Float](repeating: 0, count: frames * channels)
    let count = functions.receive(handle, &samples, UInt32(clamping: frames))
    return Array(samples.prefix(Int(count) * channels))
  }
}
