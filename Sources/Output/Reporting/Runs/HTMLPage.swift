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

  /// A whole page without external files.
  ///
  /// - Parameters:
  ///   - sources: further rules of its policy, beside the style, as `script-src '…'; `.
  ///   - style: further rules, behind ``style``.
  ///   - attributes: those of the root element beside the language.
  static func document(
    title: String, sources: String = "", style: String = "", attributes: Markup = "", body: Markup
  ) -> Markup {
    let policy = "default-src 'none'; style-src 'unsafe-inline'; \(sources)base-uri 'none'; form-action 'none'"
    return """
      <!DOCTYPE html>
      <html lang="en"\(attributes)>
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(Markup(trusted: policy))">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title)</title>
      <style>\(Markup(trusted: self.style + style))</style>
      </head>
      <body>
      \(body)
      </body>
      </html>

      """
  }
}
