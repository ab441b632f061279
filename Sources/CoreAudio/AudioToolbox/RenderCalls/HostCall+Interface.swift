// A render call in the types of the C interface, which the engine does not know.

import AudioCore
import AudioEngine
import CAudioToolbox

extension HostCall {
  /// - Parameter leads: see ``leads``.
  @inline(__always)
  init(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ stamp: UnsafePointer<AudioTimeStamp>,
    _ tick: RenderClock.Tick, leads: Bool, pushed: PushedLists?
  ) {
    self.init()
    self.flags = UnsafeMutableRawPointer(flags).assumingMemoryBound(to: UInt32.self)
    timeStamp = UnsafeRawPointer(stamp)
    sampleTime = tick.sampleTime
    engineTime = tick.engineTime
    self.leads = leads
    guard let pushed else { return }
    self.pushed = UnsafeRawPointer(pushed.lists)
    pushedCount = pushed.count
    pushedFrames = pushed.frames
  }

  @inline(__always)
  var actionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>? {
    flags.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: AudioUnitRenderActionFlags.self) }
  }
  @inline(__always)
  var stamp: UnsafePointer<AudioTimeStamp>? { timeStamp?.assumingMemoryBound(to: AudioTimeStamp.self) }
  /// The list that the host pushes into an input; nil: none.
  func pushedList(_ bus: Int) -> UnsafeMutablePointer<AudioBufferList>? {
    guard let pushed, bus < pushedCount else { return nil }
    return UnsafeMutablePointer(mutating: pushed.assumingMemoryBound(to: PushedLists.List.self)[bus])
  }
}

/// Buffer lists that a host gives along with a render call, one for each input.
struct PushedLists {
  typealias List = UnsafePointer<AudioBufferList>?
  /// A null list is an input without a source.
  let lists: UnsafePointer<List>
  let count: Int
  /// The frames of each buffer.
  let frames: Int
}
