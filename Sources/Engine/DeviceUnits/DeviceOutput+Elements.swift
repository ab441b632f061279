import AudioCore
import AudioEngine
import Hardware
import SampleRate

/// The set-up of both elements when the unit is initialized.
extension DeviceOutput {
  /// Makes the render half of the input element. While open only.
  func prepareInput() throws(AudioStatus) {
    let (format, appFormat) = (inputs[1].format, outputs[1].format)
    let matrix = try matrix(
      inputElement.map, from: format.channelCount, to: appFormat.channelCount, "input")
    let node = try makeConverter(
      "input", from: format, to: appFormat, options: FormatConverter.Options(quality: quality, channels: matrix))
    inputElement.prepare(
      node, hardware.scenario == nil ? nil : makeMicrophoneFeed(), from: format, voice: voice,
      maximumFrames: maximumFramesPerSlice)
    try renewVoice()
  }

  /// The queue keeps frames back for what either conversion reads ahead: an app may pull its microphone from the
  /// callback that it is asked for output in.
  private func makeMicrophoneFeed() -> MicrophoneFeed {
    let deviceRate = hardware.configuration.sampleRate
    let held =
      readAheadFrames(from: deviceRate, to: outputs[1].format.sampleRate)
      + readAheadFrames(from: inputs[0].format.sampleRate, to: deviceRate)
    return MicrophoneFeed(channelCount: inputs[1].format.channelCount, heldFrames: held)
  }

  /// The frames that a conversion of rates reads ahead, in frames of the hardware.
  func readAheadFrames(from input: Double, to output: Double) -> Int {
    guard input != output,
      let converter = try? RateConverter(
        from: input, to: output, channelCount: 1, quality: quality, maximumOutputFrames: 1)
    else { return 0 }
    return Int(clamping: (Double(converter.readAheadFrames) * hardware.configuration.sampleRate / input).rounded(.up))
      + 2
  }

  /// Makes the echo canceller of a voice processor that records under a scenario.
  func renewVoice() throws(AudioStatus) {
    guard kind == .voiceProcessing, isInputEnabled, let scenario = hardware.scenario else {
      return voice.discardUplink()
    }
    do {
      try voice.makeUplink(
        inputs[1].format, cycleFrames: scenario.device.slices.max() ?? hardware.configuration.bufferFrames)
    } catch {
      preparationFailure = error
      throw .failedInitialization
    }
  }

  /// The channel matrix of an element's map; the conventional one without a map.
  func matrix(
    _ map: [Int32]?, from inputCount: Int, to outputCount: Int, _ element: String
  ) throws(AudioStatus) -> ChannelMatrix {
    guard let map else { return .conventional(inputCount: inputCount, outputCount: outputCount) }
    if map.count == outputCount, let matrix = ChannelMatrix(map: map.map(Int.init), inputCount: inputCount) {
      return matrix
    }
    preparationFailure = BenchError(
      .graph, at: "channel map of the \(element)",
      "[\(map.map(String.init).joined(separator: ", "))] does not lead from \(inputCount) to \(outputCount) channels",
      advice: "one entry for each channel that is written; channels count from 0, -1 is silence")
    throw .formatNotSupported
  }

  func discardInput() {
    inputElement.discard()
    voice.discardUplink()
  }
}
