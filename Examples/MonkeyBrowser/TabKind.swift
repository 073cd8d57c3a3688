import Foundation

/// The four tabs. Each shows one kind of page, and each has an activity type of its own: another machine sees by the
/// type alone in which tab it will continue.
enum TabKind: String, CaseIterable, Codable, Sendable {
  case news, wiki, video, notes

  /// A reverse domain name that is ours. Info.plist and the desktop entry name the same four.
  var activityType: String { "org.example.MonkeyBrowser.\(rawValue)" }

  init?(activityType: String) {
    guard let kind = Self.allCases.first(where: { $0.activityType == activityType }) else { return nil }
    self = kind
  }

  /// What the tab shows at first.
  var home: URL { Address.url(of: self, "Home") }
}

extension TabKind {
  /// As the keys count: 1 is the first tab.
  init?(number: Int) {
    guard number > 0, number <= Self.allCases.count else { return nil }
    self = Self.allCases[number - 1]
  }
}
