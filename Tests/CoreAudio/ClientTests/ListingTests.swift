import Foundation
import TestSupport
import Testing

/// The listings of the seed documents, as whole programs in C. Their output follows from the listings and from the
/// bench's device: one second of 44100 Hz in cycles of 512 frames, and a microphone that hears silence.
@Suite("The listings of the seed documents run as C programs")
struct ListingTests {
  static func wavePath(_ name: String) throws -> String { try Installation.shared().folder + "/\(name).wav" }

  @Test("Using RemoteIO: initialisation, start, stop, recording and playback callbacks")
  func remoteIO() throws {
    let path = try Self.wavePath("remote_io")
    let run = try Installation.shared().run("remote_io.c", wave: path)
    #expect(run.errors == "")
    #expect(
      run.lines == [
        "hardware 44100 lpcm 0x9 8/1/8 2 ch 32 bit",
        "waited 0",
        "recorded 44100 frames from bus 1, status 0, sum 0",
        "played 44100 frames into 1 buffer",
        "as many calls as device cycles 1",
        "time jumps 0, lists given to the input callback 0",
        "dispose 0",
        "dispose again -50",
      ])
    let wave = try Wave(path)
    let expected = (0..<44_100).map { (frame: Int) -> Float in Float(frame % 441 * 64 - 14_080) / 32_768 }
    #expect(wave.sampleRate == 44_100 && wave.channelCount == 2)
    #expect(wave.channel(0) == expected)
    #expect(wave.channel(1) == expected)
  }

  @Test("Unit API mode", arguments: [44_100, 48_000])
  func unitAPIMode(deviceRate: Int) throws {
    let path = try Self.wavePath("unit_api_mode-\(deviceRate)")
    let run = try Installation.shared().run("unit_api_mode.c", deviceRate: deviceRate, wave: path)
    #expect(run.errors == "")
    #expect(
      run.lines == [
        "app 44100 lpcm 0xc 4/1/4 2 ch 16 bit",
        "hardware \(deviceRate) lpcm 0x9 8/1/8 2 ch 32 bit",
        "waited 0",
        "record error 0, bytes per recorded frame 4",
        "requests within the maximum 1, silence at the end 1",
        "dispose 0",
      ])
    let wave = try Wave(path)
    #expect(wave.sampleRate == deviceRate && wave.channelCount == 2)
    if deviceRate == 44_100 {
      // Before the first slice without sound.
      let left = wave.channel(0).prefix(11_025)
      #expect(Array(left) == (0..<11_025).map { $0 / 50 % 2 == 0 ? 0.25 : -0.25 })
      #expect(wave.channel(1).prefix(11_025).elementsEqual(left.map { -$0 }))
    } else {
      // 11025 frames and the rest of a slice, at another rate: a square wave's power, and silence at the end.
      let left = wave.channel(0)
      let power = left[1_000..<11_000].reduce(0) { $0 + Double($1 * $1) } / 10_000
      #expect(abs(power - 0.0625) < 0.002)
      #expect(left.suffix(1_000).allSatisfy { $0 == 0 })
    }
  }

  @Test("AU Graph mode: multichannel mixer and RemoteIO")
  func graphMode() throws {
    let path = try Self.wavePath("graph_mode")
    let run = try Installation.shared().run("graph_mode.c", wave: path)
    #expect(run.errors == "")
    #expect(
      run.lines == [
        "propagated 44100 lpcm 0x29 4/1/4 2 ch 32 bit",
        "running 1",
        "waited 0",
        "running 0",
        "played 44100 and 44100 frames into 1 buffer",
        "recorded 44100 frames, status 0",
        "dispose 0",
      ])
    let wave = try Wave(path)
    // (8192 + 1024) and (4096 − 2048) of 32768.
    #expect(wave.channel(0) == [Float](repeating: 0.28125, count: 44_100))
    #expect(wave.channel(1) == [Float](repeating: 0.0625, count: 44_100))
  }

  @Test("Realtime recording with effect processing: session, streams, conversion to float and back")
  func realtimeRecording() throws {
    let path = try Self.wavePath("realtime_recording")
    let run = try Installation.shared().run("realtime_recording.c", wave: path)
    #expect(run.errors == "")
    #expect(
      run.lines == [
        "session 0",
        "category plar",
        // 20 ms are requested: the next power of two is 1024 frames.
        "buffer 23 ms",
        "stream 44100 lpcm 0xc 2/1/2 1 ch 16 bit",
        "streams 0",
        "start 0",
        "waited 0",
        "stop 0",
        "processed 44100 frames in more than one call 1, heard 0",
        "inactive 0",
      ])
    let expected = (0..<44_100).map { frame -> Float in
      let half = Float(frame % 1_000 * 32) / 32_768 * 0.5
      return Float(Int16(half * 32_767)) / 32_768
    }
    let wave = try Wave(path)
    #expect(wave.channel(0) == expected)
    #expect(wave.channel(1) == expected)
  }

  @Test("Audio Unit Hosting Fundamentals: listings 1-1 to 1-7")
  func hostingFundamentals() throws {
    let run = try Installation.shared().run("hosting_fundamentals.c")
    #expect(run.errors == "")
    var lines = run.lines
    let units = lines.filter { $0.hasPrefix("i/o unit ") }
    lines.removeAll { $0.hasPrefix("i/o unit ") }
    // The three of iOS; there may be more.
    for code in ["genr", "rioc", "vpio"] { #expect(units.contains("i/o unit auou \(code) appl")) }
    #expect(
      lines == [
        "exactly 1",
        "instance of what was found 1",
        "graph gave a unit 1",
        "element count 0",
        "elements 2",
        "description 40 bytes",
        "stereo 44100 lpcm 0x29 4/1/4 2 ch 32 bit",
        "set 0",
        "render 0",
        "called 1 times, bus 1, 2 buffers of 2048 bytes, at 1000, flagged before 0",
        "rendered 0",
        "dispose 0",
      ])
  }

  @Test("An equalizer is inserted while the graph renders, by the guide's calls")
  func hostingGuideEqualizer() throws {
    let run = try Installation.shared().run("hosting_guide_eq.c")
    #expect(run.errors == "")
    #expect(
      run.lines == [
        "both sounds 1",
        "AUGraphDisconnectNodeInput 0",
        "AUGraphAddNode 0",
        "AudioUnitGetProperty 0",
        "format 44100 lpcm 0x29 4/1/4 2 ch 32 bit",
        "AudioUnitSetProperty 0",
        "AudioUnitSetProperty 0",
        "preset 0",
        "AudioUnitInitialize 0",
        "AUGraphSetNodeInputCallback 0",
        "AUGraphConnectNodeInput 0",
        "before the update: both sounds 1, beats pulled 1",
        "AUGraphUpdate 0",
        // Bass Booster at 112.25 Hz: 4.975057 dB by scipy, fixtures/reference/ipod-eq-curves.tsv.
        "after the update: beats gain 4.975 dB",
        // Two callbacks, two connections.
        "interactions 4",
        "preset while rendering 0",
        "disabled: both sounds 1",
        "dispose 0",
      ])
  }

  /// xamarin-macios, tests/monotouch-test/AudioToolbox/AudioUnitTest.cs, holds on macOS; a program with an audio
  /// session is one for iOS, as is Remote I/O.
  @Test(
    "A voice processor calls its input callback although nobody has switched its input on", arguments: [false, true])
  func voiceCallback(hasSession: Bool) throws {
    let run = try Installation.shared().run("voice_callback.c", hasSession ? ["session"] : [])
    #expect(run.errors == "")
    let off = [
      "at first 0, with a callback 0", "called 0, without one 0, initialized and with one 0, switched off 0",
    ]
    let on = [
      "at first 0, with a callback 1", "heard on bus 1, no buffers 1",
      "called 1, without one 0, initialized and with one 1, switched off 0",
    ]
    #expect(run.lines == (hasSession ? off : on) + off)
  }

  @Test("An offline unit with its preflight, and units that are given their frames")
  func offlineUnit() throws {
    let run = try Installation.shared().run("offline_unit.c")
    #expect(run.errors == "")
    #expect(
      run.lines == [
        "preflight requirement 2", "pass 0 complete 1 after 44100 frames, the last 13640 bytes",
        "pass 1 complete 1 after 44100 frames, the last 13640 bytes", "louder by 6.00 dB", "fast dispatch -10879",
        "changed 1, the same 1", "mixed 1",
      ])
  }

  @Test("Using Specific Audio Units: tables 3-1 to 3-5, asked of the units")
  func specificUnits() throws {
    let run = try Installation.shared().run("specific_units.c")
    #expect(run.errors == "")
    var units: [String: [String]] = [:]
    var unit = ""
    for line in run.lines {
      if line.hasPrefix("  ") { units[unit, default: []].append(String(line.dropFirst(2))) } else { unit = line }
    }
    #expect(units["aufc conv appl"] == ["elements 1 in, 1 out", "initialize 0"])
    #expect(
      units["aufx ipeq appl"] == [
        "elements 1 in, 1 out", "presets 23", "preset 0 Disabled: set 0, present 0",
        "preset 8 Flat: set 0, present 8", "preset 16 R&B: set 0, present 16", "parameters 0", "initialize 0",
      ])
    #expect(
      units["aumx mcmx appl"] == [
        "elements 8 in, 1 out", "maximum frames 0", "metering 0", "pan 0", "pan is -0.5", "initialize 0",
      ])
    #expect(units["auou genr appl"] == ["elements 1 in, 1 out", "initialize 0"])
    for name in ["auou rioc appl", "auou vpio appl"] {
      #expect(units[name] == ["elements 2 in, 2 out", "output enabled 1, input enabled 0", "initialize 0"])
    }
    #expect(units["aumx 3dem appl"] == ["elements 64 in, 1 out", "initialize 0"])
  }

  @Test("a program feeds a scheduled sound player from two buffers in turn, and sees their flags")
  func scheduledSound() throws {
    let run = try Installation.shared().run("scheduled_sound.c")
    #expect(run.errors == "" && run.code == 0)
    #expect(
      run.lines == [
        "time before the start -1",
        // Complete and BeganToRender. 12 slices of 64 frames have passed.
        "wrong frames 0, completed 7, time 768, flags 0x3",
        // Passes of 100 frames from the frame at which it was scheduled; the interruption at 150.
        "-1 at 0", "-1 at 100", "-2 at 150",
        // Loop, Complete, BeganToRender; Interrupt, Complete, BeganToRender.
        "loop 0xb, interrupting 0x13",
        // Its frames have passed: Complete and BeganToRenderLate.
        "late and gone 0x5",
        // Complete; the start time is gone: kAudioUnitErr_PropertyNotInUse.
        "reset 0x1, -10850",
        "too small -10851", "interleaved -10851", "no list -10851",
      ])
  }
}
