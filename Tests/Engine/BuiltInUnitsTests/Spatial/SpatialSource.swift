import AudioCore
import AudioEngine
import BuiltInUnits
import UnitTestSupport

/// A spatial mixer at 48 kHz with one input and a source in it, initialized.
func spatialMixer(
  _ signal: Signal, outputs: Int = 2, layout: SpatialMixer.Layout = .spatial,
  _ prepare: (SpatialMixer) throws -> Void = { _ in }
) throws -> SpatialMixer {
  let mixer = SpatialMixer(layout, inputs: 1)
  let source = Source(signal, sampleRate: 48_000)
  try mixer.setStreamFormat(source.format, .input)
  try mixer.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: outputs), .output)
  try mixer.setRenderCallback(source.callback, input: 0)
  try prepare(mixer)
  try mixer.initialize()
  return mixer
}
