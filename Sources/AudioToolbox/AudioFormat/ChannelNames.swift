// What channels and layouts are called, for people to read. Any thread. The words are this project's; the abbreviations
// are the field's.

enum ChannelNames {
  /// A channel in full.
  static func name(of label: UInt32) -> String {
    if let known = table[label] { return known.name }
    if label & 0xFFFF_0000 == ChannelLayouts.ambisonicLabel { return "Ambisonic channel \(label & 0xFFFF)" }
    return label & 0xFFFF_0000 == ChannelLayouts.discreteLabel ? "Channel \((label & 0xFFFF) + 1)" : "Unknown channel"
  }

  /// A channel in few letters.
  static func shortName(of label: UInt32) -> String {
    if let known = table[label] { return known.short }
    if label & 0xFFFF_0000 == ChannelLayouts.ambisonicLabel { return "ACN\(label & 0xFFFF)" }
    return label & 0xFFFF_0000 == ChannelLayouts.discreteLabel ? String((label & 0xFFFF) + 1) : "?"
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

  private static let table: [UInt32: (short: String, name: String)] = [
    0: ("-", "Unused"),
    1: ("L", "Left"),
    2: ("R", "Right"),
    3: ("C", "Centre"),
    4: ("LFE", "Low frequency effects"),
    5: ("Ls", "Left surround"),
    6: ("Rs", "Right surround"),
    7: ("Lc", "Left of centre"),
    8: ("Rc", "Right of centre"),
    9: ("Cs", "Centre surround"),
    10: ("Lsd", "Left side"),
    11: ("Rsd", "Right side"),
    12: ("Ts", "Top"),
    13: ("Vhl", "Top front left"),
    14: ("Vhc", "Top front centre"),
    15: ("Vhr", "Top front right"),
    16: ("Tbl", "Top back left"),
    17: ("Tbc", "Top back centre"),
    18: ("Tbr", "Top back right"),
    33: ("Rls", "Rear left"),
    34: ("Rrs", "Rear right"),
    35: ("Lw", "Left wide"),
    36: ("Rw", "Right wide"),
    37: ("LFE2", "Low frequency effects 2"),
    38: ("Lt", "Left, matrix coded"),
    39: ("Rt", "Right, matrix coded"),
    42: ("M", "Mono"),
    44: ("Csd", "Centre surround, direct"),
    49: ("Ltm", "Top middle left"),
    51: ("Rtm", "Top middle right"),
    52: ("Ltr", "Top rear left"),
    53: ("Ctr", "Top rear centre"),
    54: ("Rtr", "Top rear right"),
    55: ("Lss", "Left side surround"),
    56: ("Rss", "Right side surround"),
    57: ("Lb", "Bottom left"),
    58: ("Rb", "Bottom right"),
    59: ("Cb", "Bottom centre"),
    60: ("Lts", "Top surround left"),
    61: ("Rts", "Top surround right"),
    62: ("LFE3", "Low frequency effects 3"),
    63: ("Lbs", "Left back surround"),
    64: ("Rbs", "Right back surround"),
    65: ("Leos", "Left edge of screen"),
    66: ("Reos", "Right edge of screen"),
    100: ("xyz", "By coordinates"),
    200: ("W", "Ambisonic W"),
    201: ("X", "Ambisonic X"),
    202: ("Y", "Ambisonic Y"),
    203: ("Z", "Ambisonic Z"),
    204: ("Mid", "Mid"),
    205: ("Side", "Side"),
    206: ("X", "Coincident X"),
    207: ("Y", "Coincident Y"),
    208: ("L", "Binaural left"),
    209: ("R", "Binaural right"),
    301: ("L", "Headphones left"),
    302: ("R", "Headphones right"),
    400: ("D", "Discrete"),
  ]
}
