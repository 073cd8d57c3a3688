// SPDX-License-Identifier: Apache-2.0

import Activity

/// A domain from `X-Baton-Domains`: `example.org`, or `*.example.org` for its subdomains.
package struct DomainPattern: Hashable, Sendable, CustomStringConvertible {
  /// In lowercase. This domain is asked for the association.
  package let domain: String
  package let coversSubdomains: Bool

  /// Nil if it is not a public name in its ASCII form. It becomes part of a URL.
  package init?(_ text: String) {
    let text = text.lowercased()
    let parent = text.rest(afterBytesOf: "*.")
    coversSubdomains = parent != nil
    domain = parent.map(String.init) ?? text
    guard PublicName.contains(domain) else { return nil }
  }

  /// - Parameter host: In lowercase.
  package func covers(_ host: String) -> Bool {
    coversSubdomains ? host.ends(withBytesOf: "." + domain) : host.hasBytes(of: domain)
  }

  /// Whether this pattern is closer to a host than another one, if both cover it.
  func isPreferred(to other: DomainPattern) -> Bool {
    coversSubdomains == other.coversSubdomains ? domain.utf8.count > other.domain.utf8.count : other.coversSubdomains
  }

  package var description: String { coversSubdomains ? "*." + domain : domain }
}
