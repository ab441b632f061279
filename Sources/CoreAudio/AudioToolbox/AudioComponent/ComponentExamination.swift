// The work of `aubench-scan`: one component, used once as a host would, every step announced before it is taken. It
// runs in a process of its own, which the component may crash, hang or end.

import AudioCore
import AudioEngine
import AudioUnits
import CAudioToolbox
import Foundation

/// A look at one component. The process ends with it.
package struct ComponentExamination {
  /// The pipe that the host reads.
  package static let reportDescriptor: Int32 = 3

  private let executable: String
  private let factoryName: String
  private let description: AudioComponentDescription
  private let version: UInt32

  /// The one that the words of this process ask for; the first is the bytes of a file's name.
  package static var ofCommandLine: ComponentExamination? {
    ComponentExamination(
      (1..<max(1, Int(CommandLine.argc))).compactMap { index in
        CommandLine.unsafeArgv[index].map { ByteText.string(cString: $0) }
      })
  }

  /// - Parameter words: shared object, factory function; type, subtype, manufacturer and version in hexadecimal.
  package init?(_ words: [String]) {
    guard words.count == 6 else { return nil }
    let numbers = words[2...].compactMap { UInt32($0, radix: 16) }
    guard numbers.count == 4 else { return nil }
    executable = words[0]
    factoryName = words[1]
    description = AudioComponentDescription(
      componentType: numbers[0], componentSubType: numbers[1], componentManufacturer: numbers[2], componentFlags: 0,
      componentFlagsMask: 0)
    version = numbers[3]
  }

  package func run() {
    Self.limit(RLIMIT_CORE, to: 0)
    Self.limit(RLIMIT_AS, to: Self.memoryBytes)
    var verdict: ScanVerdict
    do { verdict = try examine() } catch { verdict = ScanVerdict(failure: error.text) }
    if !verdict.latencySeconds.isFinite { verdict.latencySeconds = 0 }
    if let tail = verdict.tailSeconds, !tail.isFinite { verdict.tailSeconds = nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    guard let data = try? encoder.encode(verdict) else { return }
    Self.report("verdict " + String(decoding: data, as: UTF8.self))
  }

  /// Address space for the component and all that it loads.
  private static let memoryBytes: UInt64 = 4 << 30
  private static let frames = 512

  private struct Failure: Error {
    let text: String
  }

  private static func limit(_ resource: __rlimit_resource, to value: UInt64) {
    var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
    setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
  }

  private static func report(_ line: String) { writeAll(line + "\n", to: reportDescriptor) }

  private func begin(_ stage: String) { Self.report("stage \(stage)") }

  private func check(_ status: OSStatus, _ what: String) throws(Failure) {
    guard status == noErr else { throw Failure(text: "\(what) answered: \(AudioStatus(status))") }
  }

  // MARK: Steps

  private func examine() throws(Failure) -> ScanVerdict {
    begin("while it was loaded")
    guard let library = ByteText.withCString(executable, { dlopen($0, RTLD_NOW | RTLD_LOCAL) }) else {
      throw Failure(text: "cannot be loaded: \(dlerror().map { String(cString: $0) } ?? "no reason given")")
    }
    guard let symbol = dlsym(library, factoryName) else {
      throw Failure(text: "has no function \"\(factoryName)\" to make it")
    }
    begin("in its factory function")
    let entry = ComponentEntry(
      description, name: "", version: version,
      origin: .registered(unsafeBitCast(symbol, to: AudioComponentFactoryFunction.self)))
    entry.register()
    let instance: UnitInstance
    do { instance = try entry.makeInstance(RenderDomain()) } catch {
      throw Failure(text: "is not made by its factory function: \(error)")
    }
    begin("while it was opened")
    do { try instance.openWithHandle() } catch { throw Failure(text: "cannot be opened: \(error)") }
    begin("while its properties were read")
    let facts = ComponentFacts(instance)
    var verdict = ScanVerdict()
    verdict.inputBuses = facts.elementCount(.input)
    verdict.outputBuses = facts.elementCount(.output)
    verdict.parameters = [Scope.global, .input, .output].reduce(0) { sum, scope in
      sum + (facts.elementCount(scope) > 0 ? facts.parameters(scope, element: 0).count : 0)
    }
    verdict.presets = facts.factoryPresets.count
    verdict.latencySeconds = facts.latencySeconds
    verdict.tailSeconds = facts.tailSeconds
    verdict.channels = facts.channelCapabilities.map { [$0.inputChannels, $0.outputChannels] }
    try render(instance, facts)
    begin("while it was closed")
    try check(UnitInstance.dispose(instance.handle), "Close")
    return verdict
  }

  /// Initializes and renders a slice of silence and one of noise.
  private func render(_ instance: UnitInstance, _ facts: ComponentFacts) throws(Failure) {
    begin("while it was initialized")
    _ = instance.write(
      kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, UInt32(Self.frames))
    let noise = NoiseSource()
    for bus in 0..<facts.elementCount(.input) {
      let callback = AURenderCallbackStruct(
        inputProc: NoiseSource.proc, inputProcRefCon: Unmanaged.passUnretained(noise).toOpaque())
      _ = instance.write(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, UInt32(bus), callback)
    }
    try check(instance.initialize(), "Initialize")
    begin("while it rendered")
    let silent: Set<AudioCore.FourCharCode> = ["auol", "aumi", .output]
    if facts.elementCount(.output) > 0, !silent.contains(AudioCore.FourCharCode(rawValue: description.componentType)) {
      try render(instance, facts, at: 0, "silence")
      noise.isOn = true
      try render(instance, facts, at: Self.frames, "noise")
    }
    begin("while it was uninitialized")
    _ = instance.uninitialize()
    withExtendedLifetime(noise) {}
  }

  private func render(
    _ instance: UnitInstance, _ facts: ComponentFacts, at time: Int, _ input: String
  ) throws(Failure) {
    guard let format = facts.streamFormat(.output, element: 0) else { return }
    let buffer = StreamBuffer(format: format, frameCapacity: Self.frames)
    let list = BufferList(capacity: format.bufferCount)
    list.point(at: buffer.bus, offset: 0, frames: Self.frames, format: format)
    var flags = AudioUnitRenderActionFlags()
    var stamp = AudioTimeStamp(sampleTime: Double(time))
    try check(
      instance.render(&flags, &stamp, bus: 0, frames: UInt32(Self.frames), list.pointer), "Render, fed with \(input),")
    guard format.encoding == .float32 else { return }
    for index in 0..<format.bufferCount {
      guard let samples = list.pointer(index)?.assumingMemoryBound(to: Float.self) else {
        throw Failure(text: "gave no frames, fed with \(input)")
      }
      let count = Self.frames * format.bytesPerFrame / 4
      if let wrong = (0..<count).first(where: { !samples[$0].isFinite }) {
        throw Failure(
          text:
            "put out \(samples[wrong]) in frame \(wrong * 4 / format.bytesPerFrame) of buffer \(index), fed with \(input)"
        )
      }
    }
    withExtendedLifetime(buffer) {}
  }
}

/// Feeds a component that is being looked at.
private final class NoiseSource {
  var isOn = false
  private var state: UInt32 = 1

  /// Fills the component's buffers, or points them at its own where it gave none.
  static let proc: AURenderCallback = { context, flags, _, _, frames, data in
    let source = Unmanaged<NoiseSource>.fromOpaque(context).takeUnretainedValue()
    guard let data else { return kAudio_ParamError }
    let list = UnsafeMutableAudioBufferListPointer(data)
    for index in 0..<list.count {
      let wanted = Int(frames) * 4 * max(1, Int(list[index].mNumberChannels))
      if list[index].mData == nil {
        // The process ends soon.
        list[index].mData = malloc(wanted)
        list[index].mDataByteSize = UInt32(wanted)
      }
      guard let samples = list[index].mData else { return kAudio_MemFullError }
      let bytes = min(wanted, Int(list[index].mDataByteSize))
      for sample in 0..<bytes / 4 {
        source.state = source.state &* 1_664_525 &+ 1_013_904_223
        let value = source.isOn ? Float(Int32(bitPattern: source.state)) / 4_294_967_296 : 0
        samples.assumingMemoryBound(to: Float.self)[sample] = value
      }
    }
    if !source.isOn { flags.pointee.insert(.unitRenderAction_OutputIsSilence) }
    return noErr
  }
}
