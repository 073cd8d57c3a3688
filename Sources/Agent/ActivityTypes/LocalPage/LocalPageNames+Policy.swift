// SPDX-License-Identifier: Apache-2.0

import Activity

extension LocalPageNames {
  /// Lets the policy of a page (Content Security Policy, level 3, section 2.3.1) allow each of the servers that it
  /// names under its name here, too. Pages use both names: the one here where they ask the browser for the page's own.
  func policyToHere(_ policy: String) -> String {
    var text = ""
    var word = String.UnicodeScalarView()
    // The last separator is not part of the field.
    for scalar in policy.unicodeScalars + ";".unicodeScalars {
      guard " \t;,".unicodeScalars.contains(scalar) else {
        word.append(scalar)
        continue
      }
      text += String(word)  // Checked: texts.
      if let other = sourceHere(String(word)) { text += " " + other }  // Checked: texts.
      word = String.UnicodeScalarView()
      text.unicodeScalars.append(scalar)
    }
    return String(text.unicodeScalars.dropLast())
  }

  /// `ws://localhost:3035` or `localhost:*`, as a browser here has to name it. Nil if it is no source of that kind.
  private func sourceHere(_ source: String) -> String? {
    let scheme = ["http://", "ws://"].first { source.starts(withBytesOf: $0) } ?? ""
    let rest = source.rest(afterBytesOf: scheme) ?? source[...]
    let authority = rest.scalarPrefix { $0 != "/" }
    let path = Substring(rest.utf8.dropFirst(authority.utf8.count))
    if let host = authority.start(beforeBytesOf: ":*") {
      return here(host.lowercased()).map { "\(scheme)\($0):*\(path)" }
    }
    let address = "http://\(authority)"
    let changed = toHere(address)
    guard !changed.hasBytes(of: address), let changed = changed.rest(afterBytesOf: "http://") else { return nil }
    return "\(scheme)\(changed)\(path)"
  }
}
