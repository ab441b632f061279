#if PLANTED_FAULTS
  import Glibc

  /// Mistakes planted in this program, one by one, to measure what the suites catch: `Scripts/mutation-score`.
  ///
  /// `Tests/Mutation/faults.tsv` says what each of them does. Neither this type nor any of its sites is part of a program
  /// that is built without the environment variable `AUBENCH_PLANTED_FAULTS=1`.
  public enum PlantedFault: String, CaseIterable, Sendable {
    // Filters and equalizers.
    case filterSign
    case filterGainFiveHundredths
    case filterFrequencyNotClamped
    case filterCoefficientULP
    case filterLeftStateForRight
    case filterStateDroppedAtSlice
    case filterOddFrameForgotten
    case filterStateNotReset
    case filterBypassIgnored
    case filterStaleCoefficients
    case filterRampPerSlice
    case filterBandSkipped
    case equalizerWrongBandGain
    case equalizerBandwidthAsQ
    case equalizerGlobalGainIgnored
    case presetNeighbour
    case presetFadesAtStart

    // The mixer.
    case mixerChannelsSwapped
    case mixerLastInputDropped
    case mixerSumOrder
    case mixerPolarity
    case mixerPanLawCentre
    case mixerRampInSteps
    case mixerRampOneFrameOff
    case mixerOutputVolumeIgnored
    case mixerEnableIgnored
    case mixerMatrixTransposed
    case mixerSilentInputStays
    case mixerNotANumber

    // Parameters that move.
    case parameterRampEndDropped
    case parameterGridFromSlice

    // The file player.
    case playerStartsLate
    case playerRegionEnd
    case playerEndHeld
    case playerSeamLosesFrame
    case playerLoopCount
    case playerStaleBlock

    // Converters.
    case converterMapReversed
    case converterFullScale
    case converterOddFrameDropped
    case converterOffset
    case converterQualityIgnored
    case converterDelay
    case converterDitherMissing
    case converterDitherSeed
    case converterTruncates
    case converterClippingWraps
    case converterNoiseBit

    // The graph.
    case graphRenderedTwice
    case graphFanOutOverwritten
    case graphInputBusOff
    case graphBranchSumOrder
    case graphBranchStale
    case graphDenormals

    // The offline renderer.
    case rendererFirstSliceSkipped
    case rendererLastSliceDropped
    case rendererInfinity
    case rendererOneFrameTooMany
    case rendererTailCut

    /// The one that is active: named by the environment variable `AUBENCH_FAULT`. Nil: the program is as it should be.
    public static let active = chosen()

    /// Whether a fault is the active one.
    @inline(__always)
    public static func isActive(_ fault: PlantedFault) -> Bool { active == fault }

    /// Looks at the environment now, so that a wrong name ends the program before it does anything.
    public static func choose() { _ = active }

    private static func chosen() -> PlantedFault? {
      guard let value = getenv("AUBENCH_FAULT") else { return nil }
      let name = String(cString: value)
      if name.isEmpty { return nil }
      if let fault = PlantedFault(rawValue: name) { return fault }
      let names = allCases.map(\.rawValue).joined(separator: " ")
      fatalError("AUBENCH_FAULT=\(name): there is no such planted fault; there are: \(names)")
    }
  }
#endif
