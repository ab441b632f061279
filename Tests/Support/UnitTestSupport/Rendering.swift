// What the tests of units and of what renders them share: signals, sources that deliver them by the clock, and renders
// cut in a given way.

import AudioCore
import AudioEngine
import BuiltInUnits
import DeviceUnits
import DSPKernels
import Glibc
import TestSupport

/// Foundation has a `Unit` of its own.
package typealias Unit = AudioEngine.Unit

/// Channels of samples.
package typealias Signal = [[Float]]

/// Uniform noise, each channel its own.
package func noise(_ channels: Int = 2, frames: Int, seed: UInt64 = 1, amplitude: Float = 0.5) -> Signal {
  (0..<channels).map { channel in
    var generator = SeededGenerator(seed: seed &* 1009 &+ UInt64(channel))
    return generator.noise(frames: frames, amplitude: amplitude)
  }
}

/// A stream that is there from frame 0 on, and silence before and behind it, in any PCM format.
///
/// A source that depends on the sample time alone. It counts its calls, and remembers the last one.
package final class Source: @unchecked Sendable {
  package let format: StreamFormat
  private let frames: Int
  private let planes: StreamBuffer
  package private(set) var pulls = 0
  package private(set) var framesPulled = 0
  package private(set) var firstTime: Int64?
  package private(set) var longestPull = 0

  package init(_ signal: Signal, format: StreamFormat) {
    precondition(signal.count == format.channelCount)
    self.format = format
    frames = signal[0].count
    planes = StreamBuffer(format: format, frameCapacity: frames)
    for (channel, samples) in signal.enumerated() {
      let bytes = format.encoding.containerBytes
      let destination = format.isInterleaved ? planes.bus.buffers[0] + channel * bytes : planes.bus.buffers[channel]
      PCMCodec.encode(samples.plane, frames: frames, as: format.encoding, to: destination, stride: format.bytesPerFrame)
    }
  }

  package convenience init(_ signal: Signal, sampleRate: Double = 44_100) {
    self.init(signal, format: StreamFormat(sampleRate: sampleRate, channelCount: signal.count))
  }

  package var callback: RenderCallback {
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

/// The act of a host between two slices, at a fixed frame.
package struct HostEvent: Sendable {
  package let frame: Int
  package let action: @Sendable (Unit) throws -> Void

  package init(frame: Int, action: @escaping @Sendable (Unit) throws -> Void) {
    (self.frame, self.action) = (frame, action)
  }
}

/// The bytes of every buffer of output 0, slice after slice, for `total` frames from `start` on.
package func rendered(
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
package func renderedSignal(
  _ unit: Unit, total: Int, from start: Int64 = 0, in partition: Partition = .reference, events: [HostEvent] = []
) throws -> Signal {
  let format = try unit.streamFormat(.output)
  precondition(format.isFloatPlanar)
  return try rendered(unit, total: total, from: start, in: partition, events: events).map(floats)
}

/// Bytes as the samples that they are.
package func floats(_ bytes: [UInt8]) -> [Float] {
  bytes.withUnsafeBytes { raw in (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) } }
}

/// A unit with one input, fed with a signal, its formats those of the signal at `sampleRate`, ready to render.
package func fed<Kind: Unit>(_ unit: Kind, _ signal: Signal, sampleRate: Double = 44_100) throws -> Kind {
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

/// A unit that is still open, with both formats at a rate.
package func opened<Kind: Unit>(_ unit: Kind, rate: Double, channels: Int = 1) throws -> Kind {
  let format = StreamFormat(sampleRate: rate, channelCount: channels)
  for scope in [Scope.input, .output] { try unit.setStreamFormat(format, scope) }
  return unit
}

extension Unit {
  /// Sets global parameters by their ids.
  package func setParameters(_ values: [UInt32: Float]) throws {
    for (id, value) in values { try setParameter(ParameterAddress(id), to: value) }
  }
}

/// An impulse of height 1 at frame 0.
package func impulse(_ channels: Int = 1, frames: Int = 1) -> Signal {
  Array(repeating: [1] + [Float](repeating: 0, count: frames - 1), count: channels)
}

/// A sine from phase 0 on.
package func sine(hertz: Double, sampleRate: Double, frames: Int, amplitude: Double = 0.5) -> [Float] {
  (0..<frames).map { Float(amplitude * sin(2 * .pi * hertz * Double($0) / sampleRate)) }
}

/// The status that `body` throws, `.noError` where it does not.
package func status(_ body: () throws(AudioStatus) -> Void) -> AudioStatus {
  do {
    try body()
    return .noError
  } catch {
    return error
  }
}

/// The number that a unit answers when a property is set.
package func setting(
  _ unit: Unit, _ id: PropertyID, _ scope: Scope = .global, element: Int = 0, to value: PropertyValue
) -> Int32 {
  status { () throws(AudioStatus) in try unit.setProperty(id, scope, element: element, to: value) }.rawValue
}

/// The number that a unit answers when a property is read.
package func getting(_ unit: Unit, _ id: PropertyID, _ scope: Scope = .global, element: Int = 0) -> Int32 {
  status { () throws(AudioStatus) in _ = try unit.property(id, scope, element: element) }.rawValue
}

/// Finite numbers far beyond and at the edges of what parameters take.
package let extremeFloats: [Float] = [
  0, -0.0, -1, 1e-30, -1e30, 1e30, 1e-6, 20, 22_049, 22_050, 44_100, .greatestFiniteMagnitude,
  -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
]

extension ParameterTimeline {
  /// A timeline that a test knows to be right.
  package static func through(_ points: (Int64, Float)...) -> ParameterTimeline {
    guard let timeline = ParameterTimeline(points.map { Point(frame: $0.0, value: $0.1) }) else {
      preconditionFailure("points in order of time")
    }
    return timeline
  }
}
