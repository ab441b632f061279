/// A place in a delay line that is faded to another one in a straight line.
struct FadedDelay {
  /// Frames of the fade.
  let length: Double
  private var present: Int?
  private var former = 0
  private var start: Int?

  init(length: Double) { self.length = length }

  mutating func restart() { (present, start) = (nil, nil) }

  /// A delay that is wanted from a frame on; during a fade it waits.
  mutating func take(_ wanted: Int, at frame: Int) {
    if let begun = start, Double(frame - begun) >= length { start = nil }
    guard let current = present else {
      present = wanted
      return
    }
    guard start == nil, wanted != current else { return }
    (former, present, start) = (current, wanted, frame)
  }

  /// The delayed sample of a line that ends with the frame before.
  func value(_ line: [Double], at frame: Int) -> Double {
    func sample(_ delay: Int) -> Double { delay <= line.count ? line[line.count - delay] : 0 }
    let new = sample(present ?? 1)
    guard let start else { return new }
    let old = sample(former)
    return old + (new - old) * Double(frame - start + 1) / length
  }
}
