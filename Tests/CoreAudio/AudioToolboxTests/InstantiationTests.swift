import AudioToolbox
import Testing

@Suite("Components answer to blocks")
struct InstantiationTests {
  static func component() throws -> AudioComponent {
    var wanted = AudioComponentDescription(
      componentType: kAudioUnitType_Effect, componentSubType: kAudioUnitSubType_AUiPodEQ,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    return try #require(AudioComponentFindNext(nil, &wanted))
  }

  @Test("AudioComponentInstantiate hands the unit to a closure")
  func instantiate() async throws {
    let component = try Self.component()
    let (unit, status) = await withCheckedContinuation { done in
      AudioComponentInstantiate(component, []) { unit, status in
        done.resume(returning: (UInt(bitPattern: unit), status))
      }
    }
    expectNoError(status)
    let made = try #require(AudioComponentInstance(bitPattern: unit))
    #expect(AudioComponentInstanceGetComponent(made) == component)
    expectNoError(AudioComponentInstanceDispose(made))
  }

  @Test("AudioComponentValidateWithResults hands what it found to a closure")
  func validate() async throws {
    let component = try Self.component()
    let result = await withCheckedContinuation { done in
      AudioComponentValidateWithResults(component, nil) { result, _ in done.resume(returning: result) }
    }
    #expect(result == .passed)
  }
}
