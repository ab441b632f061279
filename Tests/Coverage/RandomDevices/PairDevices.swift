import AudioCore
import Measurement

extension CoverageFamily {
  /// Devices of two channels that have nothing in common but the rate: each is a device of this family.
  var pairs: CoverageFamily {
    let (draw, measure) = (draw, measure)
    return CoverageFamily("paired \(name)", kind, holdsRatio: false) { seed, number in
      let first = draw(seed ^ 0x5A5A, number)
      // Devices of one channel that have the first one's rate.
      let second = (1...500).lazy.map { draw(seed ^ 0xA5A5, number + $0) }.first {
        $0.sampleRate == first.sampleRate && $0.device.inputChannelCount == nil
          && $0.device.precision == first.device.precision
      }
      guard first.device.inputChannelCount == nil, let second else { return first }
      return first.beside(second)
    } measure: {
      try measure($0)
    }
  }
}

extension KnownDevice {
  /// The two as channels of one device.
  func beside(_ other: KnownDevice) -> KnownDevice {
    let (devices, name) = ([device, other.device], "\(description) | \(other.description)")
    var known = KnownDevice(
      name,
      FunctionDevice(name, inputChannelCount: 2, precision: device.precision) { (input) throws(BenchError) in
        var output = AudioSignal(sampleRate: input.sampleRate, channels: [])
        for (channel, device) in devices.enumerated() {
          let one = try device.process(
            AudioSignal(sampleRate: input.sampleRate, channels: [input.channels[channel]]))
          output.channels += one.channels.prefix(1)
        }
        return output
      })
    (known.sampleRate, known.outputRate, known.channelCount) = (sampleRate, outputRate, 2)
    for (channel, one) in [self, other].enumerated() {
      for (key, truth) in one.truths { known.truths[.init(key.id, channel: channel, at: key.at)] = truth }
    }
    let (mine, others) = (truthsOfFindings, other.truthsOfFindings)
    known.truthsOfFindings = { findings in
      var truths: [Key: Truth] = [:]
      for (channel, find) in [mine, others].enumerated() {
        let own = Findings(
          readings: findings.readings.filter { $0.channel == channel },
          curves: findings.curves.filter { $0.channel == channel })
        for (key, truth) in find?(own) ?? [:] { truths[.init(key.id, channel: channel, at: key.at)] = truth }
      }
      return truths
    }
    return known
  }
}
