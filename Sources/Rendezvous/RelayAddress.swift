import Activity

/// A relay of Syncthing's kind (`strelaysrv`): where it is, and the certificate that it shows.
package struct RelayAddress: Hashable, Sendable {
  package static let defaultPort: UInt16 = 22067

  package let server: ServerAddress
  /// SHA-256 of its certificate: 32 bytes. Nil if nobody knows it.
  package let id: [UInt8]?

  package init(host: String, port: UInt16, id: [UInt8]?) {
    let text = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    // What cannot be an address is looked up in vain.
    server = ServerAddress(text) ?? ServerAddress(invalid: host, port: port)
    self.id = id
  }

  /// Reads `HOST`, `HOST:PORT` or what a relay prints when it starts: `relay://HOST:PORT/?id=ID`. Nil if it is none of
  /// them, or a letter of the ID is wrong.
  package init?(_ text: String) {
    guard text.utf8.count <= Limits.serverAddressLength else { return nil }
    guard text.hasPrefix("relay://") else {
      guard let server = ServerAddress(text, defaultPort: Self.defaultPort) else { return nil }
      (self.server, id) = (server, nil)
      return
    }
    let rest = text.dropFirst("relay://".count)
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    guard let server = ServerAddress(String(rest[..<end]), defaultPort: Self.defaultPort) else { return nil }
    self.server = server
    let items = rest[end...].drop { $0 == "/" || $0 == "?" }.split(separator: "&")
    guard let item = items.first(where: { $0.hasPrefix("id=") }) else {
      id = nil
      return
    }
    guard let id = SyncthingID.decode(String(item.dropFirst(3))) else { return nil }
    self.id = id
  }

  package var text: String { "relay://\(server)/" + (id.map { "?id=\(SyncthingID.encode($0))" } ?? "") }
}

/// The text of an ID at relays: base 32 with a check letter after each 13 letters, in groups of seven.
enum SyncthingID {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
  private static let part = 13
  private static let parts = 4

  /// - Parameter id: 32 bytes.
  static func encode(_ id: [UInt8]) -> String {
    var (word, bits, letters): (UInt32, UInt32, [UInt8]) = (0, 0, [])
    for byte in id + [0] {
      // Checked: at most 4 bits wait.
      word = (word << 8 | UInt32(byte)) & 0xFFF
      bits += 8
      while bits >= 5, letters.count < part * parts {
        bits -= 5
        letters.append(UInt8(truncatingIfNeeded: word >> bits & 31))
      }
    }
    var text: [UInt8] = []
    for start in stride(from: 0, to: letters.count, by: part) {
      let group = letters[start..<min(start + part, letters.count)]
      text += (group + [check(group)]).map { digits[Int($0)] }
    }
    let groups = stride(from: 0, to: text.count, by: 7).map {
      String(decoding: text[$0..<min($0 + 7, text.count)], as: UTF8.self)
    }
    return groups.joined(separator: "-")
  }

  static func decode(_ text: String) -> [UInt8]? {
    let letters = text.utf8.filter { $0 != UInt8(ascii: "-") }.compactMap { letter in
      digits.firstIndex(of: letter).map { UInt8(truncatingIfNeeded: $0) }
    }
    guard letters.count == (part + 1) * parts, text.utf8.count <= 2 * letters.count else { return nil }
    var (word, bits, bytes): (UInt32, UInt32, [UInt8]) = (0, 0, [])
    for start in stride(from: 0, to: letters.count, by: part + 1) {
      let group = letters[start..<start + part]
      guard check(group) == letters[start + part] else { return nil }
      for digit in group {
        // Checked: at most 12 bits wait.
        word = (word << 5 | UInt32(digit)) & 0xFFF
        bits += 5
        guard bits >= 8 else { continue }
        bits -= 8
        // Checked: eight bits.
        bytes.append(UInt8(truncatingIfNeeded: word >> bits))
      }
    }
    return bytes.count == 32 ? bytes : nil
  }

  /// The check letter, by Luhn's algorithm for 32 letters as Syncthing has it.
  private static func check(_ digits: ArraySlice<UInt8>) -> UInt8 {
    var (factor, sum): (Int, Int) = (1, 0)
    for digit in digits {
      let product = factor * Int(digit)
      sum += product / 32 + product % 32
      factor = factor == 2 ? 1 : 2
    }
    return UInt8((32 - sum % 32) % 32)
  }
}
