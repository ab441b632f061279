// A generator that moves its phase on by 512 frames in each call, whatever number of frames the call asks for:
// github.com/AudioKit/AudioKit/issues/1990 is of a tap with the same belief. Hardware that asks for 92 or 93 gets a
// sound that jumps at every call.

import AVFoundation

func assumedSlice(isMended: Bool, files: SoundFiles) throws {
  let engine = AVAudioEngine()
  let format = try need(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1), "a format")
  var first = 0
  let source = AVAudioSourceNode(format: format) { _, _, frames, list in
    let output = UnsafeMutableAudioBufferListPointer(list)[0].mData?.assumingMemoryBound(to: Float.self)
    for frame in 0..<Int(frames) {
      output?[frame] = Float(0.5 * sin(2 * Double.pi * 441 * Double(first + frame) / 44_100))
    }
    first += isMended ? Int(frames) : 512
    return noErr
  }
  engine.attach(source)
  engine.connect(source, to: engine.outputNode, format: format)
  try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
  try engine.start()
  let output = try AVAudioFile(forWriting: files.output, settings: format.settings)
  let slice = try need(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512), "a buffer")
  for call in 0..<300 {
    _ = try engine.renderOffline([93, 93, 92][call % 3], to: slice)
    try output.write(from: slice)
  }
}
