// aubench/DeviceScenario.h: the simulated hardware as tests drive it.

import AudioCore
import AudioEngine
import CAudioToolbox
import Hardware

/// Follows a scenario file, or none. -43 for a file that is not there, -50 for one that is wrong.
@c @implementation
public func AUBenchDeviceFollowScenario(_ inPath: UnsafePointer<CChar>?) -> OSStatus {
  recorded { follow(inPath) }
}

private func follow(_ name: UnsafePointer<CChar>?) -> OSStatus {
  do {
    guard let name else {
      try SimulatedHardware.shared.follow(nil)
      return noErr
    }
    let path = String(cString: name)
    guard FileSystem.exists(path) else {
      SimulatedHardware.complain("\(path): \(FileSystem.missing(path, what: "scenario file"))")
      return kAudio_FileNotFoundError
    }
    try SimulatedHardware.shared.follow(try ScenarioFile.load(path))
    return noErr
  } catch {
    SimulatedHardware.complain("\(error)")
    return kAudio_ParamError
  }
}

/// Lets a told clock go on. -50 where there is none, or from within a callback.
@c @implementation
public func AUBenchDeviceAdvance(_ inSeconds: Float64) -> OSStatus {
  recorded(nil, "\(NumberText.short(inSeconds)) s") {
    do { try SimulatedHardware.shared.advance(seconds: inSeconds) } catch {
      return kAudio_ParamError
    }
    return noErr
  }
}

/// Declares the cost of a callback, seconds.
@c @implementation
public func AUBenchDeviceSpend(_ inSeconds: Float64) {
  _ = recorded(nil, "\(NumberText.short(inSeconds)) s") {
    SimulatedHardware.shared.spend(seconds: inSeconds)
    return noErr
  }
}

/// Device time of the scenario, seconds.
@c @implementation
public func AUBenchDeviceGetSeconds() -> Float64 { SimulatedHardware.shared.scenarioSeconds }

/// The host's time, nanoseconds.
@c @implementation
public func AUBenchHostTime() -> UInt64 { HostClock.now() }
