import AudioCore
/// Two rates as a ratio of whole numbers in lowest terms: `outputs` output frames last as long as `inputs` input
/// frames.
struct WholeRatio: Hashable {
  let outputs: Int
  let inputs: Int

  /// Nil where the rates are no whole numbers and no halves, quarters, … of such, down to 1/1024 Hz.
  init?(from inputRate: Double, to outputRate: Double) {
    var (input, output) = (inputRate, outputRate)
    for _ in 0..<10 where input != input.rounded() || output != output.rounded() {
      (input, output) = (2 * input, 2 * output)
    }
    guard let inputs = Int(exactly: input), let outputs = Int(exactly: output), inputs > 0, outputs > 0 else {
      return nil
    }
    var (divisor, rest) = (inputs, outputs)
    while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
    self.inputs = inputs / divisor
    self.outputs = outputs / divisor
  }
}
