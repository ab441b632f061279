import AudioCore
import AudioEngine
import DSPKernels
import Testing

/// Silence as each encoding says it: the middle of those without a sign.
@Suite struct StreamBufferTests {
  private static let encodings =
    [SampleEncoding.float32, .float64, .int16]
    + [8, 16, 24, 32].map { SampleEncoding(kind: .unsignedInteger, bits: $0) }

  private func isSilent(_ bus: BusBuffer, _ format: StreamFormat, frames: Int) -> Bool {
    let plane = FlatMemory<Float>(repeating: .nan, count: frames * (format.isInterleaved ? format.channelCount : 1))
    return (0..<bus.count).allSatisfy { index in
      PCMCodec.decode(
        bus.buffers[index], as: format.encoding, stride: format.encoding.containerBytes, frames: plane.count,
        into: plane.all)
      return plane.all.elements.allSatisfy { $0 == 0 }
    }
  }

  @Test("A fresh buffer is silent, and so is one that was filled", arguments: encodings, [true, false])
  func buffers(encoding: SampleEncoding, isInterleaved: Bool) {
    let format = StreamFormat(sampleRate: 48_000, channelCount: 3, encoding: encoding, isInterleaved: isInterleaved)
    let buffer = StreamBuffer(format: format, frameCapacity: 100)
    #expect(isSilent(buffer.bus, format, frames: 100))
    for index in 0..<buffer.bus.count {
      buffer.bus.buffers[index].initializeMemory(as: UInt8.self, repeating: 0x55, count: 100 * format.bytesPerFrame)
    }
    buffer.bus.fillWithSilence(format, frames: 77)
    #expect(isSilent(buffer.bus, format, frames: 77))
    #expect(buffer.bus.buffers[0].load(fromByteOffset: 77 * format.bytesPerFrame, as: UInt8.self) == 0x55)
    buffer.bus.fillWithSilence(format, frames: 0)
  }
}
