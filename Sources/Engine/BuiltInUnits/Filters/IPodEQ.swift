import AudioCore
import AudioEngine
import DSPKernels
import Synchronization

/// The iPod equalizer: 23 factory presets and no parameters, for mono and stereo.
///
/// A preset that is selected while rendering fades in over 10 ms, in a straight line, from the first frame of the next
/// slice on; the first one holds from the first frame. Preset 0, Disabled, passes the sound unchanged.
///
/// ```swift
/// let rock = try IPodEQ(named: "Rock")
/// #expect(rock.preset.name == "Rock")
/// let graph = Graph(sampleRate: 44_100)
/// try graph.connect(graph.add(FilePlayer("fixtures/audio/guitar.flac")), to: graph.add(rock))
/// try graph.connect(rock, to: graph.add(GenericOutput()))
/// ```
public final class IPodEQ: EffectUnit, FormatExplainingUnit, HostedUnit, @unchecked Sendable {
  /// `aufx ipeq appl`, in graph files `iPodEQ`.
  package static let component = Component(
    ComponentDescription(type: .effect, subType: "ipeq"), shortName: "iPodEQ", name: "Apple: AUiPodEQ",
    summary: "An equalizer of 23 factory presets, changeable while rendering without a click."
  ) { IPodEQ() }

  private var presentPreset: Int32

  /// - Parameter preset: 0 (Disabled) to 22, see ``presets``.
  public init(preset: Int = 0) {
    precondition(IPodEQCurves.all.indices.contains(preset))
    presentPreset = Int32(preset)
    super.init(Self.component)
  }

  /// An equalizer with the preset of a name, as ``presets`` lists them.
  /// - Throws: `.invalidPropertyValue` where there is none.
  public convenience init(named name: String) throws(AudioStatus) {
    guard let preset = Self.presets.first(where: { $0.name == name }) else { throw .invalidPropertyValue }
    self.init(preset: Int(preset.number))
  }

  /// All presets, by number.
  public static let presets = IPodEQCurves.all.enumerated().map { Preset(number: Int32($0), name: $1.name) }
  public override var factoryPresets: [Preset] { Self.presets }
  /// The one that was selected last; while rendering it may still be fading in.
  public var preset: Preset { Self.presets[Int(presentPreset)] }

  package var inputInWords: String? { "mono and stereo Float32" }

  public override func select(preset number: Int32) throws(AudioStatus) {
    guard Self.presets.indices.contains(Int(number)) else { throw .invalidPropertyValue }
    presentPreset = number
    edit(IPodEQProcessor.self) { $0.requestedPreset.store(Int(number), ordering: .relaxed) }
  }

  public override func check(_ format: StreamFormat, _ scope: Scope, element: Int) throws(AudioStatus) {
    try super.check(format, scope, element: element)
    guard format.channelCount <= 2 else { throw .formatNotSupported }
  }

  public override var channelCapabilities: [ChannelCapability] {
    (1...2).map { ChannelCapability(inputChannels: $0, outputChannels: $0) }
  }

  public override func makeEffect() throws(AudioStatus) -> EffectProcessor {
    IPodEQProcessor(format: format, preset: Int(presentPreset), maximumFrames: maximumFramesPerSlice)
  }

  /// Two cascades, a slice of scratch for fades, and the sections of all presets.
  public override var processorBytes: Int {
    Self.sliceBytes(outputs[0].format, maximumFramesPerSlice) + 32 << 10
      + IPodEQCurves.centresHertz.count * (256 + 32 * outputs[0].format.channelCount)
  }

  public override var tailFrames: Int64? {
    let rate = outputs[0].format.sampleRate
    let sections = IPodEQCurves.sections(ofPreset: Int(presentPreset), sampleRate: rate)
    return SectionList(sections: sections).tailFrames(sampleRate: rate) { _ in 0 }
  }

  public override var ownProperties: [PropertyDescriptor] { super.ownProperties + Self.propertyTable }

  private static let propertyTable: [PropertyDescriptor] = [
    PropertyDescriptor(
      .presentPreset, "presentPreset", .preset, of: IPodEQ.self, get: { unit, _, _ in unit.preset },
      set: { (unit, _, _, preset) throws(AudioStatus) in try unit.select(preset: preset.number) })
  ]

  package var hostTraits: HostTraits { HostTraits(self, properties: []) }

  /// Ten peaking bands, one octave wide.
  public override func closedForm(sampleRate: Double) -> AnalogResponse? {
    var response = AnalogResponse(sampleRate: sampleRate)
    guard !isBypassed else { return response }
    for (hertz, gain) in zip(IPodEQCurves.centresHertz, IPodEQCurves.all[Int(presentPreset)].gainsDecibels)
    where hertz < IPodEQCurves.highestBand * sampleRate {
      response.peaking(hertz, .octaves(IPodEQCurves.bandwidthOctaves), gainDecibels: gain)
    }
    return response
  }
}

/// A fixed list of sections as a design: for its tail.
private struct SectionList: FilterDesign {
  let sections: [BiquadCoefficients]
  var sectionCount: Int { sections.count }
  func slots(ofSection section: Int) -> Range<Int> { 0..<0 }
  func coefficients(ofSection section: Int, sampleRate: Double, value: (Int) -> Double) -> BiquadCoefficients? {
    sections[section]
  }
}

/// The render half of the iPod equalizer: one cascade, and a second one while presets cross over.
final class IPodEQProcessor: EffectProcessor {
  static let fadeSeconds = 0.01

  let requestedPreset: Atomic<Int>
  private let designs: [[BiquadCoefficients]]
  private let fadeFrames: Int64
  private let scratch: PlanarBuffer
  private var present: BiquadCascade
  private var former: BiquadCascade
  private var presentPreset: Int?
  /// The preset that was set when the slice began.
  private var wantedPreset: Int
  private var fadeStart: Int64?

  init(format: StreamFormat, preset: Int, maximumFrames: Int) {
    requestedPreset = Atomic(preset)
    wantedPreset = preset
    designs = IPodEQCurves.all.indices.map { IPodEQCurves.sections(ofPreset: $0, sampleRate: format.sampleRate) }
    fadeFrames = max(1, Int64(clamping: (Self.fadeSeconds * format.sampleRate).rounded()))
    scratch = PlanarBuffer(channelCount: format.channelCount, frameCapacity: maximumFrames)
    let bands = IPodEQCurves.centresHertz.count
    present = BiquadCascade(sectionCapacity: bands, channelCount: format.channelCount)
    former = BiquadCascade(sectionCapacity: bands, channelCount: format.channelCount)
  }

  override func latch() {
    super.latch()
    wantedPreset = requestedPreset.load(ordering: .relaxed)
  }

  override func render(_ piece: RenderPiece) throws(AudioStatus) {
    var done = 0
    while done < piece.frames {
      let frame = piece.sampleTime + Int64(done)
      changePreset(at: frame)
      let remaining = piece.frames - done
      // A fade ends, and a waiting preset begins, on the very frame: the pieces do not depend on slices.
      let frames = fadeStart.map { min(remaining, Int($0 + fadeFrames - frame)) } ?? remaining
      render(piece, from: done, frames: frames, sampleTime: frame)
      done += frames
    }
  }

  private func changePreset(at frame: Int64) {
    if let start = fadeStart {
      // A jump in time ends a fade as well.
      guard frame < start || frame >= start + fadeFrames else { return }
      fadeStart = nil
    }
    let wanted = wantedPreset
    guard wanted != presentPreset else { return }
    if presentPreset != nil {
      swap(&present, &former)
      fadeStart = frame
    }
    present.reset()
    present.sectionCount = designs[wanted].count
    for (index, section) in designs[wanted].enumerated() { present[index] = section }
    presentPreset = wanted
  }

  private func render(_ piece: RenderPiece, from done: Int, frames: Int, sampleTime: Int64) {
    let offset = piece.offset + done
    let input = piece.inputs[0].planes
    let output = piece.outputs[0].planes
    guard let start = fadeStart else {
      present.process(input: input, output: output, offset: offset, frames: frames)
      return
    }
    former.process(input: input, output: scratch.planes, offset: offset, frames: frames)
    present.process(input: input, output: output, offset: offset, frames: frames)
    for channel in 0..<scratch.channelCount {
      let new = output[channel] + offset
      MixKernels.crossfade(
        new, from: scratch.planes[channel] + offset, to: new, durationFrames: fadeFrames, position: sampleTime - start,
        frames: frames)
    }
  }

  override func reset() {
    present.reset()
    former.reset()
    presentPreset = nil
    fadeStart = nil
  }
}
