import AudioCore
import AudioEngine
import SoundFile

// Channels of a conversion: from which to which, and what they are then.
extension FileConversion.Options {
  /// The gains from the channels of an input to those of the output, and the loudspeakers of these; nil: not known.
  ///
  /// A layout that is asked for, and one or two channels of an input that has more and says what they are, come by the
  /// coefficients of ITU-R BS.775 (``ChannelMixing``); every other number of channels as
  /// ``ChannelMatrix/conventional(inputCount:outputCount:)`` has it.
  /// - Throws: `.usage` where the options contradict one another or the input.
  package func channels(of info: SoundFileInfo) throws(BenchError) -> (matrix: ChannelMatrix, layout: ChannelLayout?) {
    let inputs = info.channelCount
    if let inputLayout, inputLayout.channelCount != inputs {
      throw BenchError(
        .usage, at: info.path,
        "has \(NumberText.count(inputs, "channel")), and the layout \(inputLayout) \(inputLayout.channelCount)",
        advice: "name a layout of as many channels by --layout")
    }
    let source = inputLayout ?? info.layout
    if let matrix = try matrix?(inputs) {
      for wanted in [channelCount, layout?.channelCount] {
        if let wanted, wanted != matrix.outputCount {
          throw BenchError(
            .usage,
            "the channel map gives \(NumberText.count(matrix.outputCount, "channel")), but \(wanted) were asked for",
            advice: "leave one of the two out")
        }
      }
      return (matrix, layout ?? Self.mapped(source, by: matrix))
    }
    if let target = layout ?? downmix(of: source) {
      guard let source else {
        throw BenchError(
          .usage, at: info.path, "its \(inputs) channels have no layout, so that nothing can be made \(target) of them",
          advice: "say what they are by --layout, as --layout 5.1")
      }
      return (ChannelMatrix.between(source, target, effectsGain: effectsGain), target)
    }
    let outputs = channelCount ?? inputs
    return (
      .conventional(inputCount: inputs, outputCount: outputs),
      outputs == inputs ? source : ChannelLayout(channelCount: outputs)
    )
  }

  /// Mono or stereo, where so many channels were asked for and the input has more, whose loudspeakers are known.
  private func downmix(of source: ChannelLayout?) -> ChannelLayout? {
    guard let channelCount, let source, source.channelCount > 2,
      !source.labels.allSatisfy(ChannelLayout.isWithoutPosition)
    else { return nil }
    return ChannelLayout(channelCount: channelCount)
  }

  /// The loudspeakers of channels that come one by one from others; nil where one comes twice or from none.
  private static func mapped(_ source: ChannelLayout?, by matrix: ChannelMatrix) -> ChannelLayout? {
    let usual = ChannelLayout(channelCount: matrix.outputCount)
    guard let source, source.channelCount > 2, let map = matrix.map, Set(map).count == map.count, !map.contains(-1)
    else { return usual }
    return source.reordered(map.map(Int.init))
  }

  /// The words about an input that says other loudspeakers than the options do; nil: it does not.
  package func layoutWarning(of info: SoundFileInfo) -> String? {
    guard let inputLayout, let stated = info.layout, info.channelCount > 2, !stated.isSame(as: inputLayout) else {
      return nil
    }
    return "\(info.path): its header says \(stated), and it is taken for \(inputLayout), as --layout says"
  }
}

extension SoundFileWriteReport {
  /// Values of the channels as they were written, in the order in which they lie in the file.
  package func inFileOrder<Value>(_ values: [Value]) -> [Value] {
    guard let order = channelOrder, values.count == order.count else { return values }
    return order.map { values[$0] }
  }

  /// The warning about loudspeakers that the file cannot say.
  package var layoutWarning: [String] { layoutRemark.map { ["\(path): \($0)"] } ?? [] }
}
