// A client of AudioConverter for tests: it feeds bytes in pieces of any size, from its own memory or into the
// converter's, and collects what comes out. And the same conversion made by the engine alone, to compare with.

import AudioCore
import AudioEngine
import AudioToolbox
import TestSupport

/// An OSStatus from its four characters.
func code(_ text: AudioCore.FourCharCode) -> OSStatus { OSStatus(bitPattern: text.rawValue) }

/// A stream to be pulled.
final class InputFeed {
  let buffers: [[UInt8]]
  let bytesPerFrame: Int
  let frames: Int
  var position = 0
  /// The number of frames for a request; what it returns is limited to the rest.
  var answer: (Int) -> Int = { $0 }
  /// Deliver from memory of our own, which is spoiled at the next call, instead of filling the converter's.
  var usesOwnMemory = false
  /// Frame positions at which "not now" is answered, once each.
  var gaps: Set<Int> = []
  static let gapStatus: OSStatus = 12345
  private(set) var requests: [Int] = []
  private(set) var ends = 0
  /// Runs inside the proc, before anything else.
  var insideProc: () -> Void = {}
  private var memory: [UnsafeMutableRawPointer] = []
  private var memorySize = 0

  init(_ buffers: [[UInt8]], bytesPerFrame: Int) {
    self.buffers = buffers
    self.bytesPerFrame = bytesPerFrame
    frames = (buffers.first?.count ?? 0) / bytesPerFrame
  }

  deinit { for pointer in memory { pointer.deallocate() } }

  func rewind() {
    position = 0
    requests = []
    ends = 0
  }

  func deliver(_ packets: inout UInt32, into list: UnsafeMutablePointer<AudioBufferList>) -> OSStatus {
    requests.append(Int(packets))
    insideProc()
    for pointer in memory { pointer.initializeMemory(as: UInt8.self, repeating: 0xA5, count: memorySize) }
    if gaps.remove(position) != nil {
      packets = 0
      return Self.gapStatus
    }
    var count = max(1, answer(Int(packets)))
    if let gap = gaps.filter({ $0 > position }).min() { count = min(count, gap - position) }
    count = min(count, frames - position)
    if !usesOwnMemory { count = min(count, Int(packets)) }
    let entries = bufferPointer(of: list)
    if usesOwnMemory && memorySize < count * bytesPerFrame {
      for pointer in memory { pointer.deallocate() }
      memorySize = count * bytesPerFrame
      memory = buffers.map { _ in .allocate(byteCount: memorySize, alignment: 16) }
    }
    for (index, bytes) in buffers.enumerated() {
      if usesOwnMemory && count > 0 { entries[index].mData = memory[index] }
      bytes.withUnsafeBytes { source in
        if count > 0, let base = source.baseAddress {
          entries[index].mData?.copyMemory(
            from: base + position * bytesPerFrame, byteCount: count * bytesPerFrame)
        }
      }
      entries[index].mDataByteSize = UInt32(count * bytesPerFrame)
    }
    if count == 0 { ends += 1 }
    position += count
    packets = UInt32(count)
    return 0
  }

  static let proc: AudioConverterComplexInputDataProc = { _, packets, list, _, userData in
    guard let userData else { return -1 }
    return Unmanaged<InputFeed>.fromOpaque(userData).takeUnretainedValue().deliver(&packets.pointee, into: list)
  }
}

func bufferPointer(of list: UnsafeMutablePointer<AudioBufferList>) -> UnsafeMutableAudioBufferListPointer {
  UnsafeMutableAudioBufferListPointer(list)
}

/// A buffer list with memory of its own, zeroed.
final class OutputList {
  let list: UnsafeMutablePointer<AudioBufferList>
  let bytesPerFrame: Int
  let count: Int
  private let memory: [UnsafeMutableRawPointer]

  init(buffers: Int, bytesPerFrame: Int, frames: Int) {
    count = buffers
    self.bytesPerFrame = bytesPerFrame
    let raw = UnsafeMutableRawPointer.allocate(byteCount: 8 + 16 * (buffers + 1), alignment: 16)
    list = raw.bindMemory(to: AudioBufferList.self, capacity: 1)
    let bytes = max(1, frames * bytesPerFrame)
    memory = (0..<buffers).map { _ in .allocate(byteCount: bytes, alignment: 16) }
    list.pointee.mNumberBuffers = UInt32(buffers)
    for (index, pointer) in memory.enumerated() {
      pointer.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
      bufferPointer(of: list)[index] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(frames * bytesPerFrame), mData: pointer)
    }
  }

  convenience init(_ format: StreamFormat, frames: Int) {
    self.init(buffers: format.bufferCount, bytesPerFrame: format.bytesPerFrame, frames: frames)
  }

  deinit {
    for pointer in memory { pointer.deallocate() }
    UnsafeMutableRawPointer(list).deallocate()
  }

  func fill(_ buffers: [[UInt8]]) {
    for (pointer, bytes) in zip(memory, buffers) { pointer.copyMemory(from: bytes, byteCount: bytes.count) }
  }

  func bytes(frames: Int) -> [[UInt8]] {
    memory.map { Array(UnsafeRawBufferPointer(start: $0, count: frames * bytesPerFrame)) }
  }

  var byteSizes: [UInt32] { (0..<count).map { bufferPointer(of: list)[$0].mDataByteSize } }
}

/// A converter of the C interface.
final class TestConverter {
  let ref: AudioConverterRef
  let output: (buffers: Int, bytesPerFrame: Int)
  var isDisposed = false

  /// Fails with the status of AudioConverterNew.
  init(_ source: AudioStreamBasicDescription, _ destination: AudioStreamBasicDescription) throws(AudioStatus) {
    var ref: AudioConverterRef?
    var (from, to) = (source, destination)
    let status = AudioConverterNew(&from, &to, &ref)
    guard status == 0, let ref else { throw AudioStatus(rawValue: status) }
    self.ref = ref
    let isPlanar = to.mFormatFlags & 0x20 != 0 && to.mFormatID == 0x6C70_636D
    output = (isPlanar ? Int(to.mChannelsPerFrame) : 1, Int(to.mBytesPerFrame))
  }

  convenience init(_ source: StreamFormat, _ destination: StreamFormat) throws(AudioStatus) {
    try self.init(source.audioStreamBasicDescription, destination.audioStreamBasicDescription)
  }

  deinit { if !isDisposed { _ = AudioConverterDispose(ref) } }

  func fill(_ feed: InputFeed, frames: Int) -> (status: OSStatus, frames: Int, bytes: [[UInt8]]) {
    let out = OutputList(buffers: output.buffers, bytesPerFrame: output.bytesPerFrame, frames: frames)
    var packets = UInt32(frames)
    let status = AudioConverterFillComplexBuffer(
      ref, InputFeed.proc, Unmanaged.passUnretained(feed).toOpaque(), &packets, out.list, nil)
    return (status, Int(packets), out.bytes(frames: Int(packets)))
  }

  /// Everything up to the end of the stream, in fills of these sizes over and over; gaps are asked over.
  func drain(_ feed: InputFeed, sizes: [Int]) -> [[UInt8]] {
    var all = [[UInt8]](repeating: [], count: output.buffers)
    for turn in 0..<1_000_000 {
      let made = fill(feed, frames: sizes[turn % sizes.count])
      for index in all.indices { all[index] += made.bytes[index] }
      if made.status == InputFeed.gapStatus { continue }
      if made.status != 0 || made.frames == 0 { break }
    }
    return all
  }

  func get<Value: BitwiseCopyable>(_ id: AudioCore.FourCharCode, as initial: Value) throws(AudioStatus) -> Value {
    var value = initial
    var size = UInt32(MemoryLayout<Value>.size)
    let status = AudioConverterGetProperty(ref, id.rawValue, &size, &value)
    if status != 0 { throw AudioStatus(rawValue: status) }
    return value
  }

  func set<Value: BitwiseCopyable>(_ id: AudioCore.FourCharCode, _ value: Value) -> OSStatus {
    var value = value
    return AudioConverterSetProperty(ref, id.rawValue, UInt32(MemoryLayout<Value>.size), &value)
  }

  func set(_ id: AudioCore.FourCharCode, words: [Int32]) -> OSStatus {
    AudioConverterSetProperty(ref, id.rawValue, UInt32(4 * words.count), words)
  }
}

/// The bytes of a stream of noise in a format: the engine's own encoding of floats.
func noise(_ format: StreamFormat, frames: Int, seed: UInt64 = 5) throws -> [[UInt8]] {
  let plain = StreamFormat(sampleRate: format.sampleRate, channelCount: format.channelCount)
  var generator = SeededGenerator(seed: seed)
  let planes = (0..<format.channelCount).map { _ in generator.noise(frames: frames, amplitude: 0.9) }
  let floats = planes.map { plane in plane.withUnsafeBytes { Array($0) } }
  return try engineConversion(from: plain, to: format, floats)
}

/// The engine's output for a whole stream, in one go: the reference for the C interface.
func engineConversion(
  from input: StreamFormat, to output: StreamFormat, _ buffers: [[UInt8]],
  options: FormatConverter.Options = FormatConverter.Options()
) throws -> [[UInt8]] {
  let frames = (buffers.first?.count ?? 0) / input.bytesPerFrame
  let total = Int(FrameCount.converted(Int64(frames), from: input.sampleRate, to: output.sampleRate))
  // As much silence as any filter needs; an unsigned byte of silence is 0x80.
  let silence = 65536
  let stage = StreamBuffer(format: input, frameCapacity: frames + silence)
  for (index, bytes) in buffers.enumerated() {
    let start = stage.bus.buffers[index]
    if input.encoding == .uint8 {
      start.initializeMemory(as: UInt8.self, repeating: 0x80, count: (frames + silence) * input.bytesPerFrame)
    }
    start.copyMemory(from: bytes, byteCount: bytes.count)
  }
  let result = StreamBuffer(format: output, frameCapacity: max(1, total))
  let converter = try FormatConverter(from: input, to: output, maximumFrames: frames + silence, options: options)
  if converter.isSynchronous {
    converter.convert(stage.bus, to: result.bus, frames: frames)
  } else if total > 0 {
    converter.push(stage.bus, frames: converter.inputFramesNeeded(toProduce: total))
    converter.pop(into: result.bus, frames: total)
  }
  return (0..<result.bus.count).map {
    Array(UnsafeRawBufferPointer(start: result.bus.buffers[$0], count: total * output.bytesPerFrame))
  }
}
