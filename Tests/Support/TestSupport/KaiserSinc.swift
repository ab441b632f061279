import Glibc

/// sin πd / πd under Kaiser's window, as tests compute it: beside the sources, which have the Bessel function by its
/// series.
/// - Parameters:
///   - distance: frames from the middle.
///   - reach: frames to where the window ends; 0 beyond.
public func kaiserSinc(_ distance: Double, reach: Double, beta: Double) -> Double {
  let place = distance / reach
  guard abs(place) <= 1 else { return 0 }
  let sinc = distance == 0 ? 1 : sin(.pi * distance) / (.pi * distance)
  return sinc * besselI0(beta * (1 - place * place).squareRoot()) / besselI0(beta)
}

/// The modified Bessel function of order 0, by its integral (1/π)·∫ exp(x·cos θ) dθ from 0 to π, by the midpoint rule:
/// exact to 1e-15 for x below 30.
private func besselI0(_ x: Double) -> Double {
  (0..<64).reduce(0) { $0 + exp(x * cos((Double($1) + 0.5) * .pi / 64)) } / 64
}
