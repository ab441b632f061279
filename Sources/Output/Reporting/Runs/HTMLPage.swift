import Plotting

/// The style and the script of the page: the same in every report.
enum HTMLPage {
  static let style =
    String(decoding: PackageResources.page_css, as: UTF8.self) + FigureColours.light.styleSheet
    + "@media screen and (prefers-color-scheme:dark){\n\(FigureColours.dark.styleSheet)}\n"

  /// Filters, folding, keys, copying, players. The selection is in the address too: `#show=failed&find=lowPass`. When
  /// it is done it sets `data-ready` of the root element, and the number of visible cases in `data-visible`.
  static let script = String(decoding: PackageResources.page_js, as: UTF8.self)

  /// The script by what it is, for the page's policy: a browser runs this script and no other, whatever else a page may
  /// come to hold. A name that is drawn anew for each page would do as well, but pages of one run would differ.
  /// `ReportHTMLTests` says what to write here when the script is changed.
  static let scriptHash = "sha256-ee3XVT8zkHppPGgrpwNis5r9y0wJtBMWRe7enYUUThk="
}
