// Types of the functions that an AUAudioUnit and its host hand to one another. Names and arguments: Apple's documentation
// of AUAudioUnit.

import AVFAudioFiles
import AudioCore
import Foundation

/// Renders an output bus for a host: flags, time of the first frame, frames, bus, buffers, and what pulls the inputs.
public typealias AURenderBlock = (
  UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>, AUAudioFrameCount, Int,
  UnsafeMutablePointer<AudioBufferList>, AURenderPullInputBlock?
) -> AUAudioUnitStatus

/// Renders an output bus, as a unit implements it: as ``AURenderBlock``, with the events of the slice in order of time.
public typealias AUInternalRenderBlock = (
  UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>, AUAudioFrameCount, Int,
  UnsafeMutablePointer<AudioBufferList>, UnsafePointer<AURenderEvent>?, AURenderPullInputBlock?
) -> AUAudioUnitStatus

/// Gives frames of an input bus: into the buffers where they have memory, else by pointing them at memory of its own.
public typealias AURenderPullInputBlock = (
  UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>, AUAudioFrameCount, Int,
  UnsafeMutablePointer<AudioBufferList>
) -> AUAudioUnitStatus

/// Called before and after each slice, with the flag `unitRenderAction_PreRender` or `unitRenderAction_PostRender`, and
/// the time, the frames and the bus.
public typealias AURenderObserver = (
  AudioUnitRenderActionFlags, UnsafePointer<AudioTimeStamp>, AUAudioFrameCount, Int
) -> Void

/// Schedules a value: its time, the frames of a ramp (0: at once), the parameter's address, the value.
public typealias AUScheduleParameterBlock = (
  AUEventSampleTime, AUAudioFrameCount, AUParameterAddress, AUValue
) -> Void

/// Schedules MIDI 1.0: its time, the cable, the number of bytes, the bytes.
public typealias AUScheduleMIDIEventBlock = (AUEventSampleTime, UInt8, Int, UnsafePointer<UInt8>) -> Void

/// Takes MIDI 1.0 that a unit puts out.
public typealias AUMIDIOutputEventBlock = (AUEventSampleTime, UInt8, Int, UnsafePointer<UInt8>) -> OSStatus

/// Schedules or takes packets of MIDI: a time, the cable, the list.
public typealias AUMIDIEventListBlock = (AUEventSampleTime, UInt8, UnsafePointer<MIDIEventList>) -> OSStatus

/// Gives the host's musical time: tempo in beats per minute, numerator and denominator of the meter, beat, frames to the
/// next beat, and the beat of the present bar line. False: it has none.
public typealias AUHostMusicalContextBlock = (
  UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Int>?,
  UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<Double>?
) -> Bool

/// Gives the host's transport: flags, frame on its timeline, first and last beat of its cycle. False: it has none.
public typealias AUHostTransportStateBlock = (
  UnsafeMutablePointer<AUHostTransportStateFlags>?, UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Double>?,
  UnsafeMutablePointer<Double>?
) -> Bool

/// The state of a host's transport.
public struct AUHostTransportStateFlags: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt
  /// Any bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// It was started or stopped, or has jumped, since it was last asked.
  public static let changed = AUHostTransportStateFlags(rawValue: 1)
  /// It moves.
  public static let moving = AUHostTransportStateFlags(rawValue: 2)
  /// It records, or is about to.
  public static let recording = AUHostTransportStateFlags(rawValue: 4)
  /// It cycles.
  public static let cycling = AUHostTransportStateFlags(rawValue: 8)
}

/// A time for events that are to have effect in the next slice, at its first frame; plus 0 to 4095 as many frames later.
public let AUEventSampleTimeImmediate: AUEventSampleTime = -0x1_0000_0000

/// A preset of a unit: factory ones have numbers from 0 on, those of users numbers below 0.
public final class AUAudioUnitPreset: NSObject, NSSecureCoding, @unchecked Sendable {
  /// The number.
  public var number: Int = 0
  /// The name for people.
  public var name: String = ""

  /// Number 0 without a name.
  public override init() {}

  package init(number: Int, name: String) {
    self.number = number
    self.name = name
  }

  private static let (numberKey, nameKey) = ("AUPresetNumber", "AUPresetName")
  /// True: archives are this project's own; Apple's systems do not read them.
  public static var supportsSecureCoding: Bool { true }
  /// Writes number and name.
  public func encode(with coder: NSCoder) {
    coder.encode(Int64(number), forKey: Self.numberKey)
    let bytes = [UInt8](name.utf8)
    coder.encodeBytes(bytes, length: bytes.count, forKey: Self.nameKey)
  }
  /// Nil where the archive holds no preset.
  public init?(coder: NSCoder) {
    guard let bytes = coder.bytes(forKey: Self.nameKey) else { return nil }
    number = Int(coder.decodeInt64(forKey: Self.numberKey))
    name = String(decoding: bytes, as: UTF8.self)
  }
}

/// Makes units: what the principal class of an extension does.
public protocol AUAudioUnitFactory {
  /// A new unit of the description.
  func createAudioUnit(with desc: AudioComponentDescription) throws -> AUAudioUnit
}

extension NSError {
  /// An error of an audio unit, by its `OSStatus`.
  convenience init(unit status: OSStatus, _ text: String) {
    self.init(domain: NSOSStatusErrorDomain, code: Int(status), userInfo: [NSLocalizedDescriptionKey: text])
  }
}
