// A render call in the types of the C interface, which the engine does not know.

import AudioUnits
import CAudioToolbox

extension HostCall {
  /// - Parameter leads: see ``leads``.
  @inline(__always)
  init(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ stamp: UnsafePointer<AudioTimeStamp>,
    _ tick: RenderClock.Tick, leads: Bool, pushed: UnsafeMutablePointer<AudioBufferList>?
  ) {
    self.init()
    self.flags = UnsafeMutableRawPointer(flags).assumingMemoryBound(to: UInt32.self)
    timeStamp = UnsafeRawPointer(stamp)
    sampleTime = tick.sampleTime
    engineTime = tick.engineTime
    self.leads = leads
    self.pushed = pushed.map { UnsafeMutableRawPointer($0) }
  }

  @inline(__always)
  var actionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>? {
    flags.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: AudioUnitRenderActionFlags.self) }
  }
  @inline(__always)
  var stamp: UnsafePointer<AudioTimeStamp>? { timeStamp?.assumingMemoryBound(to: AudioTimeStamp.self) }
  @inline(__always)
  var pushedList: UnsafeMutablePointer<AudioBufferList>? { pushed?.assumingMemoryBound(to: AudioBufferList.self) }
}
