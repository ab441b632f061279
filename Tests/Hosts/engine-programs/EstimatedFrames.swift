// Buffers of a recording converted one by one, each to as many frames as the ratio of the rates makes of it, rounded
// down: github.com/soniqo/speech-swift/pull/429. 1024 frames at 48 kHz are 341⅓ at 16 kHz, so that one frame in a
// thousand is missing, or a second in a quarter of an hour.

import AVFoundation

func estimatedFrames(isMended: Bool, files: SoundFiles) throws {
  let file = try AVAudioFile(forReading: files.input)
  let wanted = try need(
    AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: 16_000, channels: 1, interleaved: false), "a format")
  let ratio = wanted.sampleRate / file.processingFormat.sampleRate
  let kept = try need(AVAudioConverter(from: file.processingFormat, to: wanted), "a converter")
  let output = try AVAudioFile(forWriting: files.output, settings: wanted.settings)
  let piece = try need(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 1024), "a buffer")
  while file.framePosition < file.length {
    try file.read(into: piece)
    let isLast = file.framePosition >= file.length
    let converter = isMended ? kept : try need(AVAudioConverter(from: file.processingFormat, to: wanted), "a converter")
    // Room for what a filter still holds; the converter says how much it has made.
    let frames = AVAudioFrameCount(Double(piece.frameLength) * ratio) + (isMended ? 64 : 0)
    let converted = try need(AVAudioPCMBuffer(pcmFormat: wanted, frameCapacity: frames), "a buffer")
    var given = false
    var status = AVAudioConverterOutputStatus.haveData
    repeat {
      var problem: NSError?
      status = converter.convert(to: converted, error: &problem) { _, status in
        if given {
          status.pointee = isMended && !isLast ? .noDataNow : .endOfStream
          return nil
        }
        given = true
        status.pointee = .haveData
        return piece
      }
      if let problem { throw problem }
      if converted.frameLength > 0 { try output.write(from: converted) }
    } while isMended && isLast && status == .haveData
  }
}
