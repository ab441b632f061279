import AudioCore
import AudioEngine
import SoundFile

// Sound that is in the input of a conversion and not in its output, which nobody has asked for by a map.
extension FileConversion.Options {
  /// Channels of an input, from 0 on, of which nothing is in an output of so many channels. None where ``matrix`` says what goes
  /// where.
  public func droppedChannels(of input: SoundFileInfo, outputChannelCount: Int) -> [Int] {
    guard matrix == nil else { return [] }
    let conventional = ChannelMatrix.conventional(inputCount: input.channelCount, outputCount: outputChannelCount)
    return (0..<input.channelCount).filter { channel in
      (0..<outputChannelCount).allSatisfy { conventional.gains[$0 * input.channelCount + channel] == 0 }
    }
  }

  /// What a user must know of them.
  package func channelWarning(of input: SoundFileInfo, outputChannelCount: Int) -> [String] {
    let dropped = droppedChannels(of: input, outputChannelCount: outputChannelCount)
    guard !dropped.isEmpty else { return [] }
    let names = input.channelNames
    let shown = dropped.prefix(32).map { channel in "\(channel)" + (names.map { " (\($0[channel]))" } ?? "") }
    return [
      "\(input.path): \(dropped.count) of its \(input.channelCount) channels are dropped: "
        + shown.joined(separator: ", ") + (dropped.count > 32 ? ", ..." : "")
        + "; --map chooses others, and a graph with a matrixMixer mixes them"
    ]
  }
}

extension SoundFileInfo {
  /// What the channels of WAV and FLAC stand for, by their number; nil where that is not settled.
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
