import AVFAudioFiles
import AudioEngine
import AudioUnitV3
import Foundation

/// Calls of a tap: a buffer of what a bus has put out, and the time of its first frame on the node's clock.
public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void
/// A function that is called when something has ended.
public typealias AVAudioNodeCompletionHandler = () -> Void

/// A node of an engine: one unit of the audio engine underneath, with its formats and its tap.
open class AVAudioNode: NSObject, @unchecked Sendable {
  /// The unit that renders: the same kind as in a graph file.
  package let unit: AudioEngine.Unit
  /// The engine that the node is attached to; nil: none.
  public internal(set) weak var engine: AVAudioEngine?
  private var ownOutputFormat: AVAudioFormat?
  /// The sources that the converters in front of the unit's inputs have heard.
  var knownSources: [Int: ObjectIdentifier] = [:]
  var tap: NodeTap?
  /// The unit as one of version 3, made when it is first asked for.
  public private(set) lazy var auAudioUnit: AUAudioUnit = makeAudioUnit()
  /// The handle to ``unit``, made when it is first asked for.
  private(set) lazy var handle = NodeHandle(self)
  /// Volume, pan and place at mixers; of nodes that have no ``AVAudioMixing`` they stay as they are.
  let mixing = MixingValues()

  init(unit: AudioEngine.Unit) { self.unit = unit }

  /// The object behind ``auAudioUnit``.
  func makeAudioUnit() -> AUAudioUnit { EngineAudioUnits.audioUnit(of: unit) }

  /// True where input and output have one format.
  var keepsFormat: Bool { false }
  /// The input buses that may be connected.
  var inputRange: Range<Int> { 0..<numberOfInputs }
  /// Input buses.
  public var numberOfInputs: Int { unit.elementCount(.input) }
  /// Output buses.
  public var numberOfOutputs: Int { 1 }

  // MARK: Formats

  /// The format of an input bus: that of what is connected to it.
  public func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    require(inputRange.contains(bus), "bus < numberOfInputs (\(bus))")
    return engine.flatMap { engine in
      engine.locked { engine.connection(into: self, bus: bus)?.source.outputFormat(forBus: 0) }
    } ?? .initial
  }

  /// The format of an output bus: the one that it was connected or tapped with; else that of an effect's input, or 44.1
  /// kHz stereo.
  public func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    require((0..<numberOfOutputs).contains(bus), "bus < numberOfOutputs (\(bus))")
    return ownOutputFormat ?? naturalFormat
  }

  /// The format of the output where none was asked for.
  var naturalFormat: AVAudioFormat {
    guard keepsFormat, let engine else { return .initial }
    return engine.locked {
      guard let input = engine.connection(into: self, bus: 0) else { return .initial }
      // A ring has no beginning: it is refused when it is compiled.
      guard !isAsking else { return .initial }
      isAsking = true
      defer { isAsking = false }
      return input.source.outputFormat(forBus: 0)
    }
  }
  private var isAsking = false

  /// The format of what the node's unit puts out in a graph.
  var graphFormat: AVAudioFormat { outputFormat(forBus: 0) }

  /// Between nodes sound is in the standard format: of any other its rate and channels count.
  func setOutputFormat(_ format: AVAudioFormat) { ownOutputFormat = format.standard }

  /// The name of an input bus; nil: it has none.
  public func name(forInputBus bus: AVAudioNodeBus) -> String? { nil }
  /// The name of an output bus; nil: it has none.
  public func name(forOutputBus bus: AVAudioNodeBus) -> String? { nil }

  /// Seconds by which the node's sound is late.
  public var latency: TimeInterval { auAudioUnit.latency }

  /// Seconds from the node's output to the loudspeaker, on the slowest way there; 0 where none leads there.
  public var outputPresentationLatency: TimeInterval {
    guard let engine else { return 0 }
    return engine.locked { engine.latency(behind: self) ?? 0 }
  }

  // MARK: State

  /// Clears delay lines and filters. A player is stopped.
  public func reset() {
    guard let engine else { return clearSignal() }
    engine.locked { engine.betweenSlices { clearSignal() } }
    engine.makeDueCalls()
  }

  /// Forgets the signal. While nothing renders.
  func clearSignal() { unit.reset() }
  /// The engine does not render any more, and its time begins anew.
  func engineDidStop() {}

  /// The first frame of the slice that the node has rendered last, at the rate of its output; nil while its engine does
  /// not run, has not rendered yet, or does not reach it.
  public var lastRenderTime: AVAudioTime? {
    guard let engine else { return nil }
    return engine.locked {
      guard engine.isRunning, isRendered, let slice = engine.betweenSlices({ engine.lastSlice }) else { return nil }
      return renderTime(slice, rate: outputFormat(forBus: 0).sampleRate)
    }
  }

  /// True where the engine renders the node. With the engine's lock held.
  var isRendered: Bool { engine?.rendered.contains { $0 === self } ?? false }

  /// The time of the node's slice for that of the engine's.
  func renderTime(_ slice: SliceTime, rate: Double) -> AVAudioTime? {
    slice.time(frame: slice.frame(atRate: rate), rate: rate)
  }

  func inEngine(_ body: () -> Void) {
    if let engine { engine.locked(body) } else { body() }
  }

  /// Sets the values at the mixers that the node is connected to, directly or through effects.
  func applyMixing() {
    for connection in mixedConnections {
      (connection.destination as? any SourceMixer)?.applyMixing(of: self, bus: connection.destinationBus)
    }
  }

  // MARK: Taps

  /// Has a function called with all that an output bus puts out, in buffers of so many frames. The last one may be
  /// shorter: it comes when the tap is removed or the engine stops.
  ///
  /// A second tap on a bus ends the process, and so does a format that is not that of a connected bus.
  ///
  /// - Parameters:
  ///   - bus: an output of this node.
  ///   - bufferSize: frames of a buffer, 1 or more; ``AVFAudioChoices/tapBuffers`` may choose others.
  ///   - format: the format, from now on, of a bus that is not connected; nil: as it is.
  ///   - tapBlock: called behind the slice in which its buffer became full: on the thread that renders, with hardware on a
  ///     thread beside that.
  public func installTap(
    onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
    block tapBlock: @escaping AVAudioNodeTapBlock
  ) {
    require((0..<numberOfOutputs).contains(bus), "bus < numberOfOutputs (\(bus))")
    let install = { [self] in
      require(tap == nil, "nullptr == Tap()")
      if let format {
        let isConnected = hearsMicrophone || engine?.connections.contains { $0.source === self } ?? false
        let present = tapFormat
        require(
          !isConnected || format.standard.isEqual(present.standard),
          "format.sampleRate == hwFormat.sampleRate (the bus has \(present), the tap \(format))")
        if !isConnected { setOutputFormat(format) }
      }
      let format = tapFormat
      require(
        format.sampleRate > 0 && format.channelCount > 0, "IsFormatSampleRateAndChannelCountValid(format) (\(format))")
      let tap = NodeTap(
        format, frames: max(1, bufferSize), (engine?.choices ?? .standard).tapBuffers, engine?.dueCalls ?? DueCalls(),
        tapBlock)
      tap.prepare(format, maximumFrames: engine?.target.maximumFrames ?? 4096) { $0() }
      listen(with: tap)
      engine?.noteEdit()
    }
    inEngine(install)
  }

  /// Ends a tap; a bus without one is left alone.
  public func removeTap(onBus bus: AVAudioNodeBus) {
    let remove = { [self] in
      guard let tap else { return }
      betweenSlices {
        unit.removeRenderNotify(tap.token)
        tap.flush()
        self.tap = nil
      }
      engine?.noteEdit()
    }
    guard let engine else { return remove() }
    engine.locked(remove)
    engine.makeDueCalls()
  }

  func betweenSlices(_ body: () -> Void) {
    if let engine { engine.betweenSlices(body) } else { body() }
  }

  /// Connects a tap with what the node puts out.
  private func listen(with tap: NodeTap) {
    betweenSlices {
      self.tap = tap
      tap.token = unit.addRenderNotify { [weak self] phase, sampleTime, frames, output in
        guard case .after = phase, let output, let self, !hearsHardware else { return }
        tap.take(output, sampleTime: sampleTime, of: engine?.lastSlice, frames: frames)
      }
    }
  }

  /// True where the hardware gives a tap its frames, and not the node's unit. For the thread that renders.
  var hearsHardware: Bool { false }
  /// True for the node whose tap hears the microphone itself.
  var hearsMicrophone: Bool { false }
  /// The format of what a tap gets.
  var tapFormat: AVAudioFormat { graphFormat }

  /// While nothing renders.
  func flushTap() { tap?.flush() }
}

extension AVAudioTime {
  /// The frame at another rate, the nearest; nil without a sample time. Kept so far from the ends of what 64 bits hold
  /// that times may be added and subtracted.
  func frame(atRate rate: Double) -> AVAudioFramePosition? {
    guard isSampleTimeValid else { return nil }
    let furthest: AVAudioFramePosition = 1 << 60
    if sampleRate == rate || !(sampleRate > 0) { return min(furthest, max(-furthest, sampleTime)) }
    let frame = (Double(sampleTime) / sampleRate * rate).rounded()
    return AVAudioFramePosition(exactly: min(Double(furthest), max(-Double(furthest), frame)))
  }
}
