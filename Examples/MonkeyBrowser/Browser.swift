// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Everything that the browser knows, except activities and terminals. It is a value that both front ends show.
struct Browser: Equatable, Sendable {
  private var tabs: [Tab]
  private(set) var selected = TabKind.news

  /// - Parameter visits: How many pages each tab's history has at first. Nobody visited them.
  init(visits: Int) {
    tabs = TabKind.allCases.map { Tab($0, at: $0.home, history: Visit.invented(visits, $0, seed: "monkey")) }
  }

  subscript(_ kind: TabKind) -> Tab {
    get { tabs.first { $0.kind == kind } ?? Tab(kind, at: kind.home) }
    set { if let index = tabs.firstIndex(where: { $0.kind == kind }) { tabs[index] = newValue } }
  }

  /// The visible tab.
  var tab: Tab {
    get { self[selected] }
    set { self[selected] = newValue }
  }

  mutating func perform(_ command: Command) throws(Refusal) {
    switch command {
    case .select(let kind): selected = kind
    case .open(let url): tab.visit(url)
    case .scrollTo(let line): tab.scroll(to: line)
    case .scrollBy(let lines): tab.scroll(to: tab.scroll.addingReportingOverflow(lines).partialValue)
    case .chooseNextLink: tab.chooseNextLink()
    case .followLink:
      guard let link = tab.link, let url = tab.page.lines[link].link else { throw Refusal("There is no link here") }
      tab.visit(url)
    case .goBack: if !tab.goBack() { throw Refusal("There is no page before this one") }
    }
  }

  /// Shows a tab that was continued from another machine.
  mutating func restore(_ state: TabState) {
    self[state.kind].restore(state)
    selected = state.kind
  }
}
