import AudioCore
import AudioEngine
import SoundFile

// Channels of a conversion's input that are not in its output, although no map leaves them out.
extension FileConversion.Options {
  /// Channels of an input, from 0 on, of which nothing is in an output of so many channels. None where ``matrix`` says
  /// what goes where.
  public func droppedChannels(of input: SoundFileInfo, outputChannelCount: Int) -> [Int] {
    guard matrix == nil, let (gains, _) = try? channels(of: input), gains.outputCount == outputChannelCount else {
      return []
    }
    let labels = (inputLayout ?? input.layout)?.labels
    // Low frequency effects are left out of layouts without them by the standard.
    let isByStandard = gains != .conventional(inputCount: input.channelCount, outputCount: outputChannelCount)
    return (0..<input.channelCount).filter { channel in
      if isByStandard, let labels, ChannelLayout.isLowFrequency(labels[channel]) { return false }
      return (0..<outputChannelCount).allSatisfy { gains.gains[$0 * input.channelCount + channel] == 0 }
    }
  }

  /// The warning about them for the user.
  package func channelWarning(of input: SoundFileInfo, outputChannelCount: Int) -> [String] {
    let dropped = droppedChannels(of: input, outputChannelCount: outputChannelCount)
    guard !dropped.isEmpty else { return [] }
    let names = (inputLayout ?? input.layout)?.fullNames ?? input.channelNames
    let shown = dropped.prefix(32).map { channel in "\(channel)" + (names.map { " (\($0[channel]))" } ?? "") }
    return [
      "\(input.path): \(dropped.count) of its \(input.channelCount) channels are dropped: "
        + shown.joined(separator: ", ") + (dropped.count > 32 ? ", ..." : "")
        + "; --map chooses others, and a graph with a matrixMixer mixes them"
    ]
  }
}

extension SoundFileInfo {
  /// The usual names of so many channels in WAV and FLAC, for files that do not say them; nil if there are none.
  fileprivate var channelNames: [String]? {
    switch container {
    case .wav, .wavex, .rf64, .w64, .flac: break
    default: return nil
    }
    let front = ["left", "right", "centre"]
    return switch channelCount {
    case 4: ["left", "right", "left surround", "right surround"]
    case 5: front + ["left surround", "right surround"]
    case 6: front + ["low frequencies", "left surround", "right surround"]
    case 8: front + ["low frequencies", "left back", "right back", "left side", "right side"]
    default: nil
    }
  }
}
