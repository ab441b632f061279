import AVFAudio
import Foundation
import Testing

@Suite("Messages between a unit of version 3 and its host")
struct AUMessageChannelTests {
  private final class Doubling: AUMessageChannel {
    var callHostBlock: CallHostBlock?
    func callAudioUnit(_ message: [AnyHashable: Any]) -> [AnyHashable: Any] {
      let number = (message["number"] as? NSNumber)?.intValue ?? 0
      let answer = callHostBlock?(["asks": "factor"])["factor"] as? Int ?? 2
      return ["number": NSNumber(value: number * answer)]
    }
  }

  private final class Talker: TestAudioUnit {
    static let codes = AVFAudioTests.codes(kAudioUnitType_Effect, 0x7461_6C6B)
    let channel = Doubling()
    override func messageChannel(for channelName: String) -> any AUMessageChannel {
      channelName == "doubling" ? channel : super.messageChannel(for: channelName)
    }
  }

  init() { AUAudioUnit.registerSubclass(Talker.self, as: Talker.codes, name: "Test: Talker", version: 1) }

  @Test("A channel of the unit's own answers, asks its host, and outlives the unit; also by the class itself")
  func own() throws {
    var channel: (any AUMessageChannel)?
    do {
      let unit = try AUAudioUnit(componentDescription: Talker.codes)
      channel = unit.messageChannel(for: "doubling")
    }
    let kept = try #require(channel)
    #expect((kept.callAudioUnit(["number": 21])["number"] as? NSNumber)?.intValue == 42)
    kept.callHostBlock = { message in message["asks"] as? String == "factor" ? ["factor": 5] : [:] }
    #expect((kept.callAudioUnit(["number": 21])["number"] as? NSNumber)?.intValue == 105)
  }

  @Test("A name that no unit knows is answered with nothing, and other units have no older plug-ins")
  func others() throws {
    let talker = try Talker(componentDescription: Talker.codes)
    for unit in [talker, AVAudioUnitDelay().auAudioUnit] {
      let channel = unit.messageChannel(for: "nothing")
      #expect(channel.callAudioUnit(["a": 1]).isEmpty)
      channel.callHostBlock = { $0 }
      #expect(channel.callHostBlock?(["b": 2]).count == 1)
      #expect(unit.migrateFromPlugin.isEmpty && unit.allParameterValues)
    }
  }
}
