import AudioCore
import AudioEngine
import BuiltInUnits
import Testing
import UnitTestSupport

/// The splitters: frames pass bit for bit.
@Suite struct SplitterTests {
  private func channels(_ unit: Unit, output bus: Int, at time: Int64, frames: Int) throws -> Signal {
    let output = try unit.render(output: bus, sampleTime: time, frames: frames)
    return (0..<output.count).map { Array(output.planes[$0].prefix(frames).elements) }
  }

  private func splitter(_ unit: Unit, _ source: Source) throws -> Unit {
    try unit.setStreamFormat(source.format, .input)
    for bus in 0..<unit.elementCount(.output) { try unit.setStreamFormat(source.format, .output, element: bus) }
    try unit.setRenderCallback(source.callback, input: 0)
    try unit.initialize()
    return unit
  }

  @Test("every output is the input, from one render of it", arguments: [2, 1, 5, 64])
  func outputs(_ count: Int) throws {
    let signal = noise(3, frames: 1000)
    let source = Source(signal)
    let unit = try splitter(count == 2 ? Splitter() : MultiSplitter(outputs: count), source)
    for slice in 0..<10 {
      // In any order, and an output without a reader.
      for bus in (0..<count).reversed() where bus != 3 {
        let heard = try channels(unit, output: bus, at: Int64(slice * 100), frames: 100)
        #expect(heard == signal.map { Array($0[slice * 100..<(slice + 1) * 100]) }, "output \(bus), slice \(slice)")
      }
      #expect(source.pulls == slice + 1)
    }
    #expect(
      status { () throws(AudioStatus) in _ = try unit.render(output: count, sampleTime: 0, frames: 1) }
        == .invalidElement)
  }

  @Test("all buses of a splitter have one format")
  func formats() throws {
    let unit = Splitter()
    try unit.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: 1), .output, element: 1)
    #expect(status { () throws(AudioStatus) in try unit.initialize() } == .formatNotSupported)
    try unit.setStreamFormat(.init(sampleRate: 44_100, channelCount: 2), .output, element: 1)
    try unit.initialize()
    #expect(status { () throws(AudioStatus) in _ = try unit.render(sampleTime: 0, frames: 10) } == .noConnection)
  }
}

/// What a unit answers when it is initialized.
func initializing(_ unit: Unit) -> AudioStatus { status { () throws(AudioStatus) in try unit.initialize() } }
