import AudioCore
import AudioToolbox
import Glibc
import Testing
import TestSupport

/// The flag of silence: a hint of callers and callbacks.
@Suite struct RenderSilenceTests {
  static let silence = AudioUnitRenderActionFlags.unitRenderAction_OutputIsSilence

  @Test("Silence is a hint, honoured after latency and tail, and then zeros; the caller clears the flags")
  func silenceFlag() throws {
    let host = try RenderHost(.lowPass, initialize: false)
    expectNoError(AudioUnitSetParameter(host.unit, UInt32(kLowPassParam_CutoffFrequency), 0, 0, 100, 0))
    expectNoError(AudioUnitSetParameter(host.unit, UInt32(kLowPassParam_Resonance), 0, 0, 20, 0))
    expectNoError(AudioUnitInitialize(host.unit))
    let tail = try #require(host.opened.get(kAudioUnitProperty_TailTime, as: Double.self).value)
    let latency = try #require(host.opened.get(kAudioUnitProperty_Latency, as: Double.self).value)
    let ring = Int(clamping: ((tail + latency) * 44_100).rounded())
    #expect(ring > 640)
    host.signal = { $0 < 64 ? 1 : 0 }
    #expect(host.render().status == noErr && host.flags == [])
    host.isSilent = true
    var isSilent: [Bool] = []
    for slice in 0..<(ring / 64 + 4) {
      let samples = host.render().samples
      isSilent.append(host.flags == Self.silence)
      // The source that sets the flag zeroes the buffers; until then the ringing is heard.
      if host.flags == Self.silence { #expect(samples.allSatisfy { $0 == 0 }) }
      if slice < 10 { #expect(samples.contains { $0 != 0 }, "slice \(slice)") }
    }
    // A slice is silent when all of latency and tail went by before it.
    #expect(isSilent == isSilent.indices.map { $0 * 64 >= ring })
    // It is no promise: input that is not flagged is heard at once, and the flag is removed.
    host.isSilent = false
    host.signal = { _ in 1 }
    #expect(host.render().samples.contains { $0 != 0 } && host.flags == [])

    // Zeros without a flag are not silence.
    host.signal = { _ in 0 }
    for _ in 0..<(2 * ring / 64) { #expect(host.render().status == noErr && host.flags == []) }
    // The word that the caller passes is the one that the source gets: what is left in it is handed on.
    host.forgetCalls()
    host.flags = Self.silence
    expectNoError(host.render(clearsFlags: false).status)
    expectNoError(host.render().status)
    #expect(host.pullFlags == [Self.silence, []])
    // One silent input says nothing about the others of a mixer, and all of them say it all.
    let mixer = try RenderHost(.mixer, initialize: false)
    let source = try RecordedSource()
    let connection = AudioUnitConnection(sourceAudioUnit: source.unit, sourceOutputNumber: 0, destInputNumber: 1)
    expectNoError(mixer.opened.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, to: connection))
    expectNoError(AudioUnitInitialize(mixer.unit))
    mixer.isSilent = true
    #expect(mixer.render().samples == (0..<64).map { RecordedSource.sample($0, channel: 0) } && mixer.flags == [])
    let none = AudioUnitConnection(sourceAudioUnit: nil, sourceOutputNumber: 0, destInputNumber: 1)
    expectNoError(mixer.opened.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, to: none))
    #expect(mixer.render().samples.allSatisfy { $0 == 0 } && mixer.flags == Self.silence)
  }
}
