import AudioCore
import CPNG
import FoundationEssentials

/// Colours of a map as the bytes of a PNG, for an image within a figure.
enum MapImage {
  /// From nothing to much. Darker is less, also in grey print: the lightness rises all the way.
  private static let stops: [(UInt8, UInt8, UInt8)] = [
    (0x00, 0x00, 0x04), (0x1B, 0x0C, 0x41), (0x4A, 0x0C, 0x6B), (0x78, 0x1C, 0x6D), (0xA5, 0x2C, 0x60),
    (0xCF, 0x44, 0x46), (0xED, 0x69, 0x25), (0xFB, 0x9B, 0x06), (0xF7, 0xD1, 0x3D), (0xFC, 0xFF, 0xA4),
  ]

  /// Entry 255 is none at all.
  private static let palette: [UInt8] = {
    let colours = (0..<255).flatMap { index -> [UInt8] in
      let place = Double(index) / 254 * Double(stops.count - 1)
      let (first, part) = (
        min(Int(clamping: place), stops.count - 2), place - Double(min(Int(clamping: place), stops.count - 2))
      )
      func mixed(_ a: UInt8, _ b: UInt8) -> UInt8 {
        UInt8(clamping: (Double(a) + (Double(b) - Double(a)) * part).rounded())
      }
      let (a, b) = (stops[first], stops[first + 1])
      return [mixed(a.0, b.0), mixed(a.1, b.1), mixed(a.2, b.2), 255]
    }
    return colours + [0, 0, 0, 0]
  }()

  /// All colours, the least at the foot.
  static let bar = png((0..<255).reversed().map(UInt8.init), width: 1)

  static func png(_ raster: HeatMap.Raster, _ scale: AxisScale) -> [UInt8] {
    var cells: [UInt8] = []
    cells.reserveCapacity(raster.values.count)
    for row in (0..<raster.rowCount).reversed() {
      for column in 0..<raster.columnCount {
        let position = scale.position(Double(raster.values[column * raster.rowCount + row]))
        cells.append(position.isNaN ? 255 : UInt8(clamping: (position.clamped(to: 0...1) * 254).rounded()))
      }
    }
    return png(cells, width: raster.columnCount)
  }

  private static func png(_ cells: [UInt8], width: Int) -> [UInt8] {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    image.width = png_uint_32(width)
    image.height = png_uint_32(cells.count / width)
    image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA | PNG_FORMAT_FLAG_COLORMAP)
    image.colormap_entries = 256
    // The size of uncompressed cells, and of the head.
    var bytes = [UInt8](repeating: 0, count: cells.count + cells.count / 100 + cells.count / width + 4096)
    var count = png_alloc_size_t(bytes.count)
    let isWritten = png_image_write_to_memory(&image, &bytes, &count, 0, cells, 0, palette)
    precondition(isWritten != 0, "libpng refuses an image of \(width) columns")
    return Array(bytes.prefix(Int(count)))
  }

  static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
