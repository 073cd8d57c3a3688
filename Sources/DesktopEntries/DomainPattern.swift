/// A domain of `X-Baton-Domains`: `example.org`, or `*.example.org` for those below it.
package struct DomainPattern: Hashable, Sendable, CustomStringConvertible {
  /// In small letters. The association is asked for there.
  package let domain: String
  package let coversSubdomains: Bool

  /// Nil where it is no public name in its ASCII form: it becomes part of a URL.
  package init?(_ text: String) {
    let text = text.lowercased()
    coversSubdomains = text.hasPrefix("*.")
    domain = coversSubdomains ? String(text.dropFirst(2)) : text
    guard PublicName.contains(domain) else { return nil }
  }

  /// - Parameter host: In small letters.
  package func covers(_ host: String) -> Bool {
    coversSubdomains ? host.hasSuffix("." + domain) : host == domain
  }

  /// Of two that cover a host: it is nearer to it.
  func isPreferred(to other: DomainPattern) -> Bool {
    coversSubdomains == other.coversSubdomains ? domain.utf8.count > other.domain.utf8.count : other.coversSubdomains
  }

  package var description: String { coversSubdomains ? "*." + domain : domain }
}
