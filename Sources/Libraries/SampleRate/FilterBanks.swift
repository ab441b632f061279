import AudioCore
import DSPKernels

/// The filter banks of this process. Finding out a filter takes milliseconds to seconds, so each is kept for the
/// conversions that converts at the same ratio next; the longest unused ones go where they take more than 32 MiB
/// together.
enum FilterBanks {
  private struct Key: Hashable {
    let converter: Int
    let ratio: WholeRatio
  }

  private struct Shelf {
    /// The bank used last comes last.
    var banks: [(key: Key, bank: FilterBank)] = []
  }

  private static let mostBytes = 32 << 20
  private static let shelf = Locked(Shelf())

  /// The bank of a sinc quality at a ratio of rates; nil where there is none, as the rates have no ratio of whole
  /// numbers that is small enough, or the quality is no sinc of libsamplerate. Threads that ask at once wait for one
  /// another.
  /// - Throws: `.render` if the library's filter cannot be read.
  static func bank(
    _ quality: RateConversionQuality, from inputRate: Double, to outputRate: Double
  ) throws(BenchError) -> FilterBank? {
    guard let ratio = ratio(quality, from: inputRate, to: outputRate),
      case .libsamplerate(let converter) = quality.library
    else { return nil }
    return try shelf.withLock { (shelf) throws(BenchError) -> FilterBank in
      let key = Key(converter: converter, ratio: ratio)
      let bank: FilterBank
      if let place = shelf.banks.firstIndex(where: { $0.key == key }) {
        bank = shelf.banks.remove(at: place).bank
      } else {
        let filter = try LibraryFilter(quality, converter: converter, ratio)
        bank = FilterBank(outputs: ratio.outputs, inputs: ratio.inputs, prototype: filter.weights)
      }
      shelf.banks.append((key, bank))
      var bytes = shelf.banks.reduce(0) { $0 + $1.bank.byteCount }
      while bytes > mostBytes, shelf.banks.count > 1 { bytes -= shelf.banks.removeFirst().bank.byteCount }
      return bank
    }
  }

  /// The memory of the banks that are kept.
  static var keptBytes: Int { shelf.withLock { shelf in shelf.banks.reduce(0) { $0 + $1.bank.byteCount } } }

  /// The ratio of two rates where a bank of it can be had.
  static func ratio(
    _ quality: RateConversionQuality, from inputRate: Double, to outputRate: Double
  ) -> WholeRatio? {
    guard quality.isSinc, inputRate != outputRate, let ratio = WholeRatio(from: inputRate, to: outputRate),
      LibraryFilter.isSmall(quality, ratio)
    else { return nil }
    return ratio
  }
}
