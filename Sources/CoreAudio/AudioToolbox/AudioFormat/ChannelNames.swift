// The names of channels and layouts, for people to read. Any thread. The words are this project's; the abbreviations
// are the field's.

import AudioCore

enum ChannelNames {
  /// A channel in full.
  static func name(of label: UInt32) -> String {
    if let known = ChannelTable.shared.channels[label] { return known.name }
    if label & 0xFFFF_0000 == ChannelNumbers.ambisonicLabel { return "Ambisonic channel \(label & 0xFFFF)" }
    return label & 0xFFFF_0000 == ChannelNumbers.discreteLabel ? "Channel \((label & 0xFFFF) + 1)" : "Unknown channel"
  }

  /// A channel in few letters.
  static func shortName(of label: UInt32) -> String {
    if let known = ChannelTable.shared.channels[label] { return known.short }
    if label & 0xFFFF_0000 == ChannelNumbers.ambisonicLabel { return "ACN\(label & 0xFFFF)" }
    return label & 0xFFFF_0000 == ChannelNumbers.discreteLabel ? String((label & 0xFFFF) + 1) : "?"
  }

  /// A layout: its tag's name where it has one, and else how many channels.
  static func simpleName(of labels: [UInt32]) -> String {
    let tag = ChannelLayouts.tag(of: labels)
    if let tag, let name = ChannelLayouts.name(ofTag: tag) { return name }
    return tag == nil ? "\(labels.count) channels" : "\(labels.count) discrete channels"
  }

  /// A layout with its channels in order.
  static func name(of labels: [UInt32]) -> String {
    "\(simpleName(of: labels)) (\(labels.map(shortName).joined(separator: " ")))"
  }
}
