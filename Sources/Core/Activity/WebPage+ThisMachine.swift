// SPDX-License-Identifier: Apache-2.0

/// Hosts that mean another machine on each machine, or none (RFC 6761, RFC 6890). Programs read addresses in many
/// forms, so this reads all of them, as browsers do (WHATWG URL, section 3.5). It looks nothing up.
extension WebPage {
  /// Whether the page is of this machine only. Another machine would ask itself for it, and its own server would get
  /// the path with whatever is in it. Also true if programs could read the host in different ways.
  package var isOfThisMachineOnly: Bool {
    if host.starts(withBytesOf: "[") {
      return IPv6Text.bytes(Substring(host.utf8.dropFirst())).map(Self.isLocal) ?? true
    }
    let labels = host.split(atScalar: ".", omittingEmptySubsequences: false)
    guard let last = labels.last else { return true }
    // A scalar that changes by NFKC_CF stands for an ASCII letter or digit, or is one that browsers leave out. Only a
    // label in which nothing else is foreign can become one of those below. `ß` and `ς` are in names of their own.
    let foreign = last.unicodeScalars.filter { !$0.isASCII }
    if !foreign.isEmpty {
      return foreign.allSatisfy { $0.properties.changesWhenNFKCCaseFolded && !"ßς".unicodeScalars.contains($0) }
    }
    if ["localhost", "localdomain", "localhost4", "localhost6", "localdomain4", "localdomain6"].contains(last) {
      return true
    }
    if ["ip6-localhost", "ip6-loopback", "ip6-localnet"].contains(host) { return true }
    guard Self.isNumber(last) else { return false }
    return Self.address(labels).map(Self.isLocal) ?? true
  }

  /// Whether browsers take a name that ends so for an IPv4 address.
  private static func isNumber(_ label: Substring) -> Bool {
    !label.isEmpty && label.utf8.allSatisfy { (0x30...0x39).contains($0) } || number(label) != nil
  }

  /// One to four numbers. The last one has the bytes that the others leave.
  private static func address(_ labels: [Substring]) -> UInt32? {
    guard labels.count <= 4 else { return nil }
    var address: UInt64 = 0
    for (index, label) in labels.enumerated() {
      guard let number = number(label) else { return nil }
      let bytes = index == labels.count - 1 ? 4 - index : 1
      guard number >> UInt64(8 * bytes) == 0 else { return nil }
      address = address << UInt64(8 * bytes) | number
    }
    return UInt32(exactly: address)
  }

  /// Reads `127`, `0177` and `0x7f`. Nil for everything else, and for what is more than an address.
  private static func number(_ label: Substring) -> UInt64? {
    var digits = label.utf8
    var radix = 10
    if label.starts(withBytesOf: "0x") {
      (digits, radix) = (label.utf8.dropFirst(2), 16)
      if digits.isEmpty { return 0 }
    } else if digits.count > 1, digits.first == UInt8(ascii: "0") {
      radix = 8
    }
    let first = digits.first
    guard first != UInt8(ascii: "+"), first != UInt8(ascii: "-"), let number = UInt64(Substring(digits), radix: radix)
    else { return nil }
    return number <= UInt64(UInt32.max) ? number : nil
  }

  /// Loopback, "this host" and link-local.
  private static func isLocal(_ address: UInt32) -> Bool {
    let first = address >> 24
    return first == 127 || first == 0 || address >> 16 == 0xA9FE
  }

  private static func isLocal(_ bytes: [UInt8]) -> Bool {
    // fe80::/10
    if bytes[0] == 0xFE, bytes[1] & 0xC0 == 0x80 { return true }
    // IPv4 addresses in IPv6: compatible, mapped, translated, NAT64 and 6to4. `::` and `::1` are among the first.
    let prefixes: [(prefix: [UInt8], place: Int)] = [
      (Array(repeating: 0, count: 12), 12), (Array(repeating: 0, count: 10) + [0xFF, 0xFF], 12),
      (Array(repeating: 0, count: 8) + [0xFF, 0xFF, 0, 0], 12),
      ([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], 12), ([0x20, 0x02], 2),
    ]
    return prefixes.contains { prefix, place in
      bytes.starts(with: prefix) && isLocal(bytes[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
  }
}

extension ActivityRecord {
  /// Whether the page that the activity names is another one on each machine.
  package var hasPageOfThisMachineOnly: Bool { webpageURL.flatMap { WebPage($0) }?.isOfThisMachineOnly ?? false }

  /// Whether the activity is nothing but such a page.
  package var isPageOfThisMachineOnly: Bool { activityType == Self.webPageType && hasPageOfThisMachineOnly }
}

/// The text form of an IPv6 address (RFC 4291, section 2.2).
private enum IPv6Text {
  /// - Returns: 16 bytes. Nil if it is no such text.
  static func bytes(_ text: Substring) -> [UInt8]? {
    guard let gap = position(ofGapIn: text) else { return groups(text).flatMap { $0.count == 16 ? $0 : nil } }
    guard let head = groups(text[..<gap]), let tail = groups(Substring(text[gap...].utf8.dropFirst(2))),
      head.count + tail.count <= 14
    else { return nil }
    return head + Array(repeating: 0, count: 16 - head.count - tail.count) + tail
  }

  private static func position(ofGapIn text: Substring) -> Substring.Index? {
    text.utf8.indices.first { text.utf8[$0...].starts(with: "::".utf8) }
  }

  private static func groups(_ text: Substring) -> [UInt8]? {
    guard !text.isEmpty else { return [] }
    var bytes: [UInt8] = []
    let groups = text.split(atScalar: ":", omittingEmptySubsequences: false)
    for (index, group) in groups.enumerated() {
      if index == groups.count - 1, group.containsBytes(of: ".") {
        let numbers = group.split(atScalar: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard numbers.count == 4 else { return nil }
        for number in numbers {
          guard let number else { return nil }
          bytes.append(number)
        }
      } else {
        guard group.utf8.count <= 4, let number = UInt16(group, radix: 16) else { return nil }
        bytes += [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
      }
      guard bytes.count <= 16 else { return nil }
    }
    return bytes
  }
}
