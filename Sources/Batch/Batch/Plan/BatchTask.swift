import AudioCore
import BatchRender

/// The outputs that a batch makes in one step from some inputs.
package struct BatchTask: Sendable {
  /// An output: the whole, or a piece of it.
  package struct Output: Sendable {
    package let path: String
    /// Seconds of the input; nil: all of it.
    package let cut: (start: Double, end: Double?)?
    /// Texts that are set, by the names of tags; an empty one takes the tag away.
    package let tags: [String: String]
  }

  /// The file for each player, by its node; those of a conversion have no node, and several are summed.
  package let inputs: [(node: String, path: String)]
  /// Nil: a conversion.
  package let graph: String?
  package let settings: [WrittenSetting]
  /// At least one; several where it is split.
  package let outputs: [Output]
  /// The cue sheet or table by which it is split.
  package let cuePath: String?
  /// Their picture.
  package let coverPath: String?
  /// The album, whose tasks get one gain: see ``Finishing/Loudness``.
  package let album: String?

  /// The first input, or the graph, for errors.
  package var place: String { inputs.first?.path ?? graph ?? name }

  /// The name in messages: the only output, or the first of several.
  package var name: String { outputs[0].path }
}
