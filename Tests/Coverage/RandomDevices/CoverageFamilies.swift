/// Every kind of measurement with its devices.
public enum CoverageFamilies {
  public static let all: [CoverageFamily] = [
    LinearDevices.family, DistortionDevices.family, NoiseDevices.family, CrosstalkDevices.family,
    DynamicsDevices.family, ResamplerDevices.family, LevelSignals.family,
  ]
}
