import AVFAudioFiles
import AudioCore
import AudioEngine
import AudioUnitV3
import AudioUnits
import Foundation

/// The types of units, as ``AVAudioUnitComponent/typeName`` has them.
public let AVAudioUnitTypeOutput = "Output"
public let AVAudioUnitTypeMusicDevice = "Music Device"
public let AVAudioUnitTypeMusicEffect = "Music Effect"
public let AVAudioUnitTypeFormatConverter = "Format Converter"
public let AVAudioUnitTypeEffect = "Effect"
public let AVAudioUnitTypeMixer = "Mixer"
public let AVAudioUnitTypePanner = "Panner"
public let AVAudioUnitTypeGenerator = "Generator"
public let AVAudioUnitTypeOfflineEffect = "Offline Effect"
public let AVAudioUnitTypeMIDIProcessor = "MIDI Processor"
/// The maker of the engine's own units that Apple's system has.
public let AVAudioUnitManufacturerNameApple = "Apple"

/// A kind of unit that can be made.
public final class AVAudioUnitComponent: NSObject, @unchecked Sendable {
  private let component: Component
  private let tags = Locked<[String]>([])

  init(_ component: Component) { self.component = component }

  private var fullName: [Substring] { component.name.split(separator: ": ", maxSplits: 1) }
  /// The name of the unit, without its maker's.
  public var name: String { fullName.last.map(String.init) ?? "" }
  /// The maker's name.
  public var manufacturerName: String { fullName.count > 1 ? String(fullName[0]) : "" }
  /// The type in words, as ``AVAudioUnitTypeEffect``; the code where it has none.
  public var typeName: String {
    Self.typeNames[component.description.type.rawValue] ?? "\(component.description.type)"
  }
  /// As ``typeName``: there are no translations.
  public var localizedTypeName: String { typeName }
  private static let typeNames: [UInt32: String] = [
    kAudioUnitType_Output: AVAudioUnitTypeOutput, kAudioUnitType_MusicDevice: AVAudioUnitTypeMusicDevice,
    kAudioUnitType_MusicEffect: AVAudioUnitTypeMusicEffect,
    kAudioUnitType_FormatConverter: AVAudioUnitTypeFormatConverter, kAudioUnitType_Effect: AVAudioUnitTypeEffect,
    kAudioUnitType_Mixer: AVAudioUnitTypeMixer, kAudioUnitType_Panner: AVAudioUnitTypePanner,
    kAudioUnitType_Generator: AVAudioUnitTypeGenerator, kAudioUnitType_OfflineEffect: AVAudioUnitTypeOfflineEffect,
    kAudioUnitType_MIDIProcessor: AVAudioUnitTypeMIDIProcessor,
  ]

  /// 0xMMMMmmDD.
  public var version: Int { Int(component.version) }
  /// The version in words: `1.0.0`.
  public var versionString: String {
    "\(component.version >> 16).\(component.version >> 8 & 0xFF).\(component.version & 0xFF)"
  }
  /// True: units of this module touch nothing outside of the process.
  public var isSandboxSafe: Bool { true }
  /// True of instruments, effects that take MIDI, and MIDI processors.
  public var hasMIDIInput: Bool {
    [kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect, kAudioUnitType_MIDIProcessor].contains(
      component.description.type.rawValue)
  }
  /// True of MIDI processors.
  public var hasMIDIOutput: Bool { component.description.type.rawValue == kAudioUnitType_MIDIProcessor }
  /// Nil: units of this module are part of the program.
  public var componentURL: URL? { nil }
  /// Nil, as ``componentURL``.
  public var iconURL: URL? { nil }
  /// Nil: there are no screens.
  public var icon: Any? { nil }
  /// The architecture of this process, by its Mach-O number: 0x01000007 for x86-64, 0x0100000C for ARM64. Units of this
  /// module are part of the program.
  public var availableArchitectures: [NSNumber] {
    #if arch(x86_64)
      return [NSNumber(value: 0x0100_0007)]
    #elseif arch(arm64)
      return [NSNumber(value: 0x0100_000C)]
    #else
      return []
    #endif
  }
  /// Empty: no configuration is kept.
  public var configurationDictionary: [String: Any] { [:] }
  /// False: there are no screens.
  public var hasCustomView: Bool { false }
  /// True: all units of this module are checked by its tests, and a program's own are the program's.
  public var passesAUVal: Bool { true }
  /// The codes.
  public var audioComponentDescription: AudioComponentDescription { AudioComponentDescription(component.description) }
  /// The component, for functions of the C interface; in a program without that a handle that stands for nothing.
  public var audioComponent: AudioComponent { CInterfaceHandles.component(component.description) }
  /// The tags of the component and of the user.
  public var allTagNames: [String] { [typeName] + userTagNames }
  /// The user's tags, for the life of this object.
  public var userTagNames: [String] {
    get { tags.withLock { $0 } }
    set { tags.withLock { $0 = newValue } }
  }

  /// True where the unit takes so many channels and gives so many; a unit is made to ask it.
  public func supportsNumberInputChannels(_ numInputChannels: Int, outputChannels numOutputChannels: Int) -> Bool {
    let unit = component.make()
    if (numInputChannels == 0) != (unit.elementCount(.input) == 0) { return false }
    let pairs = unit.channelCapabilities
    if pairs.isEmpty { return numInputChannels == 0 || numInputChannels == numOutputChannels }
    return pairs.contains { pair in
      if pair.inputChannels == -1, pair.outputChannels == -1 {
        return numInputChannels == 0 || numInputChannels == numOutputChannels
      }
      return (pair.inputChannels < 0 || pair.inputChannels == numInputChannels)
        && (pair.outputChannels < 0 || pair.outputChannels == numOutputChannels)
    }
  }
}

/// The units of this process: the engine's, and those that the program has registered.
public final class AVAudioUnitComponentManager: NSObject, Sendable {
  private static let manager = AVAudioUnitComponentManager()
  private override init() {}

  /// The one manager.
  public class func shared() -> AVAudioUnitComponentManager { manager }

  private var all: [AVAudioUnitComponent] { ComponentRegistry.known.components.map(AVAudioUnitComponent.init) }

  /// The tags of all units.
  public var tagNames: [String] { standardLocalizedTagNames }
  /// The names of the types that there are units of.
  public var standardLocalizedTagNames: [String] { Set(all.map(\.typeName)).sorted() }

  /// The components for which a predicate holds. Here Foundation has predicates of blocks alone.
  public func components(matching predicate: NSPredicate) -> [AVAudioUnitComponent] {
    all.filter { predicate.evaluate(with: $0) }
  }

  /// The components that a function takes; it may end the search.
  public func components(
    passingTest testHandler: (AVAudioUnitComponent, UnsafeMutablePointer<ObjCBool>) -> Bool
  ) -> [AVAudioUnitComponent] {
    var found: [AVAudioUnitComponent] = []
    for component in all {
      var isLast = ObjCBool(false)
      if testHandler(component, &isLast) { found.append(component) }
      if isLast.boolValue { break }
    }
    return found
  }

  /// The components of a description; 0 matches any code.
  public func components(matching desc: AudioComponentDescription) -> [AVAudioUnitComponent] {
    ComponentRegistry.known.components.filter { $0.description.matches(AudioEngine.ComponentDescription(desc)) }
      .map(AVAudioUnitComponent.init)
  }
}
