// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the browser accepts as the address of a page.
enum Address {
  /// The maximum length in bytes. The address is sent in `userInfo`, which holds 3,072 bytes in total.
  static let longest = 1024

  /// Returns the URL of the invented page on a topic.
  static func url(of kind: TabKind, _ topic: String) -> URL {
    var components = URLComponents()
    components.scheme = "https"
    components.host = "\(kind.rawValue).example.org"
    components.path = "/" + topic.replacingOccurrences(of: " ", with: "_")
    // There always is a URL, because there are a host and an absolute path.
    return components.url ?? URL(fileURLWithPath: "/")
  }

  /// Checks what a person types, and in the same way what another machine sends.
  ///
  /// - Returns: The URL. Nil if the text is not an https URL with a host, or is too long.
  static func checked(_ text: String) -> URL? {
    guard let url = URL(string: text), url.absoluteString.utf8.count <= longest else { return nil }
    guard url.scheme?.lowercased() == "https", let host = url.host, !host.isEmpty else { return nil }
    return url
  }

  /// Returns a title for people: the last part of the path, at most 80 characters of it.
  static func title(of url: URL) -> String {
    let name = url.lastPathComponent.replacingOccurrences(of: "_", with: " ")
    return String((name.isEmpty || name == "/" ? url.host ?? "Page" : name).prefix(80))
  }
}
