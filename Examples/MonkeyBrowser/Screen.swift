// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The contents of the whole screen, as rows of styled text. It is made only from values, so that it can be tested
/// without a terminal.
struct Screen: Equatable {
  enum Style: Equatable {
    case plain, heading, faint, link, chosen, bar
  }

  struct Span: Equatable {
    var text: String
    var style: Style
  }

  struct Size: Equatable {
    var rows: Int
    var columns: Int
  }

  /// The rows, at most as many as the size has.
  let rows: [[Span]]

  /// Returns how many lines of the page fit.
  static func pageRows(_ size: Size) -> Int { max(size.rows - 4, 0) }

  /// - Parameter status: What happened last, or what is offered.
  init(_ browser: Browser, status: String, size: Size) {
    let tab = browser.tab
    var rows = [Self.tabBar(browser), Self.addressBar(tab)]
    let last = min(tab.scroll + Self.pageRows(size), tab.page.lines.count)
    for number in tab.scroll..<max(last, tab.scroll) { rows.append(Self.row(tab, number)) }
    while rows.count < size.rows - 2 { rows.append([]) }
    rows.append([Span(text: " \(status)".padding(to: size.columns), style: .bar)])
    rows.append([Span(text: " 1-4 tab  j/k scroll  Tab link  Enter follow  b back  c continue  q quit", style: .faint)])
    self.rows = rows.prefix(max(size.rows, 0)).map { Self.clipped($0, to: size.columns) }
  }

  private static func tabBar(_ browser: Browser) -> [Span] {
    TabKind.allCases.enumerated().map { index, kind in
      Span(text: " \(index + 1) \(kind.rawValue.capitalized) ", style: kind == browser.selected ? .chosen : .bar)
    }
  }

  private static func addressBar(_ tab: Tab) -> [Span] {
    let place = (tab.scroll + 1) * 100 / max(tab.page.lines.count, 1)
    return [Span(text: " \(tab.url.absoluteString)  \(place) %, \(tab.history.count) pages in history", style: .faint)]
  }

  private static func row(_ tab: Tab, _ number: Int) -> [Span] {
    let line = tab.page.lines[number]
    guard line.link != nil else { return [Span(text: "  \(line.text)", style: number < 2 ? .heading : .plain)] }
    return [Span(text: "  ", style: .plain), Span(text: line.text, style: number == tab.link ? .chosen : .link)]
  }

  /// Cuts off what does not fit. Also removes anything that a terminal would obey, because titles and names come from
  /// other machines.
  private static func clipped(_ row: [Span], to columns: Int) -> [Span] {
    var left = max(columns, 0)
    return row.map { span in
      let text = String(String.UnicodeScalarView(span.text.unicodeScalars.filter { !$0.isControl })).prefix(left)
      left -= text.count
      return Span(text: String(text), style: span.style)
    }
  }
}

extension String {
  /// Appends spaces, so that the text has at least this many characters.
  fileprivate func padding(to columns: Int) -> String { self + String(repeating: " ", count: max(columns - count, 0)) }
}

extension Unicode.Scalar {
  /// Whether this is a control character, or one that reverses or hides text.
  fileprivate var isControl: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
