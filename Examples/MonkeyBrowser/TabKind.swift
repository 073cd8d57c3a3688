// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The four tabs. Each shows one kind of page, and has its own activity type. So another machine knows from the type
/// alone in which tab it will continue.
enum TabKind: String, CaseIterable, Codable, Sendable {
  case news, wiki, video, notes

  /// A reverse domain name that is ours. The Info.plist and the desktop entry list the same four.
  var activityType: String { "org.example.MonkeyBrowser.\(rawValue)" }

  init?(activityType: String) {
    guard let kind = Self.allCases.first(where: { $0.activityType == activityType }) else { return nil }
    self = kind
  }

  /// The page that the tab shows at first.
  var home: URL { Address.url(of: self, "Home") }
}

extension TabKind {
  /// Creates a kind from its number on the keys: 1 is the first tab.
  init?(number: Int) {
    guard number > 0, number <= Self.allCases.count else { return nil }
    self = Self.allCases[number - 1]
  }
}
