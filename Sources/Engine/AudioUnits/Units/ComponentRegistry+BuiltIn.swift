import AudioCore

extension ComponentRegistry {
  /// Every unit of this package, in the order in which `aubench units` shows them.
  public static let builtIn = ComponentRegistry([
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

  /// What only programs can use: they get it beside the built-in units, in place of those of the same codes.
  package static let hosted = ComponentRegistry([ScheduledFilePlayer.component, ScheduledSoundPlayer.component])

  /// The output units that a graph file may have for its head, each on hardware of its own: a scenario pulls the graph then.
  public static let scriptedOutputs = ComponentRegistry(
    [DeviceOutput.Kind.remoteIO, .voiceProcessing].map(\.ofGraphs))

  /// Every unit of this package that a graph file can name.
  public static let ofGraphFiles = ComponentRegistry(builtIn.components + scriptedOutputs.components)

  /// The units that play to and record from the simulated hardware of the process: what programs of the C interface get.
  public static let devices = ComponentRegistry(DeviceOutput.Kind.allCases.map(\.component))

  private static let ownComponents = Locked<[Component]>([])

  /// Units of the program's own, in the order in which they were registered.
  public static var registered: ComponentRegistry { ComponentRegistry(ownComponents.withLock { $0 }) }

  /// All units that graph files of this process can name.
  public static var known: ComponentRegistry { ComponentRegistry(ofGraphFiles.components + registered.components) }

  /// Makes a unit of the program's own known in this process: to graph files and suites, to `VerificationTesting`, and to
  /// programs of the C interface. For the life of the process.
  ///
  /// - Throws: `.usage` where its short name or its codes are those of another unit. The same unit again is no error.
  public static func register(_ component: Component) throws(BenchError) {
    let taken: Component? = ownComponents.withLock { own in
      let all = builtIn.components + devices.components + own
      let same = all.first { $0.description == component.description || $0.shortName == component.shortName }
      if same == nil { own.append(component) }
      return same
    }
    guard let taken, taken.description != component.description || taken.name != component.name else { return }
    throw BenchError(
      .usage, at: "unit \(component.shortName) (\(component.description))",
      "its name or its codes are those of \(taken.shortName) (\(taken.description))", advice: "choose others")
  }
}
