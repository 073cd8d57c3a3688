// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The small state with which another machine continues a tab immediately: the contents of its activity's `userInfo`.
///
/// It has a version, because the other machine may have an older or newer browser. It does not contain the history:
/// `userInfo` holds 3,072 bytes, so large state is sent through a stream, after the tab has been opened.
struct TabState: Equatable, Sendable {
  static let version = 1

  var kind: TabKind
  var url: URL
  /// The number of the line at the top.
  var scroll: Int

  var userInfo: [AnyHashable: Any] { ["version": Self.version, "tab": kind.rawValue, "url": url, "scroll": scroll] }

  init(kind: TabKind, url: URL, scroll: Int) {
    self.kind = kind
    self.url = url
    self.scroll = scroll
  }

  /// Reads what another machine sent. Every value is checked before it is used.
  init?(_ userInfo: [AnyHashable: Any]?) {
    guard let userInfo, userInfo["version"] as? Int == Self.version else { return nil }
    guard let name = userInfo["tab"] as? String, let kind = TabKind(rawValue: name) else { return nil }
    guard let sent = userInfo["url"] as? URL, let url = Address.checked(sent.absoluteString) else { return nil }
    self.init(kind: kind, url: url, scroll: userInfo["scroll"] as? Int ?? 0)
  }
}
