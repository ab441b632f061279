import AudioCore
import HRTF

extension HeadResponses {
  /// The filters of a direction as arrays of `count` taps.
  func write(
    azimuth: Double, elevation: Double, gain: Double, count: Int, left: inout [Float], right: inout [Float]
  ) -> (left: Double, right: Double) {
    let ears = PlanarBuffer(channelCount: 2, frameCapacity: count)
    defer { (left, right) = (Array(ears[0].elements), Array(ears[1].elements)) }
    return write(
      azimuth: azimuth, elevation: elevation, gain: gain, count: count, left: ears[0], right: ears[1])
  }
}
