import AVFAudioFiles
import AudioCore
import AudioEngine
import AudioUnitV3
import Foundation

/// An instrument: a unit that plays notes.
///
/// Messages hold from the first frame of the next slice on. Units that take no MIDI leave them alone.
open class AVAudioUnitMIDIInstrument: AVAudioUnit, AVAudioMixing, @unchecked Sendable {
  override init(unit: AudioEngine.Unit) { super.init(unit: unit) }

  /// The node of an instrument (`aumu`). A description that none has ends the process.
  public init(audioComponentDescription: AudioComponentDescription) {
    super.init(unit: AVAudioUnit.makeUnit(audioComponentDescription, of: [kAudioUnitType_MusicDevice]))
  }

  /// Begins a note; velocity 0 ends it.
  public func startNote(_ note: UInt8, withVelocity velocity: UInt8, onChannel channel: UInt8) {
    send([0x90 | channel & 0x0F, note & 0x7F, velocity & 0x7F])
  }
  /// Ends a note.
  public func stopNote(_ note: UInt8, onChannel channel: UInt8) { send([0x80 | channel & 0x0F, note & 0x7F, 0]) }
  /// Sets a controller, 0 to 127.
  public func sendController(_ controller: UInt8, withValue value: UInt8, onChannel channel: UInt8) {
    send([0xB0 | channel & 0x0F, controller & 0x7F, value & 0x7F])
  }
  /// Bends the pitch: 0 to 16383, 8192 is none.
  public func sendPitchBend(_ pitchbend: UInt16, onChannel channel: UInt8) {
    let bend = min(pitchbend, 0x3FFF)
    send([0xE0 | channel & 0x0F, UInt8(bend & 0x7F), UInt8(bend >> 7)])
  }
  /// Sets the pressure of all notes of a channel.
  public func sendPressure(_ pressure: UInt8, onChannel channel: UInt8) {
    send([0xD0 | channel & 0x0F, pressure & 0x7F])
  }
  /// Sets the pressure of one key.
  public func sendPressure(forKey key: UInt8, withValue value: UInt8, onChannel channel: UInt8) {
    send([0xA0 | channel & 0x0F, key & 0x7F, value & 0x7F])
  }
  /// Chooses a program.
  public func sendProgramChange(_ program: UInt8, onChannel channel: UInt8) {
    send([0xC0 | channel & 0x0F, program & 0x7F])
  }
  /// Chooses a bank and a program in it.
  public func sendProgramChange(_ program: UInt8, bankMSB: UInt8, bankLSB: UInt8, onChannel channel: UInt8) {
    sendController(0, withValue: bankMSB, onChannel: channel)
    sendController(32, withValue: bankLSB, onChannel: channel)
    sendProgramChange(program, onChannel: channel)
  }
  /// Sends a message of three bytes.
  public func sendMIDIEvent(_ midiStatus: UInt8, data1: UInt8, data2: UInt8) { send([midiStatus, data1, data2]) }
  /// Sends a message of two bytes.
  public func sendMIDIEvent(_ midiStatus: UInt8, data1: UInt8) { send([midiStatus, data1]) }
  /// Sends a message of a system.
  public func sendMIDISysExEvent(_ midiData: Data) { send([UInt8](midiData)) }

  /// Sends packets.
  public func send(_ eventList: UnsafePointer<MIDIEventList>) {
    _ = auAudioUnit.scheduleMIDIEventListBlock?(AUEventSampleTimeImmediate, 0, eventList)
  }

  private func send(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      auAudioUnit.scheduleMIDIEventBlock?(AUEventSampleTimeImmediate, 0, bytes.count, start)
    }
  }
}
