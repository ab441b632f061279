// The text of AUBENCH_LOG=1 about formats, connections and initializations that were refused.

import AudioCore
import AudioEngine
import CAudioToolbox
import DeviceUnits

extension NativeInstance {
  /// Explains why a format could not be set.
  func noteRefusal(
    of data: UnsafeRawPointer?, size: UInt32, _ scope: AudioUnitScope, _ element: AudioUnitElement, _ status: OSStatus
  ) {
    let isRefused =
      status == kAudioUnitErr_FormatNotSupported || status == kAudio_ParamError && unit.deviceOutput != nil
    guard isRefused, let scope = Scope(rawValue: scope) else { return }
    var description = AudioStreamBasicDescription()
    if let data {
      withUnsafeMutableBytes(of: &description) {
        $0.copyMemory(from: UnsafeRawBufferPointer(start: data, count: min(Int(size), $0.count)))
      }
    }
    RefusalLog.note(
      "\(unit.label), \(scope) bus \(element): stream format refused (\(status)): "
        + unit.refusal(of: StreamFormat(description), scope, element: Int(element)))
  }

  /// Explains why an input could not be connected to a source of `format`.
  func noteRefusal(ofSource format: StreamFormat, input bus: UInt32, _ status: AudioStatus) {
    switch status {
    case .formatNotSupported:
      RefusalLog.note(
        "\(unit.label), input bus \(bus): connection refused (\(status.rawValue)): "
          + unit.refusal(of: format, .input, element: Int(bus)))
    case .propertyNotWritable:
      let present = (try? unit.streamFormat(.input, element: Int(bus))).map { "\($0)" } ?? "nothing"
      RefusalLog.note(
        "\(unit.label), input bus \(bus): connection refused (\(status.rawValue)): found \(format), expected "
          + "\(present): the unit is initialized and keeps its format")
    case .memoryFull: noteShortage("input bus \(bus): connection refused")
    default: break
    }
  }

  /// Explains why the unit could not be initialized.
  func noteDisagreement(_ status: AudioStatus) {
    switch status {
    case .formatNotSupported:
      RefusalLog.note("\(unit.label): not initialized (\(status.rawValue)): \(unit.disagreement)")
    case .memoryFull: noteShortage("not initialized")
    default:
      if let failure = unit.renderFailure {
        RefusalLog.note("\(unit.label): not initialized (\(status.rawValue)): \(failure)")
      }
    }
  }

  /// Explains −108 by what the unit would have needed. A host has no option to allow more, but an environment variable.
  private func noteShortage(_ what: String) {
    guard let shortage = unit.renderFailure else { return }
    RefusalLog.note(
      "\(unit.label), \(what) (\(AudioStatus.memoryFull.rawValue)): \(shortage.message); set "
        + "\(MemoryBudget.environmentVariable) to allow more")
  }
}
