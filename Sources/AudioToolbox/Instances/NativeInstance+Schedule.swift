// Scheduled parameter changes. Any thread, the render thread above all: no lock, and no allocation for the numbers of
// events that hosts schedule in one call.

import AudioCore
import AudioUnits
import CAudioToolbox

extension NativeInstance {
  func schedule(_ events: UnsafeBufferPointer<AudioUnitParameterEvent>) throws(AudioStatus) {
    let result = withUnsafeTemporaryAllocation(of: AudioUnits.ParameterEvent.self, capacity: max(1, events.count)) {
      own in
      for (index, event) in events.enumerated() {
        guard let translated = Self.translated(event) else { return AudioStatus.parameterError }
        guard let scope = Scope(rawValue: event.scope) else { return AudioStatus.invalidScope }
        let address = ParameterAddress(event.parameter, scope: scope, element: Int(event.element))
        own.initializeElement(at: index, to: AudioUnits.ParameterEvent(address, translated))
      }
      do throws(AudioStatus) {
        try unit.scheduleParameters(UnsafeBufferPointer(rebasing: own[..<events.count]))
        return AudioStatus.noError
      } catch {
        return error
      }
    }
    if result != .noError { throw result }
  }

  private static func translated(_ event: AudioUnitParameterEvent) -> AudioUnits.ParameterEvent.Kind? {
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
      return nil
    }
  }
}
