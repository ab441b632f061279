/// Every kind of measurement with its devices.
public enum CoverageFamilies {
  public static let all: [CoverageFamily] = [
    LinearDevices.family, DistortionDevices.family, NoiseDevices.family, CrosstalkDevices.family,
    DynamicsDevices.family, ResamplerDevices.family, LevelSignals.family,
  ]

  /// The same behind a long delay.
  public static let late: [CoverageFamily] = [
    DistortionDevices.family, NoiseDevices.family, CrosstalkDevices.family,
  ].map(\.late)

  /// Devices that are not the same at all times, have a clock of their own, or another device in each channel.
  public static let odd: [CoverageFamily] =
    UnsteadyDevices.families + ClockedDevices.families
    + [LinearDevices.family, DistortionDevices.family, NoiseDevices.family, DynamicsDevices.family].map(\.pairs)
}
