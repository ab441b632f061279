import AudioCore
/// The rows of `channel-layouts.tsv`: the channels that have a label, and the layouts that have a tag.
struct ChannelTable {
  struct Layout {
    let tag: UInt32
    let name: String
    /// The labels of its channels, in order.
    let labels: [UInt32]
  }

  /// By label: the abbreviation, and the name in full.
  private(set) var channels: [UInt32: (short: String, name: String)] = [:]
  private(set) var layouts: [Layout] = []

  static let shared = ChannelTable(String(decoding: PackageResources.channel_layouts_tsv, as: UTF8.self))

  private init(_ text: String) {
    var labels: [Substring: UInt32] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let columns = line.split(separator: "\t")
      let isLayout = columns[0] == "layout"
      guard let number = UInt32(columns[1], radix: isLayout ? 16 : 10) else {
        preconditionFailure("no number: \(line)")
      }
      if isLayout {
        let channels = columns[3].split(separator: " ").compactMap { labels[$0] ?? UInt32($0) }
        precondition(channels.count == number & 0xFFFF, "a tag's low half counts its channels: \(line)")
        layouts.append(Layout(tag: number, name: String(columns[2]), labels: channels))
      } else {
        channels[number] = (String(columns[2]), String(columns[3]))
        if labels[columns[2]] == nil { labels[columns[2]] = number }
      }
    }
  }
}
