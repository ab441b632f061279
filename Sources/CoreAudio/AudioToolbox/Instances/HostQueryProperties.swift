import AudioCore
import AudioEngine
import BuiltInUnits
import CAudioToolbox

/// CPU load, frequency response, external buffer, presentation latency and host identifier of a unit.
enum HostQueryProperties {
  static let rows: [AudioUnitPropertyID: CProperty] = [
    // Measured from the first question on.
    kAudioUnitProperty_CPULoad: .value(Float64.self, get: { Double($0.instance.averageLoad) }),
    kAudioUnitProperty_SetExternalBuffer: .value(
      AudioUnitExternalBuffer.self,
      set: { (place, value) throws(AudioStatus) in
        guard !place.instance.isInitialized else { throw .initialized }
        place.instance.hostValues.externalBuffer = ExternalBuffer(value)
      }),
    kAudioUnitProperty_PresentationLatency: .value(
      Float64.self, [.input, .output],
      set: { (place, seconds) throws(AudioStatus) in
        guard seconds >= 0, seconds.isFinite else { throw .invalidPropertyValue }
        place.instance.hostValues.presentationLatencies[place.key] = seconds
      }),
    kAudioUnitProperty_AUHostIdentifier: .value(
      AUHostVersionIdentifier.self, set: { $0.instance.hostValues.hostVersion = $1.hostVersion }),
    kAudioUnitOfflineProperty_PreflightName: CProperty(
      get: { (place) throws(AudioStatus) in
        guard let unit = place.unit as? any OfflineUnit else { throw .invalidProperty }
        return .text(unit.preflightName)
      }),
    kAudioUnitProperty_LoadedOutOfProcess: .value(UInt32.self, get: { _ in 0 }),
    // No parameter of a unit of this package asks to be plotted.
    kAudioUnitProperty_ParameterHistoryInfo: .value(
      AudioUnitParameterHistoryInfo.self, [.global, .input, .output], isPerElement: false,
      get: { (_) throws(AudioStatus) in throw .propertyNotInUse }),
    kAudioUnitProperty_FrequencyResponse: CProperty(
      scopes: [.input, .output],
      size: Int(kNumberOfResponseFrequencies) * MemoryLayout<AudioUnitFrequencyResponseBin>.stride,
      get: { (place) throws(AudioStatus) in CValue(array: try response(place)) }),
  ]

  /// The magnitudes, as gains, at the frequencies that the caller's memory has: up to the first that is negative. Those
  /// that the closed form does not reach count as the nearest that it does.
  private static func response(_ place: PropertyPlace) throws(AudioStatus) -> [AudioUnitFrequencyResponseBin] {
    let rate = try place.unit.streamFormat(.global).sampleRate
    guard let form = place.unit.closedForm(sampleRate: rate) else { throw .invalidProperty }
    let stride = MemoryLayout<AudioUnitFrequencyResponseBin>.stride
    let count = min(place.question.count / stride, Int(kNumberOfResponseFrequencies))
    var bins = (0..<count).map {
      place.question.loadUnaligned(fromByteOffset: $0 * stride, as: AudioUnitFrequencyResponseBin.self)
    }
    for index in bins.indices {
      // NaN is not a frequency.
      guard bins[index].mFrequency >= 0 else { break }
      let hertz = min(max(bins[index].mFrequency, 1e-3), 0.4999 * rate)
      bins[index].mMagnitude = Decibels.amplitude(form.magnitudeDecibels(atHertz: hertz) ?? 0)
    }
    return bins
  }
}

/// Memory that a host wants a unit to put its output into where a render call brings none.
struct ExternalBuffer {
  let start: UnsafeMutableRawPointer
  let size: Int

  /// Nil where there is no memory.
  init?(_ buffer: AudioUnitExternalBuffer) {
    guard !isNull(buffer.buffer), buffer.size > 0 else { return nil }
    start = UnsafeMutableRawPointer(buffer.buffer)
    size = Int(buffer.size)
  }

  /// Room for one of some planes, each 16-byte aligned behind the one before; nil where they do not all fit.
  func plane(_ index: Int, of count: Int, bytes: Int) -> UnsafeMutableRawPointer? {
    let stride = (bytes + 15) & ~15
    let skipped = -Int(bitPattern: start) & 15
    guard skipped + count * stride <= size else { return nil }
    return start + skipped + index * stride
  }
}
