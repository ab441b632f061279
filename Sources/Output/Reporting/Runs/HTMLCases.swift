import AudioCore
import Measurement
import Plotting
import Verification

/// The cases of a page. It counts what goes in: a browser must open a page of a thousand cases at once.
struct HTMLCases {
  var embedding: Embedding
  /// Bytes of drawings left for cases that passed.
  var curveBudget: Int
  private(set) var anchors: Set<String> = []

  /// A case's id as that of an element: letters, digits and `-_./`, the rest as `~` and a hexadecimal number.
  static func anchor(_ id: String) -> String {
    var answer = "case-"
    for scalar in id.unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "/": answer.unicodeScalars.append(scalar)
      default: answer += "~" + String(scalar.value, radix: 16)
      }
    }
    return answer
  }

  mutating func markup(_ outcome: CaseOutcome, isOpen: Bool) -> Markup {
    // Ids that occur twice get one anchor: the first case's.
    let anchor = Self.anchor(outcome.id)
    let id: Markup = anchors.insert(anchor).inserted ? " id=\"\(anchor)\"" : ""
    let suite: Markup =
      outcome.suiteName.isEmpty ? "" : "<span class=\"suite\">\(VisibleText.line(outcome.suiteName))/</span>"
    let reason = outcome.verdict == .passed ? outcome.checks.map(\.id).joined(separator: ", ") : outcome.reason
    let why: Markup = reason.map { "<span class=\"why\">\(TextLayout.cut(VisibleText.line($0), to: 200))</span>" } ?? ""
    return """
      <details class="case v-\(outcome.verdict.rawValue)"\(id) data-verdict="\(outcome.verdict.rawValue)"\
      \(isOpen ? " open" : "")>\
      <summary>\(Self.tag(outcome.verdict))<span class="name">\(suite)\(VisibleText.line(outcome.name))</span>\(why)\
      <span class="time">\(NumberText.duration(outcome.seconds))</span></summary>
      <div class="body">\(facts(outcome))\(checks(outcome))\(sounds(outcome))\(pictures(outcome))\(log(outcome))\
      \(command(outcome))</div></details>

      """
  }

  /// A verdict as a mark and a word: the mark's shape says it where colours do not.
  static func tag(_ verdict: Verdict) -> Markup {
    let mark =
      switch verdict {
      case .passed: "✓"
      case .skipped: "–"
      case .unblessed: "?"
      case .failed: "✗"
      case .crashed: "↯"
      case .timedOut: "◷"
      case .error: "!"
      }
    return "<span class=\"tag\"><i aria-hidden=\"true\">\(mark)</i>\(verdict.column)</span>"
  }

  private func facts(_ outcome: CaseOutcome) -> Markup {
    var rows: Markup = ""
    func row(_ name: String, _ value: Markup) -> Markup { "<dt>\(name)</dt><dd>\(value)</dd>" }
    rows += row("device", "\(outcome.device)")
    if let path = outcome.suitePath { rows += row("suite file", "\(path)") }
    if let node = outcome.firstDifferentNode {
      rows += row("first node", "<b class=\"node\">\(node)</b> is the first node in render order that differs")
    }
    var markup: Markup = "<dl class=\"facts\">\(rows)</dl>"
    if let message = outcome.message { markup += "<pre class=\"message\">\(message)</pre>" }
    return markup
  }

  private mutating func checks(_ outcome: CaseOutcome) -> Markup {
    var markup: Markup = ""
    for check in outcome.badChecks + outcome.checks.filter(\.verdict.isGood) { markup += self.check(check) }
    return markup
  }

  /// Checks that did not pass are open, those that passed are a line to unfold.
  private mutating func check(_ check: CheckOutcome) -> Markup {
    var rows: Markup =
      "<dt>expected</dt><dd>\(check.expected)</dd><dt>found</dt><dd class=\"found\">\(check.found)</dd>"
    if let limit = check.limit { rows += "<dt>limit</dt><dd>\(limit)</dd>" }
    if let examined = check.examined { rows += "<dt>examined</dt><dd>\(examined.text)</dd>" }
    if let place = check.firstFailure { rows += "<dt>fails first at</dt><dd>\(place.description)</dd>" }
    let body: Markup = "<dl>\(rows)</dl>\(figure(check))\(readings(check))"
    guard check.verdict.isGood else {
      return
        """
        <article class="check v-\(check.verdict.rawValue)"><h3>\(Self.tag(check.verdict))\(check.id)</h3>\
        \(body)</article>
        """
    }
    return """
      <details class="check v-\(check.verdict.rawValue)"><summary>\(Self.tag(check.verdict))<b>\(check.id)</b>\
      <span class="why">\(TextLayout.cut(VisibleText.line(check.found), to: 200))</span></summary>\(body)</details>
      """
  }

  private mutating func figure(_ check: CheckOutcome) -> Markup {
    let isGood = check.verdict.isGood
    guard let overlay = check.overlay else { return "" }
    guard !isGood || curveBudget > 0 else {
      return "<p class=\"note\">The curves are in the JSON report; this page has enough of them.</p>"
    }
    guard overlay.actual.points.contains(where: { $0.x.isFinite && $0.y.isFinite }),
      let figure = check.overlayFigure()
    else { return "<p class=\"note\">There is no finite point to draw.</p>" }
    let name = "\(VisibleText.line(check.id)): \(VisibleText.line(overlay.actual.name))"
    let picture = SVGFigure(figure, pointsAcross: isGood ? 150 : 600).element(name: name)
    if isGood { curveBudget -= picture.text.utf8.count }
    return "<figure>\(picture)</figure>"
  }

  private func readings(_ check: CheckOutcome) -> Markup {
    let isGood = check.verdict.isGood
    guard !check.readings.isEmpty else { return "" }
    // Hundreds of readings are for programs.
    let shown = check.readings.prefix(isGood ? 40 : 200)
    let rows: [Markup] = shown.map { reading in
      let floor = reading.floor.map { NumberText.value($0, reading.unit) } ?? ""
      return """
        <tr><td>\(reading.name)</td><td class="number">\(reading.valueText)</td>\
        <td class="number">\(reading.uncertaintyText)</td><td class="number">\(floor)</td>\
        <td class="number">\(reading.channel.map { "\($0)" } ?? "")</td><td>\(reading.remark ?? "")</td></tr>
        """
    }
    let left = check.readings.count - shown.count
    let more: Markup = left > 0 ? "<p class=\"note\">… and \(left) more in the JSON report.</p>" : ""
    return """
      <details class="readings"\(isGood || check.readings.count > 8 ? "" : " open")>\
      <summary>\(NumberText.count(check.readings.count, "reading"))</summary><div class="wide"><table><thead><tr>\
      <th scope="col">reading</th><th scope="col">value</th><th scope="col">error</th><th scope="col">floor</th>\
      <th scope="col">channel</th><th scope="col"></th></tr></thead><tbody>\(rows)</tbody></table></div>\
      \(more)</details>
      """
  }

  private mutating func sounds(_ outcome: CaseOutcome) -> Markup {
    let frame = outcome.badChecks.compactMap(\.firstFailure?.frame).min()
    var players: Markup = ""
    for (title, path) in outcome.sounds {
      var notes: [String] = []
      var player: Markup = ""
      do {
        let preview = try AudioPreview(path: path, around: frame, amplifies: title == "difference")
        notes = preview.remarks
        switch embedding.take(preview.flac, type: "audio/flac") {
        case .embedded(let address):
          player =
            "<audio controls preload=\"none\" aria-label=\"\(title)\" src=\"\(Markup(trusted: address))\"></audio>"
        case .linked(let reason): notes.append(reason)
        }
      } catch {
        notes.append(error.message)
      }
      let note: Markup = notes.isEmpty ? "" : "<small>\(notes.joined(separator: "; "))</small>"
      players += """
        <div class="sound"><b>\(title)</b>\(player)<a href="\(embedding.address(path))">\(path)</a>\(note)</div>
        """
    }
    return players.text.isEmpty ? "" : "<div class=\"sounds\" role=\"group\" aria-label=\"Listen\">\(players)</div>"
  }

  private mutating func pictures(_ outcome: CaseOutcome) -> Markup {
    var markup: Markup = ""
    // The page draws overlays itself.
    let drawn = Set(outcome.checks.filter { $0.overlay != nil }.map { CasePictures.overlayTitle($0.id) })
    for (title, path) in outcome.files.pictures where !drawn.contains(title) {
      let link: Markup = "<a href=\"\(embedding.address(path))\">\(path)</a>"
      switch embedding.picture(path) {
      case .embedded(let address):
        markup += """
          <figure class="picture"><img loading="lazy" alt="\(title)" src="\(Markup(trusted: address))">\
          <figcaption>\(title) \(link)</figcaption></figure>
          """
      case .linked(let reason):
        markup += "<p class=\"note\">\(title): \(link) <small>\(reason)</small></p>"
      }
    }
    return markup
  }

  private func log(_ outcome: CaseOutcome) -> Markup {
    guard let log = outcome.log, !log.isEmpty else { return "" }
    return """
      <details class="log"\(outcome.verdict.isGood ? "" : " open")><summary>What the device wrote</summary>\
      <pre tabindex="0">\(VisibleText.ofLog(log))</pre></details>
      """
  }

  private func command(_ outcome: CaseOutcome) -> Markup {
    guard let command = outcome.command else { return "" }
    return """
      <div class="command"><span>run alone</span><code>\(VisibleText.line(command))</code>\
      <button type="button" data-copy>Copy</button></div>
      """
  }
}
