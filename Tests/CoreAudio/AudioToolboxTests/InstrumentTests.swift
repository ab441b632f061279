// A component that the tests register with the process: an instrument that keeps the last message it was given.

import AudioToolbox
import Glibc
import TestSupport
import Testing

@Suite("A third-party instrument gets messages as they were sent", .serialized)
struct InstrumentTests {
  /// The instance; its messages are words: of MIDI 1 status, data and frame, else the frame and the first packet.
  private struct Instance {
    var table: AudioComponentPlugInInterface
    var words: (UInt32, UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0, 0)
  }

  private static let wordsProperty: AudioUnitPropertyID = 64_003
  nonisolated(unsafe) private static let component = RegisteredComponent(
    "Test: Instrument", type: kAudioUnitType_MusicDevice, subType: 0x696E_7374, factory)

  private static let factory: AudioComponentFactoryFunction = { _ in
    RegisteredComponent.made(
      Instance(
        table: AudioComponentPlugInInterface(
          Open: { _, _ in noErr },
          Close: { object in
            object.assumingMemoryBound(to: Instance.self).deallocate()
            return noErr
          }, Lookup: { InstrumentTests.method($0) }, reserved: nil)))
  }

  private typealias Object = UnsafeMutableRawPointer

  private static func method(_ selector: Int16) -> AudioComponentMethod? {
    switch Int(selector) {
    case Int(kAudioUnitGetPropertySelect):
      let get: RegisteredComponent.GetProperty = { object, property, _, _, data, size in
        guard property == InstrumentTests.wordsProperty, size.pointee >= 20 else {
          return kAudioUnitErr_InvalidProperty
        }
        size.pointee = 20
        withUnsafeBytes(of: object.assumingMemoryBound(to: Instance.self).pointee.words) {
          data.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(data), byteCount: 20)
        }
        return noErr
      }
      return unsafeBitCast(get, to: AudioComponentMethod.self)
    case Int(kMusicDeviceMIDIEventSelect):
      let take: @convention(c) (Object, UInt32, UInt32, UInt32, UInt32) -> OSStatus = {
        object, status, one, two, frame in
        object.assumingMemoryBound(to: Instance.self).pointee.words = (status, one, two, frame, 0)
        return noErr
      }
      return unsafeBitCast(take, to: AudioComponentMethod.self)
    case Int(kMusicDeviceMIDIEventListSelect):
      let take: @convention(c) (Object, UInt32, UnsafePointer<MIDIEventList>) -> OSStatus = { object, frame, list in
        let packet = list.pointee.packet
        object.assumingMemoryBound(to: Instance.self).pointee.words = (
          frame, UInt32(list.pointee.protocol.rawValue), packet.wordCount, packet.words.0, packet.words.1
        )
        return 77
      }
      return unsafeBitCast(take, to: AudioComponentMethod.self)
    default: return nil
    }
  }

  private func words(of opened: OpenedUnit) throws -> [UInt32] {
    let words = try #require(opened.get(Self.wordsProperty, as: (UInt32, UInt32, UInt32, UInt32, UInt32).self).value)
    return [words.0, words.1, words.2, words.3, words.4]
  }

  @Test("A message of MIDI 1 and a list of packets arrive with their frame, and the method's status comes back")
  func messages() throws {
    let opened = try #require(Self.component).open()
    expectNoError(MusicDeviceMIDIEvent(opened.unit, 0x91, 60, 100, 33))
    #expect(try words(of: opened) == [0x91, 60, 100, 33, 0])
    var list = MIDIEventList()
    list.protocol = ._2_0
    list.numPackets = 1
    list.packet.wordCount = 2
    (list.packet.words.0, list.packet.words.1) = (0x4091_3C00, 0xC000_0000)
    #expect(MusicDeviceMIDIEventList(opened.unit, 12, &list) == 77)
    #expect(try words(of: opened) == [12, 2, 2, 0x4091_3C00, 0xC000_0000])
    #expect(MusicDeviceMIDIEventList(opened.unit, 12, null()) == kAudio_ParamError)
    // It has no method for these.
    #expect(MusicDevicePrepareInstrument(opened.unit, 0) == kAudio_UnimplementedError)
  }
}
