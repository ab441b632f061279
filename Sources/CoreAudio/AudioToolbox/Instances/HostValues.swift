import AudioEngine
import CAudioToolbox
import CoreFoundation

/// Values that a host sets on a unit and may read back, without use for the engine.
struct HostValues {
  struct Place: Hashable {
    let scope: Scope
    let element: AudioUnitElement
  }

  /// True when an output unit has been started.
  var isRunning = false
  /// The callback that is called when the hardware has recorded something.
  var inputCallback: AURenderCallbackStruct?
  var contextName: CFString?
  var nickName: CFString?
  var hostCallbacks: HostCallbackInfo?
  /// Memory for output that comes without; used from the next initialization on.
  var externalBuffer: ExternalBuffer?
  /// Seconds until a bus's frames are heard, or since they were recorded.
  var presentationLatencies: [Place: Double] = [:]
  /// The host's version, as it has told it.
  var hostVersion: UInt32?
  var elementNames: [Place: CFString] = [:]
  var channelLayouts: [Place: [UInt8]] = [:]
  /// Buses that keep no memory of their own.
  var unallocated: Set<Place> = []
  var inPlaceProcessing: UInt32 = 1
  var renderQuality: UInt32 = kRenderQuality_Medium
  /// The preset that a host chose or named last.
  var presetNumber: Int32 = -1
  var presetName: CFString?
  /// The files that a file player was given, in order; nil entries are none.
  var scheduledFiles: [AudioFileID?] = []
  var fileBufferFrames: UInt32 = 0
  var fileBufferCount: UInt32 = 0
  /// The factory presets that were handed out: callers keep pointers into them.
  var presetArray: PresetArray?

  /// Forgets what was set on other elements: those that come in their place are new.
  mutating func keepElements(_ isThere: (Place) -> Bool) {
    presentationLatencies = presentationLatencies.filter { isThere($0.key) }
    elementNames = elementNames.filter { isThere($0.key) }
    channelLayouts = channelLayouts.filter { isThere($0.key) }
    unallocated = unallocated.filter(isThere)
  }

  func allocatesBuffer(_ scope: Scope, _ element: AudioUnitElement) -> Bool {
    !unallocated.contains(Place(scope: scope, element: element))
  }
}

/// The factory presets of a unit as C reads them: pointers to `AUPreset`, which belong to the unit.
final class PresetArray {
  private let presets: UnsafeMutablePointer<AUPreset>
  private let count: Int

  init(_ list: [(number: Int32, name: String)]) {
    count = list.count
    presets = .allocate(capacity: max(1, count))
    for (index, preset) in list.enumerated() {
      (presets + index).initialize(to: AUPreset(presetNumber: preset.number, presetName: CFText.make(preset.name)))
    }
  }

  deinit {
    for index in 0..<count { presets[index].presetName?.release() }
    presets.deallocate()
  }

  /// An array of pointers that the caller owns; what they point at it does not.
  func makeArray() -> Unmanaged<CFArray>? {
    var pointers = (0..<count).map { Optional(UnsafeRawPointer(presets + $0)) }
    return CFArrayCreate(nil, &pointers, count, nil).map { Unmanaged.passRetained($0) }
  }
}
