import AVFAudioFiles
import Foundation

extension AVAudioSession {
  /// The treatment of sound of several channels on its way to the ports.
  public enum RenderingMode: Int, Sendable {
    /// None that a program could ask for.
    case notApplicable = 0
    /// One channel or two.
    case monoStereo = 1
    /// A surround format.
    case surround = 2
    /// In place of Dolby, where the hardware has none.
    case spatialAudio = 3
    case dolbyAudio = 4
    case dolbyAtmos = 5
  }

  /// Not applicable, as documented for all that is played by other means than those of video players.
  public var renderingMode: RenderingMode { .notApplicable }

  /// The layouts that the hardware has channels for, of stereo, 5.1 (AAC) and 7.1 (MPEG, C). Empty for a single channel, and
  /// where the category does not play.
  public var supportedOutputChannelLayouts: [AVAudioChannelLayout] {
    [(kAudioChannelLayoutTag_Stereo, 2), (kAudioChannelLayoutTag_AAC_5_1, 6), (kAudioChannelLayoutTag_MPEG_7_1_C, 8)]
      .filter { $0.1 <= outputNumberOfChannels }.compactMap { AVAudioChannelLayout(layoutTag: $0.0) }
  }
}
