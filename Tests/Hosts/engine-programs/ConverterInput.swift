// A long file in pieces through one converter, whose input block says "end of stream" at the end of each piece:
// stackoverflow.com/questions/64553738. The converter ends there, and gives nothing of the pieces that follow.

import AVFoundation

func converterInput(isMended: Bool, files: SoundFiles) throws {
  let file = try AVAudioFile(forReading: files.input)
  let wanted = try need(
    AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: 16_000, channels: 1, interleaved: false), "a format")
  let converter = try need(AVAudioConverter(from: file.processingFormat, to: wanted), "a converter")
  let output = try AVAudioFile(forWriting: files.output, settings: wanted.settings)
  let piece = try need(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 4096), "a buffer")
  let converted = try need(AVAudioPCMBuffer(pcmFormat: wanted, frameCapacity: 4096), "a buffer")
  var isOver = false
  while !isOver {
    var given = false
    var problem: NSError?
    let status = converter.convert(to: converted, error: &problem) { _, status in
      if given {
        status.pointee = isMended ? .noDataNow : .endOfStream
        return nil
      }
      guard file.framePosition < file.length, (try? file.read(into: piece)) != nil else {
        status.pointee = .endOfStream
        return nil
      }
      given = true
      status.pointee = .haveData
      return piece
    }
    if let problem { throw problem }
    if converted.frameLength > 0 { try output.write(from: converted) }
    isOver = status == .endOfStream || !isMended && file.framePosition >= file.length
  }
}
