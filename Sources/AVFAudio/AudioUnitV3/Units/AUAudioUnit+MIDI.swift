// MIDI to the render function of a unit, as bytes and as packets.

import AVFAudioFiles
import Foundation

extension AUAudioUnit {
  private var takesMIDI: Bool {
    isMusicDeviceOrEffect || componentDescription.componentType == kAudioUnitType_MIDIProcessor
  }

  /// Schedules bytes of MIDI 1.0; nil for units that take none.
  var byteSchedule: AUScheduleMIDIEventBlock? {
    guard takesMIDI else { return nil }
    let context = context
    return { time, cable, length, bytes in
      guard length > 0 else { return }
      context.events.schedule(time, cable: cable, UnsafeBufferPointer(start: bytes, count: length))
    }
  }

  /// Schedules packets; nil for units that take no MIDI.
  var packetSchedule: AUMIDIEventListBlock? {
    guard takesMIDI else { return nil }
    let context = context
    return { time, cable, list in
      context.events.schedule(time, cable: cable, list)
      return noErr
    }
  }
}
