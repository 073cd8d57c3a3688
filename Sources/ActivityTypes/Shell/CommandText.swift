/// Decides whether the last command of a shell may be sent.
package enum CommandText {
  /// The maximum length in bytes. A longer command is not sent, because nobody reads it.
  package static let length = 512

  /// Returns the command without the mark that Bash's `fc -ln` puts before it. Nil if it is not sent: it is empty, it
  /// is long, it looks as if it contains a secret, or it begins with a space, which is how people keep a command out of
  /// the history.
  package static func sendable(_ text: String) -> String? {
    var text = Substring(text)
    if text.hasPrefix("\t ") || text.hasPrefix("\t*") { text = text.dropFirst(2) }
    while text.utf8.last == UInt8(ascii: "\n") { text = text.dropLast() }
    guard let first = text.unicodeScalars.first, !first.properties.isWhitespace, text.utf8.count <= length,
      !hasSecret(text)
    else { return nil }
    return String(text)
  }

  private static let words = [
    "passw", "passphrase", "secret", "token", "api_key", "apikey", "api-key", "credential", "authorization:", "bearer ",
    "private_key", "aws_access", "aws_secret", "--pass", "sshpass", "htpasswd", "client_id", "pgpass", "mysql_pwd",
  ]

  /// Whether the command contains what often is a secret. Nobody can recognize all of them.
  static func hasSecret(_ text: some StringProtocol) -> Bool {
    let text = text.lowercased()
    return words.contains { text.contains($0) } || hasPasswordInURL(text)
  }

  /// Whether there is `//name:password@host`.
  private static func hasPasswordInURL(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return zip(parts, zip(parts.dropFirst(), parts.dropFirst(2))).contains { scheme, rest in
      let (empty, place) = rest
      guard scheme.hasSuffix(":"), empty.isEmpty, let sign = place.lastIndex(of: "@") else { return false }
      return place[..<sign].contains(":")
    }
  }
}
