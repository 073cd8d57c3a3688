import Activity

/// A key for TSIG in the form of BIND (`tsig-keygen`) or of Knot DNS (`keymgr -t`).
enum TransactionKey {
  /// Reads the first key of a file. Nil if it is not for HMAC-SHA256, or something is missing.
  static func read(_ text: String) -> (name: String, secret: String)? {
    let lines = text.splitScalars(where: VisibleText.endsLine).filter { line in
      let start = line.dropScalars(while: \.properties.isWhitespace)
      return !start.starts(withBytesOf: "#") && !start.starts(withBytesOf: "//")
    }
    let words = lines.flatMap {
      $0.splitScalars(where: { $0.properties.isWhitespace || "\"{};:".unicodeScalars.contains($0) })
    }.map(String.init)
    guard words.first == "key" else { return nil }
    // Knot DNS writes a list, whose members have names.
    let isList = words.count > 1 && words[1] == "-"
    let rest = words.dropFirst(isList ? 3 : 1)
    guard let name = rest.first, !isList || words[2] == "id" else { return nil }
    let members = Array(rest.dropFirst())
    guard value(of: "algorithm", in: members) == "hmac-sha256", let secret = value(of: "secret", in: members) else {
      return nil
    }
    return (name, secret)
  }

  /// - Parameter members: Names and values in turn.
  private static func value(of name: String, in members: [String]) -> String? {
    stride(from: 0, to: members.count - 1, by: 2).first { members[$0] == name }.map { members[$0 + 1] }
  }
}
