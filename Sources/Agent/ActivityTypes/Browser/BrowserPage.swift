// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// A page as the browser reports it, after it was checked.
package struct BrowserPage: Equatable, Sendable {
  /// An address for `webpageURL`: http or https, without a user and a password.
  package let url: String
  package let title: String?
  package let icon: String?
  /// The ID of the only team that may see the page. Nil for all teams of the user.
  package let team: String?

  package init(url: String, title: String? = nil, icon: String? = nil, team: String? = nil) {
    (self.url, self.title, self.icon, self.team) = (url, title, icon, team)
  }

  /// Nil if the page cannot be handed over.
  ///
  /// - Parameter isHere: Whether the page is one of this machine's browser, whose own servers other machines can reach.
  package init?(json: JSON, isHere: Bool = false) {
    guard let members = json.object,
      let url = members["url"]?.string.flatMap(isHere ? Self.addressHere : Self.address)
    else { return nil }
    let title = members["title"]?.string?.prefix(utf8Count: Limits.titleLength)
    let icon = members["icon"]?.string.flatMap(Self.address).flatMap { Self.iconAddress($0) }
    self.init(
      url: url,
      title: title?.isEmpty == true ? nil : title,
      icon: icon,
      team: members["team"]?.string
    )
  }

  /// What the page is if its server runs on this machine.
  package var localPage: LocalPageAddress? { LocalPageAddress(url) }

  /// The same as ``address(_:)``, and the address of a page whose server runs on this machine.
  static func addressHere(_ url: String) -> String? {
    url.utf8.count <= Limits.urlLength ? LocalPageAddress(url)?.url ?? address(url) : nil
  }

  package var json: JSON {
    var members: [String: JSON] = ["url": .string(url)]
    members["title"] = title.map(JSON.string)
    return .object(members)
  }

  /// Returns the page with a title that says how many other tabs come with it.
  package func counting(_ others: Int) -> BrowserPage {
    guard others > 0 else { return self }
    let words = others == 1 ? "1 more tab" : "\(others) more tabs"
    let title = title.map { "\($0.prefix(utf8Count: Limits.titleLength - 32)), and \(words)" } ?? "A page, and \(words)"
    return BrowserPage(url: url, title: title, icon: icon, team: team)
  }

  static func iconAddress(_ url: String) -> String? { url.utf8.count <= BrowserLimits.iconLength ? url : nil }

  /// Returns the address of a web page without user and password. Nil for every other address, for one that is too
  /// long, and for one that means another page on each machine.
  package static func address(_ url: String) -> String? {
    guard url.utf8.count <= Limits.urlLength, let page = WebPage(url), !page.isOfThisMachineOnly,
      let end = page.url.utf8.firstIndex(of: UInt8(ascii: "/")).map({ page.url.utf8.index($0, offsetBy: 2) })
    else { return nil }
    let rest = page.url[end...].utf8
    let authority = rest.prefix { !"/?#".utf8.contains($0) }
    guard let sign = authority.lastIndex(of: UInt8(ascii: "@")) else {
      return page.url.utf8.count <= Limits.urlLength ? page.url : nil
    }
    return address(String(page.url[..<end]) + String(Substring(rest[sign...].dropFirst())))
  }
}
