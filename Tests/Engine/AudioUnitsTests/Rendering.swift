// What the tests of this target share: signals, sources that deliver them by the clock, and renders cut in a given way.

import AudioCore
import AudioEngine
import BuiltInUnits
import DSPKernels
import DeviceUnits
import Glibc
import TestSupport

/// Foundation has a `Unit` of its own.
typealias Unit = AudioEngine.Unit

/// Channels of samples.
typealias Signal = [[Float]]

/// Uniform noise, each channel its own.
func noise(_ channels: Int = 2, frames: Int, seed: UInt64 = 1, amplitude: Float = 0.5) -> Signal {
  (0..<channels).map { channel in
    var generator = SeededGenerator(seed: seed &* 1009 &+ UInt64(channel))
    return generator.noise(frames: frames, amplitude: amplitude)
  }
}

/// A stream that is there from frame 0 on, and silence before and behind it, in any PCM format.
///
/// What it delivers depends on the sample time alone. It counts how often it is asked, and remembers the last request.
final class Source: @unchecked Sendable {
  let format: StreamFormat
  private let frames: Int
  private let planes: StreamBuffer
  private(set) var pulls = 0
  private(set) var framesPulled = 0
  private(set) var firstTime: Int64?
  private(set) var longestPull = 0

  init(_ signal: Signal, format: StreamFormat) {
    precondition(signal.count == format.channelCount)
    self.format = format
    frames = signal[0].count
    planes = StreamBuffer(format: format, frameCapacity: frames)
    for (channel, samples) in signal.enumerated() {
      let bytes = format.encoding.containerBytes
      let destination = format.isInterleaved ? planes.bus.buffers[0] + channel * bytes : planes.bus.buffers[channel]
      PCMCodec.encode(samples, frames: frames, as: format.encoding, to: destination, stride: format.bytesPerFrame)
    }
  }

  convenience init(_ signal: Signal, sampleRate: Double = 44_100) {
    self.init(signal, format: StreamFormat(sampleRate: sampleRate, channelCount: signal.count))
  }

  var callback: RenderCallback {
    RenderCallback { [self] time, _, wanted, buffer in
      pulls += 1
      framesPulled += wanted
      firstTime = firstTime ?? time
      longestPull = max(longestPull, wanted)
      let bytes = format.bytesPerFrame
      let before = Int(min(Int64(wanted), max(0, -time)))
      let start = Int(min(Int64(frames), max(0, time)))
      let present = max(0, min(wanted - before, frames - start))
      for index in 0..<buffer.count {
        let to = buffer.buffers[index]
        memset(to, 0, before * bytes)
        memcpy(to + before * bytes, planes.bus.buffers[index] + start * bytes, present * bytes)
        memset(to + (before + present) * bytes, 0, (wanted - before - present) * bytes)
      }
      return .noError
    }
  }
}

/// What a host does between two slices, at a fixed frame.
struct HostEvent: Sendable {
  let frame: Int
  let action: @Sendable (Unit) throws -> Void
}

/// The bytes of every buffer of output 0, slice after slice, for `total` frames from `start` on.
func rendered(
  _ unit: Unit, total: Int, from start: Int64 = 0, in partition: Partition = .reference, events: [HostEvent] = []
) throws -> [[UInt8]] {
  let format = try unit.streamFormat(.output)
  var bytes = [[UInt8]](repeating: [], count: format.bufferCount)
  var at = 0
  for length in partition.lengths(total: total, bounds: events.map(\.frame)) {
    for event in events where event.frame == at { try event.action(unit) }
    let bus = try unit.render(sampleTime: start + Int64(at), frames: length)
    for index in 0..<bus.count {
      bytes[index] += UnsafeRawBufferPointer(start: bus.buffers[index], count: length * format.bytesPerFrame)
    }
    at += length
  }
  return bytes
}

/// The samples of a Float32 output with a buffer per channel.
func renderedSignal(
  _ unit: Unit, total: Int, from start: Int64 = 0, in partition: Partition = .reference, events: [HostEvent] = []
) throws -> Signal {
  let format = try unit.streamFormat(.output)
  precondition(format.isFloatPlanar)
  return try rendered(unit, total: total, from: start, in: partition, events: events).map(floats)
}

/// Bytes as the samples that they are.
func floats(_ bytes: [UInt8]) -> [Float] {
  bytes.withUnsafeBytes { raw in (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) } }
}

/// Where two renders first differ; nil where they are the same bits.
func firstDifference(_ a: [[UInt8]], _ b: [[UInt8]], bytesPerFrame: Int) -> String? {
  guard a.count == b.count else { return "\(a.count) buffers against \(b.count)" }
  for index in a.indices where a[index] != b[index] {
    guard a[index].count == b[index].count else { return "\(a[index].count) bytes against \(b[index].count)" }
    let byte = zip(a[index], b[index]).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? -1
    return "buffer \(index) differs from frame \(byte / bytesPerFrame) on"
  }
  return nil
}

/// A unit with one input, fed with a signal, its formats those of the signal at `sampleRate`, ready to render.
func fed<Kind: Unit>(_ unit: Kind, _ signal: Signal, sampleRate: Double = 44_100) throws -> Kind {
  let format = StreamFormat(sampleRate: sampleRate, channelCount: signal.count)
  try unit.setStreamFormat(format, .input)
  var output = format
  if unit is Merger {
    try unit.setStreamFormat(format, .input, element: 1)
    try unit.setRenderCallback(Source(signal, format: format).callback, input: 1)
    output = StreamFormat(sampleRate: sampleRate, channelCount: 2 * signal.count)
  }
  // The hardware's format is its own.
  for bus in 0..<(unit is DeviceOutput ? 0 : unit.elementCount(.output)) {
    try unit.setStreamFormat(output, .output, element: bus)
  }
  try unit.setMaximumFramesPerSlice(4096)
  try unit.setRenderCallback(Source(signal, format: format).callback, input: 0)
  try unit.initialize()
  return unit
}

/// An impulse of height 1 at frame 0.
func impulse(_ channels: Int = 1, frames: Int = 1) -> Signal {
  Array(repeating: [1] + [Float](repeating: 0, count: frames - 1), count: channels)
}

func sine(hertz: Double, sampleRate: Double, frames: Int, amplitude: Double = 0.5) -> [Float] {
  (0..<frames).map { Float(amplitude * sin(2 * .pi * hertz * Double($0) / sampleRate)) }
}

/// The status that `body` throws, `.noError` where it does not.
func status(_ body: () throws(AudioStatus) -> Void) -> AudioStatus {
  do {
    try body()
    return .noError
  } catch {
    return error
  }
}

extension ParameterTimeline {
  /// A timeline that a test knows to be right.
  static func through(_ points: (Int64, Float)...) -> ParameterTimeline {
    guard let timeline = ParameterTimeline(points.map { Point(frame: $0.0, value: $0.1) }) else {
      preconditionFailure("points in order of time")
    }
    return timeline
  }
}
