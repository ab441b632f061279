// Conversions of floats to integers that never trap. Numbers from files, options, parameters and third-party code may
// be NaN, infinite or beyond every integer, and `Int(_:)` ends the process on them. So in every file that imports this
// module the conversions of the standard library are deprecated, which is an error in our builds.

extension FixedWidthInteger {
  /// The integer part of `value`, towards 0; the nearest bound where it is beyond the type's range; 0 for NaN.
  ///
  /// Arithmetic on a bound can overflow: check the float first where it may be that large and something is added.
  @inlinable
  package init(clamping value: Double) {
    if Self.isSigned {
      if value >= -0x1p63 && value < 0x1p63 {
        self.init(clamping: Int64.Swift::init(value))
      } else {
        self = value > 0 ? .max : value < 0 ? .min : 0
      }
    } else {
      if value > -1 && value < 0x1p64 {
        self.init(clamping: UInt64.Swift::init(value))
      } else {
        self = value > 0 ? .max : 0
      }
    }
  }

  /// The same of a `Float`.
  @inlinable
  package init(clamping value: Float) { self.init(clamping: Double(value)) }
}

extension Int {
  @available(*, deprecated, renamed: "init(clamping:)")
  package init(_ value: Double) { self.init(clamping: value) }
  @available(*, deprecated, renamed: "init(clamping:)")
  package init(_ value: Float) { self.init(clamping: value) }
}
extension Int64 {
  @available(*, deprecated, renamed: "init(clamping:)")
  package init(_ value: Double) { self.init(clamping: value) }
  @available(*, deprecated, renamed: "init(clamping:)")
  package init(_ value: Float) { self.init(clamping: value) }
}
extension Int32 {
  @available(*, deprecated, renamed: "init(clamping:)")
  package init(_ value: Double) { self.init(clamping: value) }
  @available(*, deprecated, renamed: "init(clamping:)")
  package init(_ value: Float) { self.init(clamping: value) }
}
extension Int16 {
  @available(*, deprecated, renamed: "init(clamping:)")
  package init(_ value: Double) { self.init(clamping: value) }
  @available(*, deprecated, renamed: "init(clamping:)")
  package init(_ value: Float) { self.init(clamping: value) }
}
extension Int8 {
  @available(*, deprecated, renamed: "init(clamping:)")
  package init(_ value: Double) { self.init(clamping: value) }
  @available(*, deprecated, renamed: "init(clamping:)")
  package init(_ value: Float) { self.init(clamping: value) }
}
extension UInt {
  @available(*, deprecated, renamed: "init(clamping:)")
  package init(_ value: Double) { self.init(clamping: value) }
  @available(*, deprecated, renamed: "init(clamping:)")
  package init(_ value: Float) { self.init(clamping: value) }
}
extension UInt64 {
  @available(*, deprecated, renamed: "init(clamping:)")
  package init(_ value: Double) { self.init(clamping: value) }
  @available(*, deprecated, renamed: "init(clamping:)")
  package init(_ value: Float) { self.init(clamping: value) }
}
extension UInt32 {
  @available(*, deprecated, renamed: "init(clamping:)")
  package init(_ value: Double) { self.init(clamping: value) }
  @available(*, deprecated, renamed: "init(clamping:)")
  package init(_ value: Float) { self.init(clamping: value) }
}
extension UInt16 {
  @available(*, deprecated, renamed: "init(clamping:)")
  package init(_ value: Double) { self.init(clamping: value) }
  @available(*, deprecated, renamed: "init(clamping:)")
  package init(_ value: Float) { self.init(clamping: value) }
}
extension UInt8 {
  @available(*, deprecated, renamed: "init(clamping:)")
  package init(_ value: Double) { self.init(clamping: value) }
  @available(*, deprecated, renamed: "init(clamping:)")
  package init(_ value: Float) { self.init(clamping: value) }
}

extension FixedWidthInteger {
  /// The sum; the nearest bound where it is beyond the type's range: for numbers that come from outside.
  @inlinable
  package func clampedSum(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    guard overflow else { return sum }
    return other < 0 ? .min : .max
  }

  /// The product; the nearest bound where it is beyond the type's range.
  @inlinable
  package func clampedProduct(_ other: Self) -> Self {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    guard overflow else { return product }
    return (self < 0) == (other < 0) ? .max : .min
  }
}
