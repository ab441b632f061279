// Scheduled parameter changes. Any thread, the render thread above all: no lock, no allocation.

import AudioCore
import AudioEngine
import CAudioToolbox

extension NativeInstance {
  func schedule(_ events: UnsafeBufferPointer<AudioUnitParameterEvent>) throws(AudioStatus) {
    try unit.scheduleParameters(count: events.count) { (index) throws(AudioStatus) in
      let event = events[index]
      guard let scope = Scope(rawValue: event.scope) else { throw .invalidScope }
      let address = ParameterAddress(event.parameter, scope: scope, element: Int(event.element))
      return AudioEngine.ParameterEvent(address, try Self.translated(event))
    }
  }

  private static func translated(
    _ event: AudioUnitParameterEvent
  ) throws(AudioStatus) -> AudioEngine.ParameterEvent.Kind {
    switch event.eventType {
    case .parameterEvent_Immediate:
      let values = event.eventValues.immediate
      return .immediate(offset: values.bufferOffset, value: values.value)
    case .parameterEvent_Ramped:
      let values = event.eventValues.ramp
      return .ramp(
        startOffset: values.startBufferOffset, durationFrames: values.durationInFrames, startValue: values.startValue,
        endValue: values.endValue)
    default:
      throw .parameterError
    }
  }
}
