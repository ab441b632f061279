// A reader of its own that takes the bytes of an AIFF file for little-endian numbers, as those of a WAV file are.

import AVFAudioFiles
import Foundation

func bigEndianBytes(isMended: Bool, files: SoundFiles) throws {
  let file = try AVAudioFile(forReading: files.input)
  let frames = AVAudioFrameCount(clamping: file.length)
  let buffer = try need(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: frames), "a buffer")
  if isMended {
    try file.read(into: buffer)
  } else {
    let bytes = [UInt8](try Data(contentsOf: files.input))
    let body = bytes.suffix(Int(frames) * 2)
    let samples = try need(buffer.floatChannelData, "samples")[0]
    for frame in 0..<Int(frames) {
      let at = body.startIndex + frame * 2
      samples[frame] = Float(Int16(truncatingIfNeeded: Int(body[at]) | Int(body[at + 1]) << 8)) / 32_768
    }
    buffer.frameLength = frames
  }
  let output = try AVAudioFile(forWriting: files.output, settings: file.processingFormat.settings)
  try output.write(from: buffer)
}
