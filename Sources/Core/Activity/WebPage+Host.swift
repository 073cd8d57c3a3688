// SPDX-License-Identifier: Apache-2.0

extension WebPage {
  /// The maximum length of the host that an offer names, in bytes. It has room for a DNS name in a non-ASCII script,
  /// and more.
  static let hostLength = 512

  /// The host as it is written in URLs, in small letters. An IPv6 address has its brackets. An offer names this host.
  package var hostName: String { host.starts(withBytesOf: "[") ? host + "]" : host }

  /// Whether a text from another machine is a ``hostName``.
  package static func isHostName(_ text: String) -> Bool {
    guard text.utf8.count <= Self.hostLength, let page = WebPage("https://\(text)") else { return false }
    return page.hostName.hasBytes(of: text) && page.url.hasBytes(of: "https://\(text)")
  }
}
