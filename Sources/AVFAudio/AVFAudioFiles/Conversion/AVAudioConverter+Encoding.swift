// The settings of encoders. No converter here makes compressed packets yet: these are the answers that Apple documents for
// an output that is PCM.

import AudioCore
import CAudioToolbox
import Foundation

extension AVAudioConverter {
  /// Bits a second of an encoder; 0 without one. Setting it does nothing.
  public var bitRate: Int {
    get { 0 }
    set {}
  }

  /// ``AVAudioBitRateStrategy_Constant`` and the like, of an encoder; nil without one. Setting it does nothing.
  public var bitRateStrategy: String? {
    get { nil }
    set {}
  }

  /// Bytes of the largest packet of the output.
  public var maximumOutputPacketSize: Int { Int(outputFormat.streamDescription.pointee.mBytesPerPacket) }

  /// The bit rates of an encoder, whatever the rate; nil without one.
  public var availableEncodeBitRates: [NSNumber]? { nil }
  /// The bit rates of an encoder for the present formats; nil without one.
  public var applicableEncodeBitRates: [NSNumber]? { nil }
  /// The sample rates of an encoder; nil without one.
  public var availableEncodeSampleRates: [NSNumber]? { nil }
  /// The sample rates of an encoder for the present formats; nil without one.
  public var applicableEncodeSampleRates: [NSNumber]? { nil }
  /// The layouts of an encoder; nil without one.
  public var availableEncodeChannelLayoutTags: [NSNumber]? { nil }
}
