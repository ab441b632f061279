enum RoffManual { static var text: String { "" } }
enum MarkdownManual { static var text: String { "" } }
enum BashCompletion { static var text: String { "" } }
enum ZshCompletion { static var text: String { "" } }
