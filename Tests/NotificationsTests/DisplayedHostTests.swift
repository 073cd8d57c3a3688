// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Desktop

/// The hosts of pages, as users read them.
struct DisplayedHostTests {
  @Test(arguments: [
    ("example.org", "example.org"), ("münchen.de", "münchen.de"), ("žluťoučký.cz", "žluťoučký.cz"),
    ("пример.рф", "пример.рф"), ("παράδειγμα.ελ", "παράδειγμα.ελ"), ("한국.한국", "한국.한국"), ("中国.中国", "中国.中国"),
    ("xn--mnchen-3ya.de", "xn--mnchen-3ya.de"), ("192.0.2.1", "192.0.2.1"), ("[fe80::1", "[fe80::1]"),
    ("nas_2.local", "nas_2.local"),
  ])
  func hostsOfOneScriptAreShown(host: String, shown: String) { #expect(DisplayedHost.text(host) == shown) }

  @Test(arguments: [
    // Two scripts in one label, and a label of another script than the domain above it.
    ("аррle.com", "xn--le-6kc8da.com"), ("сосо.com", "xn--n1aahb.com"),
    // Characters that are easily taken for another Latin letter.
    ("ɡoogle.com", "xn--oogle-qmc.com"), ("examplı.org", "xn--exampl-u9a.org"), ("straße.de", "xn--strae-oqa.de"),
    // Scripts that are not in the list, and marks.
    ("ノ.ノ", "xn--ldk.xn--ldk"), ("עברית.example", "xn--5dbqzzl.example"),
  ])
  func othersAreShownInASCII(host: String, shown: String) { #expect(DisplayedHost.text(host) == shown) }

  @Test func marksAreShownInASCII() { #expect(DisplayedHost.text("a\u{308}.de").hasPrefix("xn--a-")) }

  @Test func aHostOfManyMarksIsNoLonger() {
    let host = "\u{4E00}" + String(repeating: "\u{301}", count: 200) + ".evil.example"
    #expect(DisplayedHost.text(host).unicodeScalars.count <= 49)
    #expect(DisplayedHost.text(host).hasSuffix(".evil.example"))
  }

  @Test func ofALongHostTheEndIsShown() {
    let host = "accounts.example.com." + String(repeating: "a", count: 60) + ".evil.example"
    #expect(DisplayedHost.text(host).hasPrefix("…") && DisplayedHost.text(host).hasSuffix("a.evil.example"))
    #expect(DisplayedHost.text(host).count == 49)
  }

  /// The samples of RFC 3492, section 7.1.
  @Test(arguments: [
    ("ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"), ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
    ("Pročprostěnemluvíčesky", "Proprostnemluvesky-uyb24dma41a"), ("MajiでKoiする5秒前", "MajiKoi5-783gue6qz075azm5e"),
    ("そのスピードで", "d9juau41awczczp"),
  ])
  func punycodeIsAsItsStandardSays(text: String, encoded: String) {
    #expect(Punycode.encode(text.unicodeScalars.map(\.value)) == encoded)
  }
}
