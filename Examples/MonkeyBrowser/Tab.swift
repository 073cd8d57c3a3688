// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One tab: what it shows, and how the person got there.
struct Tab: Equatable, Sendable {
  let kind: TabKind
  private(set) var page: Page
  /// The number of the line at the top.
  private(set) var scroll = 0
  /// The line of the link that `enter` follows.
  private(set) var link: Int?
  /// The visits, the oldest first. The last one is the visible page.
  private(set) var history: [Visit]

  /// - Parameter history: The earlier visits.
  init(_ kind: TabKind, at url: URL, history: [Visit] = []) {
    self.kind = kind
    self.history = history
    page = Page(url)
    visit(url)
  }

  var url: URL { history.last?.url ?? kind.home }
  var title: String { page.title }
  var state: TabState { TabState(kind: kind, url: url, scroll: scroll) }

  /// Opens a page and adds it to the history.
  mutating func visit(_ url: URL) {
    history.append(Visit(url: url, title: Address.title(of: url), time: Int(Date().timeIntervalSince1970)))
    show(url)
  }

  /// Opens the previous page.
  ///
  /// - Returns: False if there is none.
  mutating func goBack() -> Bool {
    guard history.count > 1 else { return false }
    history.removeLast()
    show(url)
    return true
  }

  mutating func scroll(to line: Int) {
    scroll = page.clamped(line)
    // A link above the top is not visible.
    if let link, link < scroll { self.link = page.links.first { $0 >= scroll } }
  }

  /// Chooses the next link. After the last one, it chooses the first one on the screen.
  mutating func chooseNextLink() {
    link = page.links.first { $0 > link ?? -1 && $0 >= scroll } ?? page.links.first { $0 >= scroll }
  }

  /// Continues where another machine was. The visits there arrive later; see ``prepend(_:)``.
  mutating func restore(_ state: TabState) {
    history = []
    visit(state.url)
    scroll(to: state.scroll)
  }

  /// Adds the history of the machine on which the tab was before. That history ends with the page that this tab was
  /// opened with, which is not kept twice. Later visits stay.
  mutating func prepend(_ earlier: [Visit]) { history = earlier + history.dropFirst() }

  private mutating func show(_ url: URL) {
    page = Page(url)
    scroll = 0
    link = page.links.first
  }
}
