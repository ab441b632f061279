import AVFAudioFiles
import AudioCore
import AudioEngine
import Foundation

/// The side of a unit that a bus is on.
public enum AUAudioUnitBusType: Int, Sendable {
  /// Sound goes in.
  case input = 1
  /// Sound comes out.
  case output = 2
}

/// An input or output of a unit, with its format.
open class AUAudioUnitBus: NSObject {
  /// The format.
  public private(set) var format: AVAudioFormat
  /// False: the bus is not used. Hosts of this module use all buses that they connect.
  open var isEnabled = true
  /// A name for people; nil: it has none.
  open var name: String?
  /// The number of the bus.
  public package(set) var index = 0
  /// The side of the unit that it is on.
  public package(set) var busType = AUAudioUnitBusType.input
  /// The unit; nil until it is in an array.
  public package(set) weak var ownerAudioUnit: AUAudioUnit?
  /// Numbers of channels that it takes; nil: any.
  open var supportedChannelCounts: [NSNumber]?
  /// The most channels that it takes; 0: any number.
  open var maximumChannelCount: AUAudioChannelCount = 0
  /// Tags of layouts that it takes; nil: any.
  open var supportedChannelLayoutTags: [NSNumber]? { nil }
  /// Kept for units that read it; buffers come from the host here.
  open var shouldAllocateBuffer = true
  /// Seconds from this bus to the loudspeaker or from the microphone to it, as the host says it.
  open var contextPresentationLatency: TimeInterval = 0

  /// A bus of a format.
  /// - Throws: `NSError` −10868 for a format that is not valid PCM.
  public init(format: AVAudioFormat) throws {
    guard format.stream?.isValid ?? false else {
      throw NSError(unit: kAudioUnitErr_FormatNotSupported, "\(format) is no PCM that a bus can have")
    }
    self.format = format
  }

  /// Sets the format. The present one again is always taken.
  /// - Throws: `NSError` −10849 while the unit has its render resources; −10868 for a format that is not valid PCM, has
  ///   more channels than ``maximumChannelCount`` or a number that is not in ``supportedChannelCounts``, or that the
  ///   unit's ``AUAudioUnit/shouldChange(to:for:)`` refuses.
  open func setFormat(_ format: AVAudioFormat) throws {
    if format.isEqual(self.format) { return }
    if ownerAudioUnit?.renderResourcesAllocated ?? false {
      throw NSError(unit: kAudioUnitErr_Initialized, "a format changes before render resources are allocated")
    }
    if let refusal = refusal(of: format) { throw NSError(unit: kAudioUnitErr_FormatNotSupported, refusal) }
    self.format = format
  }

  /// The reason why the bus does not take a format; nil: it does.
  package func refusal(of format: AVAudioFormat) -> String? {
    guard format.stream?.isValid ?? false else { return "\(format) is no PCM that a bus can have" }
    if maximumChannelCount > 0, format.channelCount > maximumChannelCount {
      return "bus \(index) takes at most \(maximumChannelCount) channels, not \(format.channelCount)"
    }
    if let counts = supportedChannelCounts, !counts.contains(where: { $0.uint32Value == format.channelCount }) {
      let taken = counts.map(\.stringValue).joined(separator: " or ")
      return "bus \(index) takes \(taken) channels, not \(format.channelCount)"
    }
    if let unit = ownerAudioUnit, !unit.shouldChange(to: format, for: self) {
      return "the unit does not take \(format) on bus \(index)"
    }
    return nil
  }
}

/// The inputs or the outputs of a unit.
open class AUAudioUnitBusArray: NSObject, Sequence {
  /// The side of the unit.
  public let busType: AUAudioUnitBusType
  /// The unit. The array does not keep it.
  public private(set) unowned var ownerAudioUnit: AUAudioUnit
  private var busses: [AUAudioUnitBus]

  /// An array without buses.
  public convenience init(audioUnit owner: AUAudioUnit, busType: AUAudioUnitBusType) {
    self.init(audioUnit: owner, busType: busType, busses: [])
  }

  /// An array of buses, which from now on are of this unit.
  public init(audioUnit owner: AUAudioUnit, busType: AUAudioUnitBusType, busses busArray: [AUAudioUnitBus]) {
    ownerAudioUnit = owner
    self.busType = busType
    busses = busArray
    super.init()
    adopt()
  }

  private func adopt() {
    for (index, bus) in busses.enumerated() {
      bus.index = index
      bus.busType = busType
      bus.ownerAudioUnit = ownerAudioUnit
    }
  }

  /// The number of buses.
  public var count: Int { busses.count }
  /// True where ``setBusCount(_:)`` may change the number: a subclass says so.
  open var isCountChangeable: Bool { false }
  /// Changes the number of buses.
  /// - Throws: `NSError` −10865 unless a subclass does it.
  open func setBusCount(_ count: Int) throws {
    if count == busses.count { return }
    throw NSError(unit: kAudioUnitErr_PropertyNotWritable, "the number of buses is \(busses.count) and stays")
  }
  /// A bus. One that is not there ends the process.
  public subscript(index: Int) -> AUAudioUnitBus {
    require(busses.indices.contains(index), "index < count (\(index))")
    return busses[index]
  }
  /// Puts other buses in place of these.
  public func replaceBusses(_ busArray: [AUAudioUnitBus]) {
    busses = busArray
    adopt()
  }
  /// The buses in order.
  public func makeIterator() -> IndexingIterator<[AUAudioUnitBus]> { busses.makeIterator() }
}
