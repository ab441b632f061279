import AudioCore
import AudioToolbox
import CoreFoundation
import Glibc
import Testing
import TestSupport

/// Memory and references of properties.
@Suite struct AudioUnitPropertyTests {
  typealias Kind = OpenedUnit.Kind

  @Test("A property without memory tells its size; with too little, its beginning comes without an error")
  func shortMemory() throws {
    let unit = try OpenedUnit(.lowPass)
    let format = try unit.format(kAudioUnitScope_Output)
    func get(_ data: UnsafeMutableRawPointer?, _ size: UnsafeMutablePointer<UInt32>) -> OSStatus {
      AudioUnitGetProperty(unit.unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, data ?? null(), size)
    }
    // Without memory: the size, whatever it was.
    for start in [UInt32(0), 7] {
      var size = start
      #expect(get(nil, &size) == noErr && size == 40)
    }
    // Too little memory: the beginning, no error, the size as it was; none at all: -50.
    var bytes = [UInt8](repeating: 0xEE, count: 40)
    var size: UInt32 = 12
    #expect(get(&bytes, &size) == noErr && size == 12)
    #expect(withUnsafeBytes(of: format) { bytes == Array($0.prefix(12)) + [UInt8](repeating: 0xEE, count: 28) })
    size = 0
    #expect(get(&bytes, &size) == -50 && size == 0)
  }

  @Test("A text that is read comes with a reference of the caller's own")
  func ownReference() throws {
    let unit = try OpenedUnit(.lowPass)
    let name = try #require(TestText.make("Anna")).toOpaque()
    expectNoError(unit.set(kAudioUnitProperty_ContextName, to: UnsafeRawPointer(name)))
    let kept = try referenceCount(name)
    #expect(try object(unit, kAudioUnitProperty_ContextName) == UnsafeRawPointer(name))
    #expect(try referenceCount(name) == kept + 1)
    releaseObject(name)
    #expect(try referenceCount(name) == kept)
    releaseObject(name)
  }

  @Test("A list of presets comes with a reference of the caller's own, a state is his alone; both outlive the unit")
  func madeForTheCaller() throws {
    let equalizer = try OpenedUnit(.iPodEQ)
    let presets = try object(equalizer, kAudioUnitProperty_FactoryPresets)
    let held = try referenceCount(presets)
    let again = try object(equalizer, kAudioUnitProperty_FactoryPresets)
    if again == presets { #expect(try referenceCount(presets) == held + 1) }
    releaseObject(again)
    // An object that the unit has made for the caller belongs to the caller alone.
    let state = try object(equalizer, kAudioUnitProperty_ClassInfo)
    #expect(try referenceCount(state) == 1)
    releaseObject(state)
    let preset = try #require(equalizer.get(kAudioUnitProperty_PresentPreset, as: AUPreset.self).value)
    let presetName = try #require(preset.presetName)
    #expect(TestText.string(presetName.takeUnretainedValue()) == "Disabled")
    equalizer.dispose()
    #expect(TestText.string(presetName.takeUnretainedValue()) == "Disabled", "it outlives the unit")
    #expect(CFArrayGetCount(Unmanaged<CFArray>.fromOpaque(presets).takeUnretainedValue()) == 23)
    presetName.release()
    releaseObject(presets)
  }

  @Test("Who listens to one view of a value hears of it when another one is set")
  func listenersOfViews() throws {
    final class Log { var ids: [AudioUnitPropertyID] = [] }
    let log = Log()
    let context = Unmanaged.passUnretained(log).toOpaque()
    let equalizer = try OpenedUnit(.iPodEQ)
    for id in [kAudioUnitProperty_PresentPreset, kAudioUnitProperty_ClassInfo, kAudioUnitProperty_StreamFormat] {
      expectNoError(
        AudioUnitAddPropertyListener(
          equalizer.unit, id,
          { context, _, id, _, _ in Unmanaged<Log>.fromOpaque(context).takeUnretainedValue().ids.append(id) }, context))
    }
    let state = try object(equalizer, kAudioUnitProperty_ClassInfo)
    defer { releaseObject(state) }
    expectNoError(equalizer.set(kAudioUnitProperty_ClassInfo, to: state))
    #expect(Set(log.ids) == [kAudioUnitProperty_ClassInfo, kAudioUnitProperty_PresentPreset])
    log.ids = []
    expectNoError(equalizer.set(kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, to: 22_050.0))
    #expect(log.ids == [kAudioUnitProperty_StreamFormat])
    withExtendedLifetime(log) {}
  }

  @Test("The first error of rendering is read once")
  func renderError() throws {
    let host = try RenderHost(.lowPass, initialize: false)
    #expect(host.lastRenderError == noErr)
    expectStatus(-10867, host.render().status)
    expectNoError(AudioUnitInitialize(host.unit))
    #expect(host.render(frames: 1 << 20).status == -10874)
    #expect(host.lastRenderError == -10867 && host.lastRenderError == noErr)
  }

  @Test("What is absent has no default")
  func absence() throws {
    let absent: [(Kind, AudioUnitPropertyID)] =
      [(.mixer, kAudioUnitProperty_TailTime), (.nBandEQ, kAudioUnitProperty_InPlaceProcessing)]
      + [.lowPass, .nBandEQ, .iPodEQ, .mixer].map { ($0, kAudioUnitProperty_OfflineRender) }
    for (kind, id) in absent {
      let unit = try OpenedUnit(kind)
      #expect(unit.get(id, as: Double.self).status == -10879, "property \(id) of \(kind)")
      expectStatus(-10879, AudioUnitGetPropertyInfo(unit.unit, id, kAudioUnitScope_Global, 0, nil, nil))
      expectStatus(-10879, unit.set(id, to: UInt32(1)))
    }
    #expect(try OpenedUnit(.lowPass).get(kAudioUnitProperty_InPlaceProcessing, as: UInt32.self).value == 1)
  }
}

/// The object behind a property, owned by the caller.
func object(_ unit: OpenedUnit, _ id: AudioUnitPropertyID) throws -> UnsafeRawPointer {
  let read = unit.get(id, as: UnsafeRawPointer?.self)
  expectNoError(read.status)
  return try #require(read.value ?? nil)
}

/// Its references, by the count of Swift's runtime, whose objects CoreFoundation's are.
func referenceCount(_ object: UnsafeRawPointer) throws -> Int {
  let function = try #require(dlsym(nil, "swift_retainCount"))
  return unsafeBitCast(function, to: (@convention(c) (UnsafeRawPointer) -> Int).self)(object)
}
func releaseObject(_ object: UnsafeRawPointer) { Unmanaged<CFTypeRef>.fromOpaque(object).release() }
