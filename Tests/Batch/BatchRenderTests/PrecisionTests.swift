import BatchRender
import Glibc
import TestSupport
import Testing

/// The error that a whole render adds to a sound: from one file through an equalizer into another.
@Suite struct PrecisionTests {
  /// A peaking section as the Audio EQ Cookbook prints it, in direct form I and Double: other arithmetic than the
  /// unit's.
  private struct Peak {
    private let b: (Double, Double, Double)
    private let a: (Double, Double)
    private var x = (0.0, 0.0)
    private var y = (0.0, 0.0)

    init(_ band: NBandEQ.Band, sampleRate: Double) {
      let w0 = 2 * Double.pi * Double(band.frequencyHertz) / sampleRate
      let amplitude = pow(10, Double(band.gainDecibels) / 40)
      let alpha = sin(w0) * sinh(log(2) / 2 * Double(band.bandwidthOctaves) * w0 / sin(w0))
      let a0 = 1 + alpha / amplitude
      b = ((1 + alpha * amplitude) / a0, -2 * cos(w0) / a0, (1 - alpha * amplitude) / a0)
      a = (-2 * cos(w0) / a0, (1 - alpha / amplitude) / a0)
    }

    mutating func next(_ input: Double) -> Double {
      let output = b.0 * input + b.1 * x.0 + b.2 * x.1 - a.0 * y.0 - a.1 * y.1
      x = (input, x.0)
      y = (output, y.0)
      return output
    }
  }

  /// Ten octaves, up and down in turns.
  private static let bands = (0..<10).map { index in
    NBandEQ.Band(
      .parametric, frequencyHertz: 31.25 * Float(1 << index), bandwidthOctaves: 1,
      gainDecibels: index % 2 == 0 ? 3 : -4)
  }

  @Test(
    "a file through ten bands into a file of 24 bits differs from Double by less than −125 dB of the sound",
    arguments: ["noise", "sine"])
  func residual(stimulus: String) throws {
    let (rate, frames) = (48_000.0, 96_000)
    let folder = TemporaryFolder()
    let signal =
      stimulus == "noise"
      ? noise(1, frames: frames)[0]
      : (0..<frames).map { Float(0.5 * sin(2 * Double.pi * 997 * Double($0) / rate)) }
    try writeSound(folder.file("in.wav"), [signal], rate: rate, encoding: .float32)

    let graph = Graph(sampleRate: rate)
    let player = try graph.add(FilePlayer(folder.file("in.wav")))
    let equalizer = try graph.add(NBandEQ(Self.bands))
    let output = try graph.add(GenericOutput())
    try graph.connect(player, to: equalizer)
    try graph.connect(equalizer, to: output)
    let report = try OfflineRenderer(graph).render(
      to: folder.file("out.wav"), as: SoundFileFormat(container: .wav, encoding: .pcm24),
      options: .init(.frames(Int64(frames))))
    #expect(report.clippedSamples == 0)
    let sound = try readSound(folder.file("out.wav"))[0]
    try #require(sound.count == frames)

    var sections = Self.bands.map { Peak($0, sampleRate: rate) }
    var (signalPower, residualPower) = (0.0, 0.0)
    for frame in 0..<frames {
      var expected = Double(signal[frame])
      for index in sections.indices { expected = sections[index].next(expected) }
      let difference = Double(sound[frame]) - expected
      signalPower += expected * expected
      residualPower += difference * difference
    }
    let decibels = 10 * log10(residualPower / signalPower)
    #expect(signalPower / Double(frames) > 0.01)
    #expect(decibels < -125, "\(decibels) dB")
  }
}
