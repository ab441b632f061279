// Hosts' queries of units besides their sound: load, memory for the output, clumps, frequency responses.

import AudioCore
import AudioEngine
import AudioToolbox
import Foundation
import Glibc
import Testing

@Suite("Properties by which hosts query units")
struct HostQueryPropertyTests {
  @Test("CPULoad is 0 until it was asked for, then what render calls take of the time of their slices")
  func load() throws {
    let host = try RenderHost(.lowPass)
    expectNoError(host.render().status)
    #expect(host.opened.get(kAudioUnitProperty_CPULoad, as: Float64.self).value == 0)
    for _ in 0..<20 { #expect(host.render().status == noErr) }
    let load = try #require(host.opened.get(kAudioUnitProperty_CPULoad, as: Float64.self).value)
    #expect(load > 0 && load.isFinite)
    expectStatus(-10865, host.opened.set(kAudioUnitProperty_CPULoad, to: Float64(0.5)))
    // The host's own notifies are what they were.
    #expect(host.notes.count == 42)
  }

  @Test("output without memory goes into the external buffer, where it fits, and is the same")
  func externalBuffer() throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 64)
    defer { memory.deallocate() }
    func slice(_ host: RenderHost, frames: UInt32) -> (inside: Bool, samples: [Float]) {
      let list = RenderBuffers(frames: Int(frames), ownMemory: false)
      expectNoError(host.render(frames: frames, into: list).status)
      let inside = list.list.allSatisfy {
        guard let data = $0.mData else { return false }
        return data >= memory && data + Int($0.mDataByteSize) <= memory + 4096 && Int(bitPattern: data) & 15 == 0
      }
      return (inside, list.samples(frames: Int(frames)))
    }
    let plain = try RenderHost(.lowPass)
    let host = try RenderHost(.lowPass, initialize: false)
    for each in [plain, host] { each.signal = { Float($0 % 7) } }
    // Not aligned: the planes are all the same.
    let buffer = AudioUnitExternalBuffer(buffer: (memory + 4).assumingMemoryBound(to: UInt8.self), size: 4092)
    expectNoError(host.opened.set(kAudioUnitProperty_SetExternalBuffer, to: buffer))
    expectNoError(AudioUnitInitialize(host.unit))
    expectStatus(-10849, host.opened.set(kAudioUnitProperty_SetExternalBuffer, to: buffer))
    for frames in [UInt32(64), 509, 500] {
      let (there, wanted) = (slice(host, frames: frames), slice(plain, frames: frames))
      #expect(there.samples == wanted.samples && !wanted.inside)
      // Two planes at multiples of 16 bytes, 12 bytes behind the beginning: 12 + 2 · 2000 of 4092 bytes, but not 12 + 2
      // · 2048.
      #expect(there.inside == (frames != 509))
    }
    #expect(!slice(host, frames: 512).inside)
    // No buffer, of no bytes.
    let none = SIMD2<UInt64>(0, 0)
    expectNoError(AudioUnitUninitialize(host.unit))
    expectNoError(host.opened.set(kAudioUnitProperty_SetExternalBuffer, to: none))
    expectNoError(AudioUnitInitialize(host.unit))
    #expect(!slice(host, frames: 64).inside)
    expectStatus(-10879, host.opened.get(kAudioUnitProperty_SetExternalBuffer, as: AudioUnitExternalBuffer.self).status)
  }

  /// The status and the name.
  private func clumpName(_ unit: OpenedUnit, _ id: UInt32, length: Int32 = -1) -> String {
    var request = AudioUnitParameterIDName()
    request.inID = id
    request.inDesiredLength = length
    var size = UInt32(MemoryLayout<AudioUnitParameterIDName>.size)
    let status = AudioUnitGetProperty(
      unit.unit, kAudioUnitProperty_ParameterClumpName, kAudioUnitScope_Global, 0, &request, &size)
    guard status == noErr, let name = request.outName else { return "\(status)" }
    return "\(TestText.string(name.takeRetainedValue()) ?? "")"
  }

  private func info(_ unit: OpenedUnit, _ id: UInt32) throws -> AudioUnitParameterInfo {
    let read = unit.get(
      kAudioUnitProperty_ParameterInfo, kAudioUnitScope_Global, id, as: AudioUnitParameterInfo.self)
    let info = try #require(read.value)
    info.cfNameString?.release()
    return info
  }

  @Test("bands are clumps, with names; a parameter of none has no flag")
  func clumps() throws {
    let equalizer = try OpenedUnit(.nBandEQ)
    // Band 2's frequency and gain, as the header numbers them from 0 on.
    #expect(try info(equalizer, 3002).clumpID == 3 && info(equalizer, 4002).clumpID == 3)
    #expect(try info(equalizer, 3002).flags.contains(.flag_HasClump))
    #expect(try info(equalizer, 0).clumpID == 0 && !info(equalizer, 0).flags.contains(.flag_HasClump))
    #expect(clumpName(equalizer, 3) == "Band 3")
    #expect(clumpName(equalizer, 3, length: 4) == "Band")
    // The system's own, and one that is not there: as Apple's base class.
    #expect(clumpName(equalizer, 0) == "-10851")
    #expect(clumpName(equalizer, 9) == "-10879")
    #expect(try clumpName(OpenedUnit(.lowPass), 1) == "-10879")
    let filter = try OpenedUnit(type: kAudioUnitType_Effect, 0x6669_6C74)
    #expect(try (0..<15).map { try info(filter, $0).clumpID } == (0..<15).map { $0 / 3 + 1 })
    #expect((1...5).map { clumpName(filter, $0) } == ["Lows", "Bell 1", "Bell 2", "Bell 3", "Highs"])
  }

  @Test("FrequencyResponse: magnitudes of the filter at the frequencies that are asked, up to the first below 0")
  func response() throws {
    let unit = try OpenedUnit(type: kAudioUnitType_Effect, kAudioUnitSubType_ParametricEQ)
    for (id, value) in [(UInt32(0), Float(1000)), (1, 2), (2, 12)] {
      expectNoError(AudioUnitSetParameter(unit.unit, id, kAudioUnitScope_Global, 0, value, 0))
    }
    var size: UInt32 = 0
    let id = kAudioUnitProperty_FrequencyResponse
    #expect(AudioUnitGetPropertyInfo(unit.unit, id, kAudioUnitScope_Output, 0, &size, nil) == noErr && size == 16_384)
    var bins = [1000.0, 0, 22_050, 1e9, .infinity, -1, 1000].map {
      AudioUnitFrequencyResponseBin(mFrequency: $0, mMagnitude: -5)
    }
    size = UInt32(bins.count * 16)
    #expect(AudioUnitGetProperty(unit.unit, id, kAudioUnitScope_Output, 0, &bins, &size) == noErr && size == 7 * 16)
    // A bell has its gain at its centre, and none at both ends of the band.
    #expect(abs(bins[0].mMagnitude - pow(10, 0.6)) < 1e-6)
    #expect(bins[1...4].allSatisfy { abs($0.mMagnitude - 1) < 1e-3 })
    #expect(bins[5].mMagnitude == -5 && bins[6].mMagnitude == -5)
    // A low pass of second order (Q 1, 0 dB) is at Q where its cutoff is.
    let low = try OpenedUnit(.lowPass)
    expectNoError(AudioUnitSetParameter(low.unit, 0, kAudioUnitScope_Global, 0, 2000, 0))
    expectNoError(AudioUnitSetParameter(low.unit, 1, kAudioUnitScope_Global, 0, 6, 0))
    size = 16
    var bin = AudioUnitFrequencyResponseBin(mFrequency: 2000, mMagnitude: 0)
    expectNoError(AudioUnitGetProperty(low.unit, id, kAudioUnitScope_Input, 0, &bin, &size))
    #expect(abs(bin.mMagnitude - pow(10, 0.3)) < 1e-6)
    expectNoError(low.set(kAudioUnitProperty_BypassEffect, to: UInt32(1)))
    #expect(AudioUnitGetProperty(low.unit, id, kAudioUnitScope_Input, 0, &bin, &size) == noErr && bin.mMagnitude == 1)
    #expect(
      try OpenedUnit(.mixer).get(id, kAudioUnitScope_Output, as: AudioUnitFrequencyResponseBin.self).status == -10879)
  }

  @Test("what a host tells of itself is taken; what no unit has is said so")
  func told() throws {
    let unit = try OpenedUnit(.lowPass)
    let latency = kAudioUnitProperty_PresentationLatency
    expectNoError(unit.set(latency, kAudioUnitScope_Output, to: Float64(0.01)))
    expectStatus(-10851, unit.set(latency, kAudioUnitScope_Output, to: Float64(-0.01)))
    expectStatus(-10851, unit.set(latency, kAudioUnitScope_Output, to: Float64.nan))
    expectStatus(-10877, unit.set(latency, kAudioUnitScope_Output, 1, to: Float64(0)))
    expectStatus(-10866, unit.set(latency, to: Float64(0)))
    // No name, and a version.
    let identifier = SIMD2<UInt64>(0, 0x10203)
    expectNoError(unit.set(kAudioUnitProperty_AUHostIdentifier, to: identifier))
    #expect(unit.get(kAudioUnitProperty_LoadedOutOfProcess, as: UInt32.self).value == 0)
    let history = unit.get(kAudioUnitProperty_ParameterHistoryInfo, as: AudioUnitParameterHistoryInfo.self)
    expectStatus(-10850, history.status)
    var size: UInt32 = 0
    #expect(
      AudioUnitGetPropertyInfo(
        unit.unit, kAudioUnitProperty_ParameterHistoryInfo, kAudioUnitScope_Global, 0, &size, nil) == noErr && size == 8
    )
  }
}

extension OpenedUnit {
  fileprivate func get<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, element: UInt32, as type: Value.Type
  ) -> Value? { get(id, kAudioUnitScope_Global, element, as: type).value }
}
