import AudioCore
import TestSupport
import Testing

@Suite("Conversions of floats to integers never trap")
struct FloatConversionTests {
  /// The result of Swift's own conversion, if it has one.
  static func known<T: FixedWidthInteger>(_ value: Double, _: T.Type) -> T? { T(exactly: value.rounded(.towardZero)) }

  static func check<T: FixedWidthInteger>(_ type: T.Type) {
    #expect(T(clamping: Double.nan) == 0)
    #expect(T(clamping: -Float.nan) == 0)
    #expect(T(clamping: Double.signalingNaN) == 0)
    for large in [Double.infinity, 1e308, 0x1p64, Double(Float.greatestFiniteMagnitude)] {
      #expect(T(clamping: large) == T.max, "\(large) as \(type)")
      #expect(T(clamping: -large) == T.min, "\(-large) as \(type)")
    }
    #expect(T(clamping: Float.infinity) == T.max)
    #expect(T(clamping: -Float.greatestFiniteMagnitude) == T.min)
    for bits in 0...64 {
      for value in [
        Double(sign: .plus, exponent: bits, significand: 1), -Double(sign: .plus, exponent: bits, significand: 1),
      ] {
        for near in [value.nextDown, value, value.nextUp, value - 0.5, value + 0.5] {
          let expected = Self.known(near, type) ?? (near > 0 ? T.max : T.min)
          #expect(T(clamping: near) == expected, "\(near) as \(type)")
        }
      }
    }
    let least = Double.leastNonzeroMagnitude
    for small in [0, -0.0, least, -least, 0.999, -0.999] { #expect(T(clamping: small) == 0, "\(small) as \(type)") }
  }

  @Test("The integer part where it is within the type, the nearest bound beyond it, 0 for NaN")
  func clamping() {
    Self.check(Int.self)
    Self.check(Int64.self)
    Self.check(Int32.self)
    Self.check(Int16.self)
    Self.check(Int8.self)
    Self.check(UInt.self)
    Self.check(UInt64.self)
    Self.check(UInt32.self)
    Self.check(UInt16.self)
    Self.check(UInt8.self)
  }

  @Test("Sums and products that are beyond the type are its nearest bound")
  func sumsAndProducts() {
    for a in Int8.min...Int8.max {
      for b in Int8.min...Int8.max {
        #expect(a.clampedSum(b) == Int8(clamping: Int(a) + Int(b)))
        #expect(a.clampedProduct(b) == Int8(clamping: Int(a) * Int(b)))
      }
    }
  }

  @Test("each file that converts numbers imports the module in which trapping conversions do not compile")
  func imports() throws {
    let folders = try ArchitectureTests.rows().values.filter {
      $0.dependencies.contains("AudioCore") && $0.folder.hasPrefix("Sources/")
    }.map(\.folder)
    // Compiled without the package's modules, for programs in Swift that have the library installed.
    let script = try Repository.text("Scripts/install-library")
    func isInstalled(_ file: String) -> Bool {
      file.hasPrefix("Sources/CoreAudio/AudioToolbox/CoreAudioTypes/")
        || script.contains(file.split(separator: "/").last ?? "")
    }
    var missing: [String] = []
    for folder in folders {
      for file in try Repository.files(below: folder, suffix: ".swift") where !isInstalled(file) {
        let text = try Repository.text(file)
        if text.contains(/\bU?Int(8|16|32|64)?[.(]/), !text.contains("import AudioCore") { missing.append(file) }
      }
    }
    #expect(missing.isEmpty, "\(missing.sorted())")
  }
}
