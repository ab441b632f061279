import AudioCore
import AudioEngine
import CAudioToolbox
import CoreFoundation

/// Tests that a component does what every unit must: made, queried, initialized, rendered, reset and ended once, in
/// this process.
///
/// A look, not a conformance test: what fails here cannot be used at all.
struct ComponentTrial {
  private(set) var steps: [(name: String, failure: String?)] = []
  private(set) var result = AudioComponentValidationResult.passed

  init(of entry: ComponentEntry) {
    let instance: UnitInstance
    do {
      instance = try UnitInstance.make(entry)
      add("open", noErr)
    } catch {
      add("open", error.rawValue)
      if error.rawValue == kAudioUnitErr_Unauthorized { result = .unauthorizedError_Open }
      return
    }
    run(instance)
    add("close", UnitInstance.dispose(instance.handle))
  }

  private mutating func add(_ name: String, _ status: OSStatus) {
    steps.append((name, status == noErr ? nil : "\(AudioStatus(status))"))
    if status != noErr { result = .failed }
  }

  private mutating func run(_ instance: UnitInstance) {
    let facts = ComponentShape(instance)
    // Inputs get silence.
    for bus in 0..<facts.inputs.count {
      _ = instance.setSource(.callback(Self.silence, userData: nil), input: UInt32(bus))
    }
    let initialized = instance.initialize()
    add("initialize", initialized)
    if initialized == kAudioUnitErr_Unauthorized { result = .unauthorizedError_Init }
    guard initialized == noErr else { return }
    if let format = facts.outputs.first { add("render", render(instance, format)) }
    add("reset", instance.reset(kAudioUnitScope_Global, 0))
    add("uninitialize", instance.uninitialize())
  }

  private static let silence: AURenderCallback = { _, flags, _, _, _, data in
    guard let list = UnsafeMutableAudioBufferListPointer(data) else { return kAudio_ParamError }
    for buffer in list {
      buffer.mData?.initializeMemory(as: UInt8.self, repeating: 0, count: Int(buffer.mDataByteSize))
    }
    flags.pointee.insert(.unitRenderAction_OutputIsSilence)
    return noErr
  }

  private func render(_ instance: UnitInstance, _ format: AudioStreamBasicDescription) -> OSStatus {
    let isPlanar = format.mFormatFlags & PCMFlags.isNonInterleaved != 0
    let list = AudioBufferList.allocate(maximumBuffers: isPlanar ? Int(format.mChannelsPerFrame) : 1)
    defer { UnsafeMutableRawPointer(list.unsafeMutablePointer).deallocate() }
    for index in 0..<list.count {
      list[index].mNumberChannels = isPlanar ? 1 : format.mChannelsPerFrame
    }
    var flags = AudioUnitRenderActionFlags()
    var stamp = AudioTimeStamp(sampleTime: 0)
    let status = instance.render(&flags, &stamp, bus: 0, frames: 64, list.unsafeMutablePointer)
    // A player without files, an output without input: nothing to render is no fault.
    return status == kAudioUnitErr_NoConnection || status == kAudioUnitErr_FileNotSpecified ? noErr : status
  }

  /// The results as the interface hands them over.
  var report: PropertyTree {
    .table([
      ("Result", .integer(Int32(result.rawValue))), ("WasCached", .flag(false)),
      ("Output", .list([])),
      (
        "Tests",
        .list(
          steps.map { step in
            .table([
              ("Name", .text(step.name)), ("Result", .integer(step.failure == nil ? 1 : 2)),
              ("Output", .texts(step.failure.map { [$0] } ?? [])),
            ])
          })
      ),
    ])
  }
}

/// The buses of a new instance, with their formats.
struct ComponentShape {
  let inputs: [AudioStreamBasicDescription]
  let outputs: [AudioStreamBasicDescription]
  let canChangeInputCount: Bool
  let canChangeOutputCount: Bool
  let channels: [ChannelCapability]

  init(_ instance: UnitInstance) {
    let facts = ComponentFacts(instance)
    func formats(_ scope: Scope) -> [AudioStreamBasicDescription] {
      (0..<UInt32(min(facts.elementCount(scope), 1024))).compactMap { instance.streamDescription(scope.rawValue, $0) }
    }
    inputs = formats(.input)
    outputs = formats(.output)
    canChangeInputCount = facts.mayChangeElementCount(.input)
    canChangeOutputCount = facts.mayChangeElementCount(.output)
    channels = facts.channelCapabilities
  }

  /// As AudioComponentCopyConfigurationInfo hands it over; a unit that publishes no channel counts takes any, the same
  /// on both sides.
  var configuration: PropertyTree {
    let pairs = channels.isEmpty ? [.equal] : channels
    func counts(_ formats: [AudioStreamBasicDescription]) -> PropertyTree {
      .list(formats.map { .integer(Int32($0.mChannelsPerFrame)) })
    }
    return .table([
      (
        "ChannelConfigurations",
        .list(pairs.map { .list([.integer(Int32($0.inputChannels)), .integer(Int32($0.outputChannels))]) })
      ),
      ("InitialInputs", counts(inputs)), ("InitialOutputs", counts(outputs)),
      ("BusCountWritable", .list([.flag(canChangeInputCount), .flag(canChangeOutputCount)])),
      ("HasCustomView", .flag(false)),
    ])
  }
}
