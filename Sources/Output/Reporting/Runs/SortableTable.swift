import Plotting

/// A table of a page that is sorted by a click on the head of a column: rising, falling, and back to the order of the
/// page. Without scripts it stays in that order.
struct SortableTable {
  struct Column {
    var title: String
    /// Sorted by the values of its cells; others by their texts.
    var isNumber = false
  }

  struct Cell {
    var content: Markup
    /// The value in a column of numbers; nil: none, which comes last whichever way it is sorted.
    var value: Double?
    /// The number of columns that it covers: a cell of several has no place in the order of any.
    var columns = 1
  }

  struct Row {
    /// The class in the style sheet.
    var kind: String
    var cells: [Cell]
  }

  var columns: [Column]
  var rows: [Row]

  var markup: Markup {
    let heads: [Markup] = columns.map { column in
      "<th scope=\"col\"\(column.isNumber ? " class=\"number\"" : "" as Markup)>\(column.title)</th>"
    }
    return """
      <div class="wide"><table class="sortable">
      <thead><tr>\(heads)</tr></thead>
      <tbody>
      \(rows.map(markup))</tbody>
      </table></div>
      """
  }

  private func markup(_ row: Row) -> Markup {
    var place = 0
    var cells: Markup = ""
    for cell in row.cells {
      let isNumber = cell.columns == 1 && columns[place].isNumber
      // Digits alone: the text of the cell is for people.
      let digits: String = cell.value.map { $0.isFinite ? $0.description : "" } ?? ""
      let value: Markup = digits.isEmpty ? "" : " data-value=\"\(digits)\""
      let span: Markup = cell.columns > 1 ? " colspan=\"\(cell.columns)\"" : ""
      cells += "<td\(isNumber ? " class=\"number\"" : "" as Markup)\(isNumber ? value : "")\(span)>\(cell.content)</td>"
      place += cell.columns
    }
    return "<tr class=\"\(row.kind)\">\(cells)</tr>\n"
  }

  /// Heads become buttons here, as without scripts they would do nothing. The order stands in the address too:
  /// `#sort=length`, `#sort=-length`.
  static let script = #"""
    "use strict";
    for (const table of document.querySelectorAll("table.sortable")) {
      const body = table.tBodies[0];
      const rows = [...body.rows];
      const heads = [...table.tHead.rows[0].cells];
      const names = heads.map(head => head.textContent);
      const cell = (row, index) => {
        let place = 0;
        for (const one of row.cells) {
          if (place === index) return one.colSpan === 1 ? one : null;
          place += one.colSpan;
        }
        return null;
      };
      const sort = (index, way) => {
        const isNumber = index >= 0 && heads[index].classList.contains("number");
        const key = row => {
          const one = cell(row, index);
          if (!one) return null;
          if (!isNumber) return one.textContent;
          return one.dataset.value ? Number(one.dataset.value) : null;
        };
        const keys = new Map(rows.map(row => [row, way ? key(row) : null]));
        const order = (left, right) => {
          const [a, b] = [keys.get(left), keys.get(right)];
          if (a === null || b === null) return (a === null) - (b === null);
          return way * (isNumber ? a - b : a.localeCompare(b, "en", {numeric: true}));
        };
        body.append(...(way ? [...rows].sort(order) : rows));
        heads.forEach((head, place) => {
          if (place === index && way) head.setAttribute("aria-sort", way > 0 ? "ascending" : "descending");
          else head.removeAttribute("aria-sort");
        });
      };
      heads.forEach((head, index) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = names[index];
        head.replaceChildren(button);
        button.addEventListener("click", () => {
          const now = head.getAttribute("aria-sort");
          const way = now === "ascending" ? -1 : now === "descending" ? 0 : 1;
          sort(index, way);
          const address = way ? "#sort=" + (way < 0 ? "-" : "") + encodeURIComponent(names[index]) : "";
          history.replaceState(null, "", address || location.pathname + location.search);
        });
      });
      const wanted = new URLSearchParams(location.hash.slice(1)).get("sort") || "";
      const index = names.indexOf(wanted.replace(/^-/, ""));
      if (index >= 0) sort(index, wanted.startsWith("-") ? -1 : 1);
    }
    document.documentElement.dataset.ready = "yes";
    """#

  /// The script by what it is, for the page's policy, as in ``HTMLPage/scriptHash``. `BatchPageTests` says what to
  /// write here when the script is changed.
  static let scriptHash = "sha256-Qq02CbAGS/aGHrz6uB5hDV+Fef826hKDCSXTlCAdMQw="

  static let style = """
    table.sortable{width:100%;font-size:13.5px}
    .sortable th,.sortable td{padding:3px 8px}
    .sortable th:first-child,.sortable td:first-child{padding-left:0}
    .sortable thead th{text-align:left;vertical-align:bottom;white-space:nowrap}
    .sortable th.number,.sortable thead th.number{text-align:right}
    .sortable td{overflow-wrap:anywhere}
    .sortable td:first-child{min-width:15em}
    .sortable .number,.sortable td:nth-child(2){white-space:nowrap;overflow-wrap:normal}
    .sortable th button{padding:0;border:0;background:none;color:inherit;font:inherit;font-weight:600}
    .sortable th button:hover{text-decoration:underline}
    .sortable th[aria-sort] button{color:var(--fg)}
    .sortable th[aria-sort=ascending] button::after{content:" \\2191"}
    .sortable th[aria-sort=descending] button::after{content:" \\2193"}

    """
}
