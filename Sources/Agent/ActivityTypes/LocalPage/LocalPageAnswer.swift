// SPDX-License-Identifier: Apache-2.0

import Activity
import Localization

/// A response that Baton gives a browser in place of a server's.
package struct LocalPageAnswer: Equatable, Sendable {
  package let status: Int
  let reason: String
  package let text: String
  let reloads: Bool
  let location: String?

  /// After how many seconds a page loads again that waits for the user of the other machine.
  private static let reloadTime = 2

  init(_ status: Int, _ reason: String, _ text: String, reloads: Bool = false, location: String? = nil) {
    (self.status, self.reason, self.text, self.reloads, self.location) = (status, reason, text, reloads, location)
  }

  /// The page is at another address of this machine.
  ///
  /// - Parameter address: Of characters that a field can have.
  package static func redirect(_ address: String) -> Self {
    // It keeps the method and the content, as a form needs it.
    Self(307, "Temporary Redirect", localized("This page is at \(address)."), location: address)
  }

  /// The server's response leads to an address that is another program's here.
  ///
  /// - Parameters:
  ///   - address: As the server has sent it.
  ///   - machine: The name of the other machine, as it is shown.
  package static func elsewhere(_ address: String, _ machine: String) -> Self {
    let address = Printable.text(address, limit: longestAddress)
    return Self(
      502,
      "Bad Gateway",
      localized("The server redirects to \(address), which only exists on \(machine). Open that page there instead.")
    )
  }

  /// The maximum length of an address that is shown, in bytes.
  private static let longestAddress = 200

  /// - Parameters:
  ///   - asPage: Whether a person sees it. Programs get plain text.
  ///   - isHead: Whether only the head was asked for.
  package func bytes(asPage: Bool, isHead: Bool = false) -> [UInt8] {
    let body =
      asPage
      ? "<!DOCTYPE html><meta charset=utf-8><meta name=viewport content=\"width=device-width\"><title>Baton</title>"
        + "<style>:root{color-scheme:light dark}body{font:1.1em sans-serif;margin:4em auto;max-width:36em}</style>"
        + "<p>\(Self.escaped(text))</p>\n"
      : text + "\n"
    var lines = [
      "HTTP/1.1 \(status) \(reason)", "Content-Type: text/\(asPage ? "html" : "plain"); charset=utf-8",
      "Content-Length: \(body.utf8.count)", "Cache-Control: no-store", "Connection: close",
      "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'",
    ]
    if let location { lines.append("Location: \(location)") }
    if reloads, asPage { lines.append("Refresh: \(Self.reloadTime)") }
    return Array((lines + ["", ""]).joined(separator: "\r\n").utf8) + (isHead ? [] : Array(body.utf8))
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      default: String(scalar)
      }
    }.joined()
  }
}
