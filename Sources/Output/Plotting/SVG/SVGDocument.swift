import FoundationEssentials

/// The head and foot around the content of a picture.
enum SVGDocument {
  /// A file: with its colours, on white.
  static func file(_ content: Markup, title: String, width: Int, height: Int) -> Data {
    let text: Markup = """
      <?xml version="1.0" encoding="utf-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" class="figure" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" font-family="DejaVu Sans,Verdana,Arial,sans-serif"><title>\(title)</title>
      <style>
      \(Markup(trusted: FigureColours.light.styleSheet))</style>
      <rect class="paper" width="100%" height="100%"/>
      \(content)</svg>

      """
    return Data(text.text.utf8)
  }

  /// For a page that has the colours in its style.
  static func element(_ content: Markup, name: String, width: Int, height: Int) -> Markup {
    """
    <svg class="figure" viewBox="0 0 \(width) \(height)" role="img" aria-label="\(name)"><title>\(name)</title>\(content)</svg>
    """
  }
}
