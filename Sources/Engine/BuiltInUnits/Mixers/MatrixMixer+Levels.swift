import AudioCore
import AudioEngine

// Levels as a whole, properties, and what graph files write.
extension MatrixMixer {
  /// Sets the crosspoints, by input channel the gains to each output channel, and the levels of all channels and the
  /// master to 1. While the mixer is open it may be set before the formats of the buses are: `Unit.initialize()` then
  /// throws `.formatNotSupported` unless they have as many channels.
  ///
  /// - Parameter gains: linear gains, for each input channel a list as long as there are output channels.
  /// - Throws: `.invalidPropertyValue` for lists of different lengths, numbers that are not finite, more than
  ///   `mostCrosspoints`, and while initialized another number of channels than the mixer has.
  public func setMatrix(_ gains: [[Float]]) throws(AudioStatus) {
    let columns = gains.first?.count ?? 0
    guard columns > 0, gains.allSatisfy({ $0.count == columns && $0.allSatisfy(\.isFinite) }),
      Self.fits(gains.count, columns)
    else { throw .invalidPropertyValue }
    if isInitialized {
      guard (gains.count, columns) == (inputChannels, outputChannels) else { throw .invalidPropertyValue }
    } else {
      declared = (gains.count, columns)
      rebuildStore()
    }
    try setMatrixLevels(gains.flatMap { $0 + [1] } + Array(repeating: 1, count: columns + 1))
  }

  /// Sets every level at once: for each input channel its crosspoints and behind them its own level, then the levels of
  /// the output channels, then the master. A render takes them over together, unless another edit comes in between.
  ///
  /// - Parameter levels: (input channels + 1) × (output channels + 1) linear gains.
  /// - Throws: `.invalidPropertyValue` for another number of levels, `.invalidParameterValue` where one is not finite.
  public func setMatrixLevels(_ levels: [Float]) throws(AudioStatus) {
    guard levels.count == (inputChannels + 1) * (outputChannels + 1) else { throw .invalidPropertyValue }
    guard levels.allSatisfy(\.isFinite) else { throw .invalidParameterValue }
    store.setByHost(
      zip(levelAddresses, levels).compactMap { address, level in store.slots[address].map { ($0, level) } })
  }

  /// Every level, in the order of ``setMatrixLevels(_:)``.
  public var matrixLevels: [Float] { levelAddresses.map { address in store.slots[address].map { store[$0] } ?? 0 } }

  /// True when any crosspoint has a level, or may come to one.
  var hasCrosspoints: Bool {
    (0..<inputChannels).contains { input in
      (0..<outputChannels).contains { output in
        let address = Self.crosspointAddress(input: input, output: output)
        return hasTimeline(address) || (try? parameter(address)) ?? 0 != 0
      }
    }
  }

  private var levelAddresses: [ParameterAddress] {
    let rows = (0..<inputChannels).flatMap { input in
      (0..<outputChannels).map { Self.crosspointAddress(input: input, output: $0) }
        + [Self.channelAddress(.input, input)]
    }
    return rows + (0..<outputChannels).map { Self.channelAddress(.output, $0) } + [Self.masterAddress]
  }

  // MARK: Typed parameters

  /// - Parameter volume: linear gain of everything; any finite number.
  /// - Throws: `.invalidParameterValue`.
  public func setMasterVolume(_ volume: Float) throws(AudioStatus) { try setParameter(Self.masterAddress, to: volume) }
  /// - Parameters:
  ///   - volume: linear gain; any finite number.
  ///   - channel: counted over all input buses.
  /// - Throws: `.invalidElement`, `.invalidParameterValue`.
  public func setVolume(_ volume: Float, inputChannel channel: Int) throws(AudioStatus) {
    try setParameter(Self.channelAddress(.input, channel), to: volume)
  }
  /// - Parameters:
  ///   - volume: linear gain; any finite number.
  ///   - channel: counted over all output buses.
  /// - Throws: `.invalidElement`, `.invalidParameterValue`.
  public func setVolume(_ volume: Float, outputChannel channel: Int) throws(AudioStatus) {
    try setParameter(Self.channelAddress(.output, channel), to: volume)
  }
  /// - Parameters:
  ///   - volume: linear gain; any finite number.
  ///   - input: a channel, counted over all input buses.
  ///   - output: a channel, counted over all output buses.
  /// - Throws: `.invalidElement`, `.invalidParameterValue`.
  public func setCrosspoint(_ volume: Float, input: Int, output: Int) throws(AudioStatus) {
    guard (0..<inputChannels).contains(input), (0..<outputChannels).contains(output) else { throw .invalidElement }
    try setParameter(Self.crosspointAddress(input: input, output: output), to: volume)
  }
  /// Switches a bus: an input that is off is not pulled, an output that is off gives silence.
  /// - Throws: `.invalidElement`, `.invalidScope`.
  public func setEnabled(_ isOn: Bool, _ scope: Scope, bus: Int) throws(AudioStatus) {
    try setParameter(ParameterAddress(Parameter.enable.rawValue, scope: scope, element: bus), to: isOn ? 1 : 0)
  }

  // MARK: Tables

  static let propertyTable: [PropertyDescriptor] = [
    .quality(\MatrixMixer.quality),
    PropertyDescriptor(
      .matrixLevels, "matrixLevels", .float32s("(inputs + 1) × (outputs + 1)"), of: MatrixMixer.self,
      get: { mixer, _, _ in mixer.matrixLevels },
      set: { (mixer, _, _, levels) throws(AudioStatus) in try mixer.setMatrixLevels(levels) }),
    PropertyDescriptor(
      .matrixDimensions, "matrixDimensions", .uint32s("2", "input channels, output channels"), of: MatrixMixer.self,
      get: { mixer, _, _ in [UInt32(mixer.inputChannels), UInt32(mixer.outputChannels)] }),
    PropertyDescriptor(
      .meteringMode, "meteringMode", .flag, of: MatrixMixer.self, on: [.global, .input, .output],
      get: { mixer, scope, element in mixer.isMetering(scope, element: element) },
      set: { (mixer, scope, element, isOn) throws(AudioStatus) in
        try mixer.setMetering(isOn, scope, element: element)
      }),
  ]

  static let keys: [GraphKey] = [
    GraphKey(
      "outputChannels", "the channels of each output bus: a list of numbers; by default one bus with all of the matrix",
      of: MatrixMixer.self,
      schema: [
        "type": "array", "minItems": 1, "maxItems": 4096,
        "items": [
          "type": "integer", "minimum": 1, "maximum": .number(Double(StreamFormat.channelCountRange.upperBound)),
        ],
      ]
    ) { (mixer, node, _) throws(BenchError) in
      let range = StreamFormat.channelCountRange
      let counts = try node.list("outputChannels")?.map { value in
        if case .number(let number) = value, let count = Int(exactly: number), range.contains(count) {
          count
        } else {
          0
        }
      }
      if let counts {
        guard !counts.contains(0), (1...4096).contains(counts.count) else {
          throw node.error(
            "outputChannels",
            "expected the number of channels of each output bus, \(range.lowerBound) to \(range.upperBound): [2, 1]")
        }
      }
      mixer.declaredOutputs = counts
      do { try mixer.setElementCount(counts?.count ?? 1, .output) } catch {
        throw node.error("outputChannels", "the unit refuses so many outputs: \(error)")
      }
    },
    GraphKey(
      "matrix",
      "the gains: for each input channel, over all buses, a list of its gains to the output channels. The levels of the "
        + "channels and the master are 1 then",
      of: MatrixMixer.self, schema: JSONForm<[[Float]]>.gains.schema
    ) { (mixer, node, place) throws(BenchError) in
      mixer.refusesSilence = true
      guard let gains = try JSONForm<[[Float]]>.gains.take(&node, "matrix") else { return }
      let columns = gains.first?.count ?? 0
      if let row = gains.firstIndex(where: { $0.count != columns }) {
        throw node.error("matrix", "row 0 has \(NumberText.count(columns, "gain")), row \(row) has \(gains[row].count)")
      }
      if let counts = mixer.declaredOutputs, counts.reduce(0, +) != columns {
        throw node.error(
          "matrix",
          "its rows have \(NumberText.count(columns, "gain")), but outputChannels are \(counts.reduce(0, +)) altogether"
        )
      }
      var budget = place.budget
      try budget.add(
        Unit.memoryBytes(inputs: 0, parameters: MemoryBudget.product(gains.count, columns)), for: node.place)
      do { try mixer.setMatrix(gains) } catch {
        throw node.error(
          "matrix", "the unit refuses it: \(error)",
          advice: "a matrix has at least one gain and at most \(MatrixMixer.mostCrosspoints)")
      }
    },
  ]
}

extension PropertyID {
  /// `kAudioUnitProperty_MatrixDimensions`: how many input and output channels a matrix mixer has. Read-only.
  public static let matrixDimensions = PropertyID(3009)
}
