import AVFAudio
import AudioEngine
import BuiltInUnits
import Foundation
import Testing

@Suite("Units by their descriptions, and the engine's own as units of version 3")
struct AVAudioUnitComponentTests {
  init() { GainAudioUnit.register() }

  private let delayCodes = AudioComponentDescription(
    componentType: kAudioUnitType_Effect, componentSubType: kAudioUnitSubType_Delay,
    componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)

  @Test("Components are found by description, by test and by predicate, a program's own among them")
  func components() throws {
    let manager = AVAudioUnitComponentManager.shared()
    let delay = try #require(manager.components(matching: delayCodes).first)
    #expect((delay.name, delay.manufacturerName, delay.typeName) == ("AUDelay", "Apple", "Effect"))
    #expect((delay.version, delay.versionString, delay.hasMIDIInput) == (0x10000, "1.0.0", false))
    #expect(delay.supportsNumberInputChannels(2, outputChannels: 2))
    #expect(!delay.supportsNumberInputChannels(1, outputChannels: 2))
    #expect(delay.icon == nil && delay.availableArchitectures.count == 1)
    let effects = manager.components(
      matching: AudioComponentDescription(
        componentType: kAudioUnitType_Effect, componentSubType: 0, componentManufacturer: 0, componentFlags: 0,
        componentFlagsMask: 0))
    #expect(effects.contains { $0.name == "Line Gain" && $0.manufacturerName == "Test" })
    #expect(effects.allSatisfy { $0.typeName == AVAudioUnitTypeEffect })
    var seen = 0
    let first = manager.components { component, stop in
      seen += 1
      stop.pointee = ObjCBool(component.name == "AUDelay")
      return component.name == "AUDelay"
    }
    #expect(first.map(\.name) == ["AUDelay"])
    #expect(seen < effects.count + 100)
    let byBlock = manager.components(
      matching: NSPredicate { object, _ in (object as? AVAudioUnitComponent)?.name == "Line Gain" })
    #expect(byBlock.count == 1)
    #expect(manager.standardLocalizedTagNames.contains("Effect"))
  }

  @Test("A unit is made by its description, with the error of a description that none has")
  func instantiate() async throws {
    let nobody = codes(kAudioUnitType_Effect, 0x6E6F_6E65)
    await #expect(throws: NSError.self) { try await AVAudioUnit.instantiate(with: nobody) }
    let error = #expect(throws: NSError.self) { try AUAudioUnit(componentDescription: nobody) }
    #expect(error?.code == -3000)
    let waiting = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var made: AUAudioUnit?
    AUAudioUnit.instantiate(with: GainAudioUnit.codes) { unit, _ in
      made = unit
      waiting.signal()
    }
    await Task.detached { waiting.wait() }.value
    #expect(made is GainAudioUnit)
    #expect((made?.audioUnitName, made?.manufacturerName, made?.componentVersion) == ("Line Gain", "Test", 1))
    // The class itself stands for the unit of its description.
    let standing = try AUAudioUnit(componentDescription: GainAudioUnit.codes)
    #expect(standing.parameterTree?.parameter(withAddress: 3)?.identifier == "gain")
    standing.parameterTree?.allParameters[0].value = 3
    #expect(try UnitHost(standing).render(2) == [3, 3])
  }

  @Test("A later version of the same codes takes a class's place, an earlier one does not")
  func versions() throws {
    final class Later: TestAudioUnit {}
    final class Earlier: TestAudioUnit {}
    let description = codes(kAudioUnitType_Effect, 0x7665_7273)
    AUAudioUnit.registerSubclass(TestAudioUnit.self, as: description, name: "Test: Versions", version: 5)
    AUAudioUnit.registerSubclass(Later.self, as: description, name: "Test: Versions", version: 6)
    AUAudioUnit.registerSubclass(Earlier.self, as: description, name: "Test: Versions", version: 4)
    #expect(AVAudioUnitEffect(audioComponentDescription: description).auAudioUnit is Later)
  }

  @Test("A unit of the engine has its parameters, presets and state in the shape of version 3")
  func builtIn() throws {
    let delay = AVAudioUnitDelay()
    let unit = delay.auAudioUnit
    #expect(unit === delay.auAudioUnit)
    let time = try #require(unit.parameterTree?["delayTime"])
    #expect((time.value, time.minValue, time.maxValue, time.unit) == (1, 0, 2, .seconds))
    time.value = 0.5
    #expect(delay.delayTime == 0.5)
    delay.delayTime = 0.25
    #expect(time.value == 0.25)
    let other = AVAudioUnitDelay()
    other.auAudioUnit.fullState = unit.fullState
    #expect(other.delayTime == 0.25)
    #expect(unit.componentName == "Apple: AUDelay")
    unit.shouldBypassEffect = true
    #expect(delay.bypass)
    let reverb = AVAudioUnitReverb().auAudioUnit
    #expect(reverb.factoryPresets?.count ?? 0 > 3)
    reverb.currentPreset = reverb.factoryPresets?[1]
    #expect(reverb.currentPreset?.number == 1)
    #expect(reverb.tailTime > 0)
  }

  @Test("A unit of the engine renders by its render block, with ramps over slices, as it renders in the engine")
  func builtInRenders() throws {
    let unit = try AUAudioUnit(componentDescription: delayCodes)
    let tree = try #require(unit.parameterTree)
    tree["delayTime"]?.value = 0
    tree["wetDryMix"]?.value = 0
    let host = try UnitHost(unit) { Float($0) }
    #expect(try host.render(3) == [0, 1, 2])
    let mix = try #require(tree["wetDryMix"])
    unit.scheduleParameterBlock(host.time, 400, mix.address, 100)
    _ = try host.render(100)
    _ = try host.render(100)
    #expect(abs(mix.value - 50) < 0.01)
    _ = try host.render(300)
    #expect(mix.value == 100)
  }
}
