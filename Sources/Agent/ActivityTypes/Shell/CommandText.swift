// SPDX-License-Identifier: Apache-2.0

import Activity

/// Decides whether the last command of a shell may be sent.
package enum CommandText {
  /// The maximum length in bytes. A longer command is not sent, because nobody reads it.
  package static let length = 512

  /// Returns the command without the mark that Bash's `fc -ln` puts before it. Nil if it is not sent: it is empty, it
  /// is long, it looks as if it contains a secret, or it begins with a space, which is how people keep a command out of
  /// the history.
  package static func sendable(_ text: String) -> String? {
    var text = Substring(text)
    text = text.rest(afterBytesOf: "\t ") ?? text.rest(afterBytesOf: "\t*") ?? text
    while let line = text.start(beforeBytesOf: "\n") { text = line }
    guard let first = text.unicodeScalars.first, !first.properties.isWhitespace, text.utf8.count <= length,
      !hasSecret(text)
    else { return nil }
    return String(text)
  }

  /// What the names of secrets contain, and programs whose arguments often are secrets. To send too little is harmless.
  private static let parts = [
    "pass", "secret", "token", "credential", "cookie", "bearer ", "authorization:", "auth:", "auth=", "apikey",
    "api-key", "_key", "key=", "key:", "_pwd", "pwd=", "psk", "client_id", "aws_access", "sudo -s", "login", "mysql",
    "mariadb", "redis-cli", "ldap", "smbclient", "7z", "zip -p", "openssl", "ssh-keygen",
    "freerdp", "rdesktop", "/p:", "mongo", "mosquitto_", "ipmitool", "sqlplus", "rar ", "snmp", "pdftk", "qpdf",
    "sipsak",
  ]
  /// The length from which a word of letters and digits may be a key.
  private static let keyLength = 20

  /// Whether the command contains what often is a secret. Nobody can recognize all of them.
  static func hasSecret(_ text: some StringProtocol) -> Bool {
    let text = text.lowercased()
    let words = text.splitScalars(where: \.properties.isWhitespace)
    return parts.contains { text.containsBytes(of: $0) } || words.contains(where: hasAccount) || namesAccount(words)
      || text.utf8.split(whereSeparator: { !isOfKey($0) }).contains(where: isKey)
  }

  /// Whether there is `name:password@host`, as in a URL.
  private static func hasAccount(_ word: Substring) -> Bool {
    word.unicodeScalars.lastIndex(of: "@").map { word[..<$0].unicodeScalars.contains(":") } ?? false
  }

  /// Whether an option gives a program a name and a password: `-u name:password`.
  private static func namesAccount(_ words: [Substring]) -> Bool {
    words.indices.contains { index in
      (words[index].starts(withBytesOf: "-u") || words[index].starts(withBytesOf: "--user"))
        && words[index...].prefix(2).contains { $0.unicodeScalars.contains(":") }
    }
  }

  private static func isOfKey(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) || "_-+=".utf8.contains(byte) }

  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

  private static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte }

  private static func isKey(_ word: Substring.UTF8View) -> Bool {
    word.count >= keyLength && word.contains(where: isDigit) && word.contains(where: isLetter)
  }
}
