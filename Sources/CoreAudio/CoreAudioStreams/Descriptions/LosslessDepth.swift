import CAudioToolbox

extension AudioFormatFlags {
  /// The flags of lossless codecs: how deep the samples were that went in; 0: not said.
  package static func depth(_ bits: Int?) -> AudioFormatFlags {
    switch bits {
    case 16: 1
    case 20: 2
    case 24: 3
    case 32: 4
    default: 0
    }
  }
}
