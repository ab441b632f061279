// The settings of a converter by a client, and their meaning for the engine. Any thread. The assignment of filters to
// complexity and quality is this project's definition.

import AudioCore
import AudioEngine
import SampleRate

/// The settings of a converter, as its properties give them.
package struct ConverterSettings {
  package enum PrimeMethod: UInt32 { case pre, normal, none }

  /// A filter family, by its four-character code.
  package enum Complexity: UInt32 {
    case linear = 0x6C69_6E65
    case normal = 0x6E6F_726D
    case mastering = 0x6261_7473
    case minimumPhase = 0x6D69_6E70
  }

  package static let mediumQuality: UInt32 = 64
  package static let maximumQuality: UInt32 = 127
  /// Dither is the same in each converter: the same input gives the same output.
  package static let seed: UInt64 = 0

  package var complexity = Complexity.normal
  /// 0...127. Apple names no default; the highest gives the engine's own.
  package var quality = maximumQuality
  package var primeMethod = PrimeMethod.normal
  /// A source for each output channel, −1 for silence; nil: straight through.
  package var channelMap: [Int32]?
  /// Gains between channels, in place of layouts; a map goes before it.
  package var mixing: ChannelMatrix?
  /// Triangular dither where samples become integers.
  package var hasDither = false
  /// AudioChannelLayouts as they were given: channels move by them where no map says something else.
  package var inputLayout: [UInt8]?
  package var outputLayout: [UInt8]?
  /// True when inputs are mixed to outputs and not moved; the channel map counts nothing then.
  package var performsDownmix = false
  /// The gain from each input to each output, a row for each input; nil: by the layouts.
  package var mixMap: [Float]?
  /// Bits of the source as the client has told them, negative for floats; kept for the client.
  package var bitDepthHint: Int32?

  /// Normal's lower half is the short filter, its top the long one, all between the middle one.
  package var rateQuality: RateConversionQuality {
    switch complexity {
    case .linear: .linear
    case .normal: quality < Self.mediumQuality ? .fast : quality < Self.maximumQuality ? .medium : .best
    case .mastering: .mastering
    case .minimumPhase: .minimumPhase
    }
  }

  /// Linear and minimum phase have no choice of priming.
  package var hasPrimeMethod: Bool { complexity == .normal || complexity == .mastering }
  package var effectivePrimeMethod: PrimeMethod { hasPrimeMethod ? primeMethod : .normal }

  package var ditherSeed: UInt64? { hasDither ? Self.seed : nil }

  /// True when a converter that runs with `other` can go on running.
  package func hasSameEngine(as other: ConverterSettings) -> Bool {
    rateQuality == other.rateQuality && effectivePrimeMethod == other.effectivePrimeMethod
      && hasDither == other.hasDither
  }
}

// Channels: moved by a map or by what both layouts have, or mixed.
extension ConverterSettings {
  /// The gains from the channels of the input to those of the output; nil: straight through.
  package func matrix(inputCount: Int, outputCount: Int) -> ChannelMatrix? {
    if performsDownmix { return mix(inputCount: inputCount, outputCount: outputCount) }
    if let channelMap { return ChannelMatrix(map: channelMap.map(Int.init), inputCount: inputCount) }
    if let mixing { return mixing }
    guard let source = Self.layout(inputLayout), let target = Self.layout(outputLayout), !source.isSame(as: target)
    else { return nil }
    let (from, to) = (source.positions, target.positions)
    guard Set(from).count == from.count, Set(to).count == to.count else { return nil }
    // A loudspeaker that the input lacks is silent.
    let map = to.map { from.firstIndex(of: $0) ?? -1 }
    return map.contains { $0 >= 0 } ? ChannelMatrix(map: map, inputCount: inputCount) : nil
  }

  /// The gains of a mix: those that were set; or, where the loudspeakers of both sides are known, those of ITU-R BS.775,
  /// more than two channels without a layout being taken for those of a WAV file.
  package func mix(inputCount: Int, outputCount: Int) -> ChannelMatrix {
    if let mixMap {
      return ChannelMatrix(
        inputCount: inputCount, outputCount: outputCount,
        gains: (0..<outputCount).flatMap { output in (0..<inputCount).map { mixMap[$0 * outputCount + output] } })
    }
    let usual = inputCount > 2 ? ChannelLayout(channelCount: inputCount) : nil
    guard let source = Self.layout(inputLayout) ?? usual,
      let target = Self.layout(outputLayout) ?? ChannelLayout(channelCount: outputCount),
      !(source.labels + target.labels).contains(where: ChannelLayout.isWithoutPosition)
    else { return .conventional(inputCount: inputCount, outputCount: outputCount) }
    return .between(source, target)
  }

  private static func layout(_ bytes: [UInt8]?) -> ChannelLayout? {
    bytes?.withUnsafeBytes { memory in
      memory.baseAddress.flatMap { ChannelLayouts.labels(of: $0, size: memory.count) }
    }.flatMap(ChannelLayout.init(labels:))
  }
}
