import Glibc

/// The figures of meters after some frames: of mixers in front of and behind their volumes, and of the dynamics processor.
enum MeterCross: UnitlessCross {
  static let unit = "meters"

  /// Levels that hold for some frames each, with their signs: the sound, as a formula and as samples.
  private struct Steps {
    let ends: [Int]
    let levels: [Double]

    init(_ draw: inout CrossDraw) {
      var (ends, levels): ([Int], [Double]) = ([], [])
      var end = 0
      for _ in 0..<draw.random.whole(2...4) {
        end += draw.random.whole(50...4000)
        ends.append(end)
        levels.append(draw.random.pick([0, 0.5, -0.25, 0.75, -1, 0.03125, 0.001953125]))
      }
      (self.ends, self.levels) = (ends, levels)
    }

    var formula: String {
      zip(ends, levels).reversed().reduce("0") { "if(n < \($1.0), \($1.1), \($0))" }
    }

    func sample(_ frame: Int) -> Double { zip(ends, levels).first { frame < $0.0 }?.1 ?? 0 }
  }

  private static func check(_ name: String, _ value: Double, frames: Int) -> LawValue {
    [
      "check": "parameter", "parameter": .text(name), "value": .number(value), "within": 0.001,
      "frames": .whole(frames),
    ]
  }

  static func draw(_ draw: inout CrossDraw) {
    draw.channels = 1
    let steps = Steps(&draw)
    let last = steps.ends.last ?? 1
    // The hold of a meter is a second, and a second more is its fall.
    draw.frames = draw.seed % 3 == 2 ? last + Int(2 * draw.rate) : last + 500
    draw.stimulusFormula = steps.formula
    if draw.seed % 3 == 0 { return dynamics(&draw, steps) }
    mixer(&draw, steps)
  }

  private static func mixer(_ draw: inout CrossDraw, _ steps: Steps) {
    let (own, all) = (draw.random.pick([0.5, 0.125, 1]), draw.random.pick([0.25, 0.75]))
    let reset = draw.random.chance(0.4) ? draw.random.whole(1...draw.frames) : nil
    var node: LawValue = ["unit": "multichannelMixer", "format": ["channels": 1]]
    node["set"] = ["volume@input:0": .number(own), "volume@output:0": .number(all)]
    draw.wrap(node, edits: reset.map { [["frame": .whole($0), "reset": true]] } ?? [])
    for (place, former, volume) in [("input", 1.0, own), ("output", own, all)] {
      for (kind, gain) in [("pre", former), ("post", former * volume)] {
        let frames = draw.random.whole(1...draw.frames)
        var (mean, held, age) = (0.0, 0.0, 0)
        for frame in 0..<frames {
          if frame == reset { (mean, held, age) = (0, 0, 0) }
          let sample = abs(steps.sample(frame) * gain)
          mean += (1 - exp(-1 / (0.3 * draw.rate))) * (sample * sample - mean)
          age = sample >= held ? 0 : age + 1
          if sample >= held {
            held = sample
          } else if Double(age) > draw.rate.rounded() {
            held *= pow(10, -1 / draw.rate)
          }
        }
        let (average, peak) = (max(-120, 10 * log10(mean)), max(-120, 20 * log10(held)))
        draw.checks.append(check("\(kind)AveragePower@\(place):0", average, frames: frames))
        draw.checks.append(check("\(kind)PeakHoldLevel@\(place):0", peak, frames: frames))
      }
    }
  }

  private static func dynamics(_ draw: inout CrossDraw, _ steps: Steps) {
    let parameters = DynamicsProcessorLaw.parameters
    var node: LawValue = ["unit": .text(DynamicsProcessorLaw.unit)]
    draw.setValues(of: parameters, in: &node)
    draw.wrap(node, edits: [])
    let values = parameters.map { Double(Float(node["set"]?[$0.name]?.number ?? 0)) }
    let frames = draw.random.whole(1...draw.frames)
    var (level, noted) = (0.0, 0.0)
    for frame in 0..<frames {
      let peak = abs(steps.sample(frame))
      level += (peak - level) * (1 - exp(-1 / ((peak > level ? values[4] : values[5]) * draw.rate)))
      if frame % 8 == 0 { noted = level }
    }
    let curve = DynamicsProcessorLaw.curve(of: noted, values)
    let gain = curve.compression + curve.expansion + values[6]
    let input = 20 * log10(max(noted, 1e-9))
    draw.checks = [
      check("compressionAmount", -curve.compression, frames: frames),
      check("inputAmplitude", max(-120, input), frames: frames),
      check("outputAmplitude", max(-120, noted > 0 ? 20 * log10(noted) + gain : -200), frames: frames),
    ]
  }
}
