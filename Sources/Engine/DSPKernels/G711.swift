// The two telephone codes, eight bits a sample, from and to 16-bit integers. Any thread; no allocation.
// Law: ITU-T G.711; samples are scaled to 16 bits as the ITU's reference software (G.191) scales them, and like there
// a negative sample is coded by its one's complement.

import AudioCore

/// µ-law or A-law: eight bits on a curve of straight pieces, each twice as steep as the one before.
///
/// A code is decoded to the middle of its interval, so that decoding and coding again gives the same code (of the two
/// zeros of µ-law, 0x7F and 0xFF, the second).
package enum G711: Sendable {
  case muLaw, aLaw

  /// The 16-bit sample of a code.
  package func decode(_ code: UInt8) -> Int16 {
    switch self {
    case .muLaw:
      // Stored inverted: sign, three bits of segment, four of step. The curve starts 132 below its first segment.
      let bits = Int32(~code)
      let magnitude = ((bits & 0x0F) << 3 + 0x84) << ((bits & 0x70) >> 4) - 0x84
      return Int16(bits & 0x80 != 0 ? -magnitude : magnitude)
    case .aLaw:
      // Stored with every other bit inverted; the two lowest segments have the same step.
      let bits = Int32(code ^ 0x55)
      let segment = (bits & 0x70) >> 4
      let step = (bits & 0x0F) << 4 + 8
      let magnitude = segment == 0 ? step : (step + 0x100) << (segment - 1)
      return Int16(bits & 0x80 != 0 ? magnitude : -magnitude)
    }
  }

  /// The code of a 16-bit sample; what lies beyond the last interval gets the last code.
  package func encode(_ sample: Int16) -> UInt8 {
    let isNegative = sample < 0
    let magnitude = Int32(isNegative ? ~sample : sample)
    switch self {
    case .muLaw:
      let biased = min(magnitude >> 2, 0x1FDE) + 33
      let segment = 26 - Int32(biased.leadingZeroBitCount)
      let step = biased >> (segment + 1) & 0x0F
      return ~UInt8(truncatingIfNeeded: (isNegative ? 0x80 : 0) | segment << 4 | step)
    case .aLaw:
      let steps = magnitude >> 4
      let segment = max(0, 28 - Int32(steps.leadingZeroBitCount))
      let step = (segment > 1 ? steps >> (segment - 1) : steps) & 0x0F
      return UInt8(truncatingIfNeeded: (isNegative ? 0 : 0x80) | segment << 4 | step) ^ 0x55
    }
  }
}
