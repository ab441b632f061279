import AudioCore
import AudioToolbox
import CoreFoundation
import Glibc
import Testing
import TestSupport

/// Units as they are when they are opened.
@Suite struct FreshUnitTests {
  private func parameterCount(_ unit: OpenedUnit, _ scope: AudioUnitScope, _ element: UInt32 = 0) -> Int {
    var size: UInt32 = .max
    let status = AudioUnitGetPropertyInfo(unit.unit, kAudioUnitProperty_ParameterList, scope, element, &size, nil)
    return status == noErr ? Int(size) / 4 : -1
  }

  private let input = kAudioUnitScope_Input
  private let output = kAudioUnitScope_Output

  @Test("A fresh device has two elements, whose output is on, and whose sides of the hardware cannot be set")
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

  @Test("A fresh mixer has eight inputs with parameters of their own, and one output")
  func freshMixer() throws {
    let mixer = try OpenedUnit(.mixer)
    #expect(mixer.get(kAudioUnitProperty_ElementCount, input, as: UInt32.self).value == 8)
    #expect(mixer.get(kAudioUnitProperty_ElementCount, output, as: UInt32.self).value == 1)
    #expect(parameterCount(mixer, kAudioUnitScope_Global) == 0)
    for element in 0..<UInt32(8) {
      #expect(parameterCount(mixer, input, element) >= 3)
      expectNoError(AudioUnitSetParameter(mixer.unit, mixerVolume, input, element, Float(element) / 8, 0))
      expectNoError(AudioUnitSetParameter(mixer.unit, mixerPan, input, element, Float(element) / 16, 0))
    }
    for element in 0..<UInt32(8) {
      #expect(mixer.value(mixerVolume, input, element) == Float(element) / 8)
      #expect(mixer.value(mixerPan, input, element) == Float(element) / 16)
      #expect(mixer.value(UInt32(kMultiChannelMixerParam_Enable), input, element) == 1)
    }
    #expect(mixer.value(mixerVolume, output) == 1)
    expectStatus(-10877, AudioUnitSetParameter(mixer.unit, mixerVolume, input, 8, 1, 0))
    #expect(AudioUnitSetParameter(mixer.unit, mixerVolume, kAudioUnitScope_Global, 0, 1, 0) != noErr)
  }

  @Test("A fresh iPod equalizer has no parameters, and 23 presets of which the first, Disabled, is at work")
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
    releaseObject(presets)
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

  @Test("The 3D mixer's ids are other numbers on the desktop and on the telephone")
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
