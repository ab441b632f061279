import AudioCore
import AudioEngine

extension ComponentRegistry {
  /// Every unit of this package, in the order in which `aubench units` shows them.
  package static let builtIn = ComponentRegistry([
    GenericOutput.component,
    FilePlayer.component,
    ToneGenerator.component,
    NoiseGenerator.component,
    MultichannelMixer.component,
    SpatialMixer.component,
    SpatialMixer.legacyComponent,
    MatrixMixer.component,
    Splitter.component,
    MultiSplitter.component,
    Merger.component,
    IPodEQ.component,
    NBandEQ.component,
    LowPassFilter.component,
    HighPassFilter.component,
    BandPassFilter.component,
    LowShelfFilter.component,
    HighShelfFilter.component,
    ParametricEQ.component,
    GraphicEQ.component,
    MultibandFilter.component,
    SampleDelay.component,
    Delay.component,
    Reverb.component,
    Distortion.component,
    DynamicsProcessor.component,
    PeakLimiter.component,
    Normalizer.component,
    FormatConverterUnit.component,
    Varispeed.component,
    TimePitch.component,
    NewTimePitch.component,
  ])

  /// The units that only programs can use: they get them beside the built-in units, in place of those of the same
  /// codes.
  package static let hosted = ComponentRegistry([ScheduledFilePlayer.component, ScheduledSoundPlayer.component])
}
