/// Planes in another order. One caller at a time; no allocation after it has been made.
public final class ChannelOrder {
  /// The channel that becomes number n, for each n.
  public let order: [Int]
  private let floats: PlaneAddresses<Float>
  private let doubles: PlaneAddresses<Double>

  /// - Precondition: `order` has each number from 0 on, once.
  public init(_ order: [Int]) {
    precondition(order.sorted().elementsEqual(order.indices))
    self.order = order
    floats = PlaneAddresses(channelCount: order.count)
    doubles = PlaneAddresses(channelCount: order.count)
  }

  /// The planes in that order, until the next call.
  public func planes(_ planes: Planes<Float>) -> Planes<Float> { floats.planes(planes, in: order) }
  /// As the one for Float.
  public func planes(_ planes: Planes<Double>) -> Planes<Double> { doubles.planes(planes, in: order) }

  /// As the ones for Float and Double.
  public func planes<Sample>(_ planes: Planes<Sample>) -> Planes<Sample> {
    if let floats = planes as? Planes<Float>, let result = self.planes(floats) as? Planes<Sample> { return result }
    if let doubles = planes as? Planes<Double>, let result = self.planes(doubles) as? Planes<Sample> { return result }
    preconditionFailure("samples are Float or Double")
  }
}
