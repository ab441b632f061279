import AudioCore
import AudioEngine
import BuiltInUnits
import Testing
import TestSupport
import UnitTestSupport

/// A change of preset while rendering: a linear crossfade of 10 ms, rounded to
/// frames, from the old filter to a new one at rest, from the first frame of the next slice on.
@Suite struct IPodEQTests {
  @Test("a preset fades in over 10 ms, sample for sample", arguments: [44_100.0, 48_000, 8000, 22_050])
  func fade(_ rate: Double) throws {
    let (change, total) = (1234, 4000)
    let signal = noise(2, frames: total)
    let old = try renderedSignal(try fed(IPodEQ(preset: 12), signal, sampleRate: rate), total: total)
    let new = try renderedSignal(
      try fed(IPodEQ(preset: 17), signal, sampleRate: rate), total: total - change, from: Int64(change))
    let unit = try fed(IPodEQ(preset: 12), signal, sampleRate: rate)
    let output = try renderedSignal(
      unit, total: total, in: .slices(of: 300),
      events: [HostEvent(frame: change) { try ($0 as? IPodEQ)?.select(preset: 17) }])
    // 220.5 frames at 22050 Hz round away from zero.
    let frames = Int(clamping: (0.01 * rate).rounded())
    for channel in 0..<2 {
      for frame in 0..<total {
        let expected: Float
        if frame < change {
          expected = old[channel][frame]
        } else if frame >= change + frames {
          expected = new[channel][frame - change]
        } else {
          let weight = Double(frame - change) / Double(frames)
          expected = old[channel][frame] * Float(1 - weight) + new[channel][frame - change] * Float(weight)
        }
        if output[channel][frame] != expected {
          Issue.record("channel \(channel), frame \(frame): \(output[channel][frame]) in place of \(expected)")
          return
        }
      }
    }
    #expect(output[0][3000] != old[0][3000])
  }

  @Test("a preset that is selected within a fade waits for its end")
  func waits() throws {
    let signal = noise(1, frames: 6000)
    func output(_ second: Int) throws -> [Float] {
      try renderedSignal(
        try fed(IPodEQ(preset: 12), signal), total: 6000, in: .slices(of: 512),
        events: [
          HostEvent(frame: 1000) { try ($0 as? IPodEQ)?.select(preset: 17) },
          HostEvent(frame: second) { try ($0 as? IPodEQ)?.select(preset: 3) },
        ])[0]
    }
    // 10 ms are 441 frames: wherever within them the second one is selected, its fade begins at 1441.
    let expected = try output(1441)
    #expect(try output(1001) == expected && output(1440) == expected)
    #expect(try output(1442) != expected)
  }

  @Test("the first preset holds from the first frame, selected before or after initialize")
  func first() throws {
    let signal = noise(1, frames: 1000)
    let expected = try renderedSignal(try fed(IPodEQ(preset: 17), signal), total: 1000)
    let later = try fed(IPodEQ(preset: 3), signal)
    try later.select(preset: 17)
    #expect(try renderedSignal(later, total: 1000) == expected)
    #expect(expected != signal)
  }

  @Test("a jump in time ends a fade")
  func jump() throws {
    let signal = noise(1, frames: 6000)
    let unit = try fed(IPodEQ(preset: 12), signal)
    _ = try rendered(unit, total: 100)
    try unit.select(preset: 0)
    _ = try unit.render(sampleTime: 100, frames: 50)
    let after = try renderedSignal(unit, total: 500, from: 5000)[0]
    #expect(after == Array(signal[0][5000..<5500]))
  }

  @Test("the iPod equalizer has the 23 presets, Disabled at birth and Flat as number 8")
  func presets() throws {
    let unit = IPodEQ()
    let names = [
      "Disabled", "Acoustic", "Bass Booster", "Bass Reducer", "Classical", "Dance", "Deep", "Electronic", "Flat",
      "Hip-Hop", "Jazz", "Latin", "Loudness", "Lounge", "Piano", "Pop", "R&B", "Rock", "Small Speakers", "Spoken Word",
      "Treble Booster", "Treble Reducer", "Vocal Booster",
    ]
    #expect(unit.factoryPresets == names.enumerated().map { Preset(number: Int32($0), name: $1) })
    #expect(unit.preset == Preset(number: 0, name: "Disabled"))
    for number: Int32 in [-1, 23, .max, .min] {
      #expect(status { () throws(AudioStatus) in try unit.select(preset: number) } == .invalidPropertyValue)
    }
    #expect(unit.preset.number == 0)
    let signal = noise(2, frames: 1000)
    for preset in [0, 8] {
      #expect(try renderedSignal(try fed(IPodEQ(preset: preset), signal), total: 1000) == signal)
    }
  }

  @Test("the iPod equalizer takes mono and stereo, and no more")
  func iPodChannels() throws {
    let unit = IPodEQ()
    for channels in 1...3 {
      let format = StreamFormat(sampleRate: 44_100, channelCount: channels)
      #expect(setting(unit, .streamFormat, .input, to: .streamFormat(format)) == (channels < 3 ? 0 : -10868))
    }
    #expect(try unit.streamFormat(.input).channelCount == 2)
  }
}
