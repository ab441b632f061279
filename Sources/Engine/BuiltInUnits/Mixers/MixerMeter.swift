import AudioCore
import AudioEngine

/// The meters of a mixer, as parameters that are read: the number and a channel's on top of it.
enum MixerMeter: UInt32, CaseIterable {
  case preAveragePower = 1000
  case prePeakHoldLevel = 2000
  case postAveragePower = 3000
  case postPeakHoldLevel = 4000

  /// The row of the first channel.
  var descriptor: ParameterDescriptor {
    ParameterDescriptor(
      rawValue, String(describing: self), unit: .decibels, -120...20, initial: -120, isReadOnly: true)
  }

  /// dBFS, floor −120.
  func level(_ pair: MeterPair) -> Float {
    switch self {
    case .preAveragePower: pair.pre.averageDecibels
    case .prePeakHoldLevel: pair.pre.peakHoldDecibels
    case .postAveragePower: pair.post.averageDecibels
    case .postPeakHoldLevel: pair.post.peakHoldDecibels
    }
  }

  /// The value of a meter of an address's bus, without any while nothing renders; nil if it is no meter's.
  static func value(_ address: ParameterAddress, of unit: Unit, _ meters: () -> [MeterPair]) -> Float? {
    guard let meter = allCases.last(where: { $0.rawValue <= address.id }), address.id < meter.rawValue + 1000,
      address.scope == .input || address.scope == .output,
      (0..<unit.elementCount(address.scope)).contains(address.element)
    else { return nil }
    let channel = Int(address.id - meter.rawValue)
    let bus = address.scope == .input ? unit.inputs[address.element] : unit.outputs[address.element]
    guard channel < bus.format.channelCount else { return nil }
    let pairs = meters()
    return pairs.indices.contains(channel) ? meter.level(pairs[channel]) : ChannelMeter.floorDecibels
  }
}
