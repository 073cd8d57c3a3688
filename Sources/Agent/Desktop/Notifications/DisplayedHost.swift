// SPDX-License-Identifier: Apache-2.0

import Activity

/// The host of a web page as it is shown to people, so that no host looks like another.
package enum DisplayedHost {
  private enum Script { case latin, greek, cyrillic, hangul, han }

  /// The length of the longest host that is shown whole, in characters.
  private static let length = 48

  /// Returns the host unchanged if all its letters are of one script and none of them is easily mistaken for another
  /// one of that script. Otherwise returns its ASCII form (`xn--…`). A text that is too long is cut to its end, which
  /// says whose host it is.
  ///
  /// - Parameter host: As `WebPage` has it.
  package static func text(_ host: String) -> String {
    // An IPv6 address.
    if host.starts(withBytesOf: "[") { return host.ends(withBytesOf: "]") ? host : host + "]" }
    let text = isOfOneScript(host) ? host : ascii(host)
    let end = Substring(text.unicodeScalars.suffix(length))
    return end.startIndex == text.startIndex ? text : "…" + end
  }

  private static func isOfOneScript(_ host: String) -> Bool {
    if host.utf8.allSatisfy({ $0 < 0x80 }) { return true }
    var known: Script?
    for scalar in host.unicodeScalars where !"0123456789-_.".unicodeScalars.contains(scalar) {
      guard let script = script(of: scalar), script == known ?? script else { return false }
      known = script
    }
    return true
  }

  /// Nil for anything that is not listed here: well-known lowercase letters without combining marks.
  private static func script(of scalar: Unicode.Scalar) -> Script? {
    switch scalar {
    // Without ı, ĸ, ŉ and ſ, and without ß, which browsers have interpreted in two ways.
    case "a"..."z", "\u{E0}"..."\u{F6}", "\u{F8}"..."\u{FF}", "\u{100}"..."\u{12F}", "\u{133}"..."\u{137}",
      "\u{13A}"..."\u{148}", "\u{14B}"..."\u{17E}", "\u{219}", "\u{21B}":
      .latin
    // Without ς, which browsers have interpreted in two ways.
    case "\u{3AC}"..."\u{3CE}" where scalar != "\u{3C2}": .greek
    case "\u{430}"..."\u{45F}": .cyrillic
    case "\u{AC00}"..."\u{D7A3}": .hangul
    case "\u{4E00}"..."\u{9FFF}": .han
    default: nil
    }
  }

  private static func ascii(_ host: String) -> String {
    host.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false).map { label in
      label.allSatisfy(\.isASCII) ? String(label) : "xn--" + Punycode.encode(label.map(\.value))
    }.joined(separator: ".")
  }
}
