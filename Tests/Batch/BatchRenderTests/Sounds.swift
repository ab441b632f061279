// Helpers that the tests of this target share: sound files with known samples, graphs as text, and the errors that they
// throw.

import BatchRender
import Glibc
import TestSupport
import Testing

/// Foundation has a `Unit` of its own.
typealias Unit = AudioEngine.Unit

/// Channels of noise, each its own.
func noise(_ channels: Int = 2, frames: Int, seed: UInt64 = 1, amplitude: Float = 0.5) -> [[Float]] {
  (0..<channels).map { channel in
    var generator = SeededGenerator(seed: seed &* 1009 &+ UInt64(channel))
    return generator.noise(frames: frames, amplitude: amplitude)
  }
}

extension PlanarBuffer {
  convenience init(_ channels: [[Float]]) {
    self.init(channelCount: channels.count, frameCapacity: channels.first?.count ?? 0)
    for (channel, samples) in channels.enumerated() { self[channel].update(from: samples) }
  }
}

/// Writes a sound file whose kind follows from its name.
@discardableResult
func writeSound(
  _ path: String, _ channels: [[Float]], rate: Double = 44_100, encoding: SoundFileEncoding? = nil,
  options: SoundFileWriterOptions = SoundFileWriterOptions()
) throws -> String {
  var format = try SoundFileFormat(path: path)
  if let encoding { format.encoding = encoding }
  let buffer = PlanarBuffer(channels)
  let writer = try SoundFileWriter(
    path: path, format: format, sampleRate: rate, channelCount: channels.count,
    expectedFrames: Int64(buffer.frameCapacity), options: options)
  try writer.write(buffer.planes, frames: buffer.frameCapacity)
  _ = try writer.finish()
  return path
}

/// All samples of a sound file.
func readSound(_ path: String) throws -> [[Float]] {
  let reader = try SoundFileReader(path: path)
  let frames = Int(reader.info.frameCount)
  let buffer = PlanarBuffer(channelCount: reader.info.channelCount, frameCapacity: frames)
  #expect(try reader.read(into: buffer.planes, frames: frames) == frames)
  return (0..<reader.info.channelCount).map { Array(buffer[$0].prefix(frames).elements) }
}

/// The text of a graph file.
func graphText(rate: Int = 44_100, _ nodes: [String], _ connections: [String], more: String = "") -> String {
  """
  { "version": 1, "sampleRate": \(rate), \(more)
    "nodes": [ \(nodes.joined(separator: ",\n    ")) ],
    "connections": [ \(connections.map { "\"\($0)\"" }.joined(separator: ", ")) ] }
  """
}

/// The `BenchError` that `body` throws, if any.
func failure(_ body: () throws -> Void) -> BenchError? {
  do {
    try body()
    return nil
  } catch {
    return error as? BenchError
  }
}

func expect(
  _ error: BenchError?, _ kind: BenchError.Kind, _ words: [String], _ what: String = "",
  place: SourceLocation = #_sourceLocation
) {
  guard let error else {
    Issue.record("nothing was thrown: \(what)", sourceLocation: place)
    return
  }
  #expect(error.kind == kind, "\(error)", sourceLocation: place)
  for word in words { #expect("\(error)".contains(word), "no \(word) in: \(error)", sourceLocation: place) }
}

/// A graph of one callback, with a closed form, into an output unit.
func callbackGraph(
  rate: Double = 48_000, channels: Int = 2, effect: Unit? = nil,
  _ value: @escaping (_ frame: Int64, _ channel: Int) -> Float
) throws -> Graph {
  let graph = Graph(sampleRate: rate)
  let source = try graph.add(effect ?? NBandEQ(numberOfBands: 0), as: "source")
  try source.setStreamFormat(StreamFormat(sampleRate: rate, channelCount: channels), .input)
  try source.setRenderCallback(
    RenderCallback { time, _, frames, buffer in
      for channel in 0..<buffer.count {
        for frame in 0..<frames { buffer.planes[channel][frame] = value(time + Int64(frame), channel) }
      }
      return .noError
    }, input: 0)
  try graph.connect(source, to: try graph.add(GenericOutput(), as: "out"))
  return graph
}

extension OfflineRenderer.Options {
  init(_ length: RenderLength, slice: Int? = nil, threads: Int = 1) {
    self.init()
    self.length = length
    sliceFrames = slice
    self.threads = threads
  }
}
