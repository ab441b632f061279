// A component that the tests register with the process: a source with two outputs that writes down what each render
// call asks of it, and which memory it is given. Frame n of channel c of output b is n + c / 4 + b / 2.

import AudioCore
import AudioToolbox
import Testing

final class RecordedSource {
  /// The arguments of one render call.
  struct Call {
    let sampleTime: Double
    let bus: UInt32
    let frames: UInt32
    let memory: [UnsafeMutableRawPointer?]
    let byteSizes: [UInt32]
  }

  let opened: OpenedUnit
  var unit: AudioUnit { opened.unit }
  var calls: [Call] { log.calls }
  /// The format that it says its outputs have; it renders stereo Float32 whatever it says.
  var format: AudioStreamBasicDescription {
    get { log.format }
    set { log.format = newValue }
  }
  /// The status of a render call.
  var status: OSStatus {
    get { log.status }
    set { log.status = newValue }
  }
  private let log: Log

  init() throws {
    opened = try #require(Self.component).open()
    let bits = opened.get(Self.logProperty, as: UInt.self).value
    let pointer = try #require(bits.flatMap { UnsafeRawPointer(bitPattern: $0) })
    log = Unmanaged<Log>.fromOpaque(pointer).takeUnretainedValue()
  }

  func forgetCalls() { log.calls = [] }
  /// Its own memory of an output's channel.
  func memory(bus: Int, channel: Int) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(log.memory[2 * bus + channel])
  }
  static func sample(_ frame: Int, channel: Int, bus: Int = 0) -> Float {
    Float(frame) + Float(channel) / 4 + Float(bus) / 2
  }

  // MARK: The component

  fileprivate final class Log {
    var calls: [Call] = []
    var format = StreamFormat(sampleRate: 44_100, channelCount: 2).audioStreamBasicDescription
    var status = noErr
    let memory: [UnsafeMutablePointer<Float>] = (0..<4).map { _ in
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: 4096)
      memory.initialize(repeating: 0, count: 4096)
      return memory
    }
    deinit { for pointer in memory { pointer.deallocate() } }
  }

  /// The host's instance: its table first.
  private struct Instance {
    var table: AudioComponentPlugInInterface
    var log: Unmanaged<Log>
  }

  private static let logProperty: AudioUnitPropertyID = 64_001
  nonisolated(unsafe) private static let component = RegisteredComponent(
    "Test: Recorded Source", type: kAudioUnitType_Generator, subType: 0x7265_6364, factory)

  private static let factory: AudioComponentFactoryFunction = { _ in
    RegisteredComponent.made(
      Instance(
        table: AudioComponentPlugInInterface(
          Open: { _, _ in noErr },
          Close: { object in
            let instance = object.assumingMemoryBound(to: Instance.self)
            instance.pointee.log.release()
            instance.deallocate()
            return noErr
          }, Lookup: { RecordedSource.method($0) }, reserved: nil), log: Unmanaged.passRetained(Log())))
  }

  private static func log(_ object: UnsafeMutableRawPointer) -> Log {
    object.assumingMemoryBound(to: Instance.self).pointee.log.takeUnretainedValue()
  }

  private static func method(_ selector: Int16) -> AudioComponentMethod? {
    switch Int(selector) {
    case Int(kAudioUnitInitializeSelect), Int(kAudioUnitUninitializeSelect): { _ in noErr }
    case Int(kAudioUnitGetPropertySelect): unsafeBitCast(get, to: AudioComponentMethod.self)
    case Int(kAudioUnitRenderSelect): unsafeBitCast(render, to: AudioComponentMethod.self)
    default: nil
    }
  }

  private static let get: RegisteredComponent.GetProperty = { object, id, _, _, data, size in
    switch id {
    case logProperty:
      data.storeBytes(of: UInt(bitPattern: Unmanaged.passUnretained(log(object)).toOpaque()), as: UInt.self)
    case kAudioUnitProperty_StreamFormat:
      data.storeBytes(of: log(object).format, as: AudioStreamBasicDescription.self)
    default: return kAudioUnitErr_InvalidProperty
    }
    return noErr
  }

  private static let render: RegisteredComponent.Render = { object, _, timeStamp, bus, frames, data in
    let log = log(object)
    let list = UnsafeMutableAudioBufferListPointer(data)
    log.calls.append(
      Call(
        sampleTime: timeStamp.pointee.mSampleTime, bus: bus, frames: frames, memory: list.map(\.mData),
        byteSizes: list.map(\.mDataByteSize)))
    guard log.status == noErr else { return log.status }
    for channel in 0..<min(2, list.count) {
      let own = log.memory[2 * Int(bus) + channel]
      let samples = list[channel].mData?.assumingMemoryBound(to: Float.self) ?? own
      for frame in 0..<Int(frames) {
        samples[frame] = RecordedSource.sample(
          Int(clamping: timeStamp.pointee.mSampleTime) + frame, channel: channel, bus: Int(bus))
      }
      list[channel].mData = UnsafeMutableRawPointer(samples)
    }
    return noErr
  }
}
