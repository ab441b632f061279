// The behaviours that re-implementations get wrong: 13 to 15, of properties,
// the converter, and what units are like when they are opened.

import AudioCore
import AudioToolbox
import CoreFoundation
import Glibc
import TestSupport
import Testing

@Suite("The fifteen behaviours: properties, the converter, fresh units")
struct FifteenBehavioursPropertyTests {
  typealias Kind = OpenedUnit.Kind

  /// The object behind a property, owned by the caller.
  private func object(_ unit: OpenedUnit, _ id: AudioUnitPropertyID) throws -> UnsafeRawPointer {
    let read = unit.get(id, as: UnsafeRawPointer?.self)
    #expect(read.status == noErr)
    return try #require(read.value ?? nil)
  }

  /// Its references, by the count of Swift's runtime, whose objects CoreFoundation's are.
  private func count(_ object: UnsafeRawPointer) throws -> Int {
    let function = try #require(dlsym(nil, "swift_retainCount"))
    return unsafeBitCast(function, to: (@convention(c) (UnsafeRawPointer) -> Int).self)(object)
  }
  private func release(_ object: UnsafeRawPointer) { Unmanaged<CFTypeRef>.fromOpaque(object).release() }

  @Test("13. A property without memory tells its size; with too little, its beginning comes without an error")
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

  @Test("13. A text that is read comes with a reference of the caller's own")
  func ownReference() throws {
    let unit = try OpenedUnit(.lowPass)
    let name = try #require(TestText.make("Anna")).toOpaque()
    #expect(unit.set(kAudioUnitProperty_ContextName, to: UnsafeRawPointer(name)) == noErr)
    let kept = try count(name)
    #expect(try object(unit, kAudioUnitProperty_ContextName) == UnsafeRawPointer(name))
    #expect(try count(name) == kept + 1)
    release(name)
    #expect(try count(name) == kept)
    release(name)
  }

  @Test("13. A list of presets comes with a reference of the caller's own, a state is his alone; both outlive the unit")
  func madeForTheCaller() throws {
    let equalizer = try OpenedUnit(.iPodEQ)
    let presets = try object(equalizer, kAudioUnitProperty_FactoryPresets)
    let held = try count(presets)
    let again = try object(equalizer, kAudioUnitProperty_FactoryPresets)
    if again == presets { #expect(try count(presets) == held + 1) }
    release(again)
    // What the unit has made for the caller alone is his alone.
    let state = try object(equalizer, kAudioUnitProperty_ClassInfo)
    #expect(try count(state) == 1)
    release(state)
    let preset = try #require(equalizer.get(kAudioUnitProperty_PresentPreset, as: AUPreset.self).value)
    let presetName = try #require(preset.presetName)
    #expect(TestText.string(presetName.takeUnretainedValue()) == "Disabled")
    equalizer.dispose()
    #expect(TestText.string(presetName.takeUnretainedValue()) == "Disabled", "it outlives the unit")
    #expect(CFArrayGetCount(Unmanaged<CFArray>.fromOpaque(presets).takeUnretainedValue()) == 23)
    presetName.release()
    release(presets)
  }

  @Test("13. The first error of rendering is read once")
  func renderError() throws {
    let host = try RenderHost(.lowPass, initialize: false)
    #expect(host.lastRenderError == noErr)
    #expect(host.render().status == -10867)
    #expect(AudioUnitInitialize(host.unit) == noErr)
    #expect(host.render(frames: 1 << 20).status == -10874)
    #expect(host.lastRenderError == -10867 && host.lastRenderError == noErr)
  }

  @Test("13. What is absent has no default")
  func absence() throws {
    let absent: [(Kind, AudioUnitPropertyID)] =
      [(.mixer, kAudioUnitProperty_TailTime), (.nBandEQ, kAudioUnitProperty_InPlaceProcessing)]
      + [.lowPass, .nBandEQ, .iPodEQ, .mixer].map { ($0, kAudioUnitProperty_OfflineRender) }
    for (kind, id) in absent {
      let unit = try OpenedUnit(kind)
      #expect(unit.get(id, as: Double.self).status == -10879, "property \(id) of \(kind)")
      #expect(AudioUnitGetPropertyInfo(unit.unit, id, kAudioUnitScope_Global, 0, nil, nil) == -10879)
      #expect(unit.set(id, to: UInt32(1)) == -10879)
    }
    #expect(try OpenedUnit(.lowPass).get(kAudioUnitProperty_InPlaceProcessing, as: UInt32.self).value == 1)
  }

  @Test("14. A converter's input: nothing is its end until a reset, an error is a gap, the first pull asks for more")
  func converter() throws {
    let mono = StreamFormat(sampleRate: 44_100, channelCount: 1)
    let studio = StreamFormat(sampleRate: 48_000, channelCount: 1)
    let input = try noise(mono, frames: 4410)
    let converter = try TestConverter(mono, studio)
    let feed = InputFeed(input, bytesPerFrame: 4)
    // 480 frames of 48 kHz are 441 of 44.1 kHz: the first pull asks for what the filter looks ahead as well.
    let first = converter.fill(feed, frames: 480)
    let asked = feed.requests.reduce(0, +)
    let trailing = try converter.get("prim", as: AudioConverterPrimeInfo(leadingFrames: 0, trailingFrames: 0))
      .trailingFrames
    #expect(first.status == 0 && first.frames == 480)
    #expect(trailing > 0 && asked > 441 && asked <= 441 + Int(trailing))
    let second = converter.fill(feed, frames: 480)
    #expect(second.status == 0 && second.frames == 480)

    // The end: 4410 frames are 4800. From then on the input is not asked any more, though there is some again.
    let rest = converter.drain(feed, sizes: [333])
    let whole = first.bytes[0] + second.bytes[0] + rest[0]
    #expect(whole.count == 4800 * 4 && feed.ends == 1)
    let calls = feed.requests.count
    feed.position = 0
    let after = converter.fill(feed, frames: 100)
    #expect(after.status == 0 && after.frames == 0 && feed.requests.count == calls)
    #expect(AudioConverterReset(converter.ref) == 0)
    feed.rewind()
    #expect(converter.drain(feed, sizes: [512]) == [whole])

    // A gap: what there is comes with the error, and the next call goes on where it stopped.
    let broken = InputFeed(input, bytesPerFrame: 4)
    broken.gaps = [2000]
    #expect(AudioConverterReset(converter.ref) == 0)
    let partial = converter.fill(broken, frames: 4800)
    #expect(partial.status == InputFeed.gapStatus && partial.frames > 1000 && partial.frames < 2178)
    let resumed = converter.drain(broken, sizes: [777])
    #expect(partial.bytes[0] + resumed[0] == whole)

    // One channel into two: the right one is silent until a map says otherwise.
    let stereo = StreamFormat(sampleRate: 44_100, channelCount: 2)
    let spreading = try TestConverter(mono, stereo)
    let plain = spreading.drain(InputFeed(input, bytesPerFrame: 4), sizes: [500])
    #expect(plain == [input[0], [UInt8](repeating: 0, count: 4410 * 4)])
    #expect(AudioConverterReset(spreading.ref) == 0)
    #expect(spreading.set("chmp", words: [0, 0]) == 0)
    #expect(spreading.drain(InputFeed(input, bytesPerFrame: 4), sizes: [500]) == [input[0], input[0]])
  }

  private func parameterCount(_ unit: OpenedUnit, _ scope: AudioUnitScope, _ element: UInt32 = 0) -> Int {
    var size: UInt32 = .max
    let status = AudioUnitGetPropertyInfo(unit.unit, kAudioUnitProperty_ParameterList, scope, element, &size, nil)
    return status == noErr ? Int(size) / 4 : -1
  }

  private let input = kAudioUnitScope_Input
  private let output = kAudioUnitScope_Output

  @Test("15. A fresh device has two elements, whose output is on, and whose sides of the hardware cannot be set")
  func freshDevice() throws {
    let device = try OpenedUnit(type: kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
    for scope in [input, output] {
      #expect(device.get(kAudioUnitProperty_ElementCount, scope, as: UInt32.self).value == 2)
    }
    #expect(device.get(kAudioOutputUnitProperty_EnableIO, output, 0, as: UInt32.self).value == 1)
    #expect(device.get(kAudioOutputUnitProperty_EnableIO, input, 1, as: UInt32.self).value == 0)
    for (scope, element) in [(output, UInt32(0)), (input, 1), (input, 0), (output, 1)] {
      let isHardware = (scope == output) == (element == 0)
      var format = try device.format(scope, element)
      format.mSampleRate = format.mSampleRate == 32_000 ? 16_000 : 32_000
      let status = device.set(kAudioUnitProperty_StreamFormat, scope, element, to: format)
      #expect(status == (isHardware ? -10865 : noErr), "scope \(scope) element \(element)")
      #expect(try (device.format(scope, element).mSampleRate == format.mSampleRate) == !isHardware)
    }
  }

  @Test("15. A fresh mixer has eight inputs with parameters of their own, and one output")
  func freshMixer() throws {
    let mixer = try OpenedUnit(.mixer)
    #expect(mixer.get(kAudioUnitProperty_ElementCount, input, as: UInt32.self).value == 8)
    #expect(mixer.get(kAudioUnitProperty_ElementCount, output, as: UInt32.self).value == 1)
    #expect(parameterCount(mixer, kAudioUnitScope_Global) == 0)
    for element in 0..<UInt32(8) {
      #expect(parameterCount(mixer, input, element) >= 3)
      #expect(AudioUnitSetParameter(mixer.unit, mixerVolume, input, element, Float(element) / 8, 0) == noErr)
      #expect(AudioUnitSetParameter(mixer.unit, mixerPan, input, element, Float(element) / 16, 0) == noErr)
    }
    for element in 0..<UInt32(8) {
      #expect(mixer.value(mixerVolume, input, element) == Float(element) / 8)
      #expect(mixer.value(mixerPan, input, element) == Float(element) / 16)
      #expect(mixer.value(UInt32(kMultiChannelMixerParam_Enable), input, element) == 1)
    }
    #expect(mixer.value(mixerVolume, output) == 1)
    #expect(AudioUnitSetParameter(mixer.unit, mixerVolume, input, 8, 1, 0) == -10877)
    #expect(AudioUnitSetParameter(mixer.unit, mixerVolume, kAudioUnitScope_Global, 0, 1, 0) != noErr)
  }

  @Test("15. A fresh iPod equalizer has no parameters, and 23 presets of which the first, Disabled, is at work")
  func freshEqualizer() throws {
    let equalizer = try OpenedUnit(.iPodEQ)
    for scope in [kAudioUnitScope_Global, input, output] { #expect(parameterCount(equalizer, scope) == 0) }
    let presets = try object(equalizer, kAudioUnitProperty_FactoryPresets)
    let list = Unmanaged<CFArray>.fromOpaque(presets).takeUnretainedValue()
    let names = try (0..<CFArrayGetCount(list)).map { index in
      let entry = try #require(CFArrayGetValueAtIndex(list, index)).assumingMemoryBound(to: AUPreset.self).pointee
      #expect(entry.presetNumber == index)
      return entry.presetName.flatMap { TestText.string($0.takeUnretainedValue()) } ?? ""
    }
    release(presets)
    #expect(
      names == [
        "Disabled", "Acoustic", "Bass Booster", "Bass Reducer", "Classical", "Dance", "Deep", "Electronic", "Flat",
        "Hip-Hop", "Jazz", "Latin", "Loudness", "Lounge", "Piano", "Pop", "R&B", "Rock", "Small Speakers",
        "Spoken Word", "Treble Booster", "Treble Reducer", "Vocal Booster",
      ])
    let present = try #require(equalizer.get(kAudioUnitProperty_PresentPreset, as: AUPreset.self).value)
    #expect(present.presetNumber == 0)
    present.presetName?.release()
  }

  @Test("15. The 3D mixer's ids are other numbers on the desktop and on the telephone")
  func mixer3DIDs() throws {
    let desktop =
      "k3DMixerParam_ReverbBlend == 5 && k3DMixerParam_GlobalReverbGain == 6 && k3DMixerParam_OcclusionAttenuation == 7 && "
      + "k3DMixerParam_ObstructionAttenuation == 8 && k3DMixerParam_MinGain == 9 && k3DMixerParam_MaxGain == 10"
    let telephone =
      "k3DMixerParam_Enable == 5 && k3DMixerParam_MinGain == 6 && k3DMixerParam_MaxGain == 7 && "
      + "k3DMixerParam_ReverbBlend == 8 && k3DMixerParam_GlobalReverbGain == 9 && "
      + "k3DMixerParam_OcclusionAttenuation == 10 && k3DMixerParam_ObstructionAttenuation == 11"
    let said = try HeaderTests().compile(
      [(0, desktop), (1, telephone)].map { isTelephone, condition in
        """
        #include <TargetConditionals.h>
        #undef TARGET_OS_IPHONE
        #define TARGET_OS_IPHONE \(isTelephone)
        #include <AudioToolbox/AudioToolbox.h>
        _Static_assert(\(condition), "");
        extern int declared;
        """
      }, "c11")
    #expect(said == "")
  }
}
