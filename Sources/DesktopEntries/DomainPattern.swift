/// A domain of `X-Baton-Domains`: `example.org`, or `*.example.org` for those below it.
package struct DomainPattern: Hashable, Sendable, CustomStringConvertible {
  /// In small letters. The association is asked for there.
  package let domain: String
  package let coversSubdomains: Bool

  /// Nil where it is no host name of letters, digits and `-` (IDNs in their ASCII form): it becomes part of a URL.
  package init?(_ text: String) {
    let text = text.lowercased()
    coversSubdomains = text.hasPrefix("*.")
    domain = coversSubdomains ? String(text.dropFirst(2)) : text
    guard Self.isHostName(domain) else { return nil }
  }

  private static func isHostName(_ text: String) -> Bool {
    guard !text.isEmpty, text.utf8.count <= 253 else { return false }
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    // An address in numbers is no domain.
    guard labels.last?.utf8.contains(where: { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }) == true else {
      return false
    }
    return labels.allSatisfy { label in
      !label.isEmpty && label.utf8.count <= 63 && label.first != "-" && label.last != "-"
        && label.utf8.allSatisfy { byte in
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
        }
    }
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
