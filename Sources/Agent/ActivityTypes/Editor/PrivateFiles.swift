// SPDX-License-Identifier: Apache-2.0

import Activity

/// Which files an editor never offers (Editors.md, "What is sent"): keys, passwords, and what one program lets
/// a person edit for another.
package enum PrivateFiles {
  /// The names of directories in which everything is private.
  package static let directories = PrivateNames.directories
  private static let systemDirectories = [
    "/dev", "/proc", "/sys", "/run", "/etc/ssl/private", "/etc/sudoers", "/etc/sudoers.d",
    "/etc/NetworkManager/system-connections", "/etc/wireguard", "/etc/wpa_supplicant",
  ]
  /// Where desktops mount disks.
  private static let media = "/run/media"

  /// - Parameter path: Absolute, without `..`.
  package static func contains(_ path: String) -> Bool {
    let components = PathComponents.split(path)
    guard let name = components.last else { return false }
    if systemDirectories.contains(where: { isBelow(path, $0) }), !isBelow(path, media) { return true }
    return components.dropLast().contains(where: directories.contains) || isPrivate(name.lowercased())
      || PrivateNames.ends.contains { path.lowercased().ends(withBytesOf: "/\($0)") }
  }

  private static func isPrivate(_ name: String) -> Bool {
    // The backup `x.gpg~` is as private as `x.gpg`.
    var name = name[...]
    while let original = PrivateNames.copies.lazy.compactMap({ name.start(beforeBytesOf: $0) }).first {
      name = original
    }
    return isPrivateOriginal(String(name)) || isPrivateOriginal(withoutNumber(String(name)))
  }

  private static func isPrivateOriginal(_ name: String) -> Bool {
    if PrivateNames.names.contains(name) { return true }
    if [".env.", ".env-", ".env_", ".dev.vars"].contains(where: { name.starts(withBytesOf: $0) }) { return true }
    if name.starts(withBytesOf: "."), name.ends(withBytesOf: "_history") { return true }
    if name.starts(withBytesOf: "ssh_host_"), name.ends(withBytesOf: "_key") { return true }
    let parts = name.split(atScalar: ".", omittingEmptySubsequences: false).map(String.init)
    // `.credentials.json` is as private as `credentials.json`.
    guard parts.count > 1, let first = parts.first(where: { !$0.isEmpty }), let last = parts.last else { return false }
    return PrivateNames.suffixes.contains(last)
      // Terraform reads `prod.tfvars.json`, too.
      || parts[parts.count - 2].hasBytes(of: "tfvars")
      || PrivateNames.dataSuffixes.contains(last)
        && (PrivateNames.dataNames.contains(first) || first.starts(withBytesOf: "client_secret_"))
  }

  /// Returns the name of the file of which this is the second or another copy: `id_rsa` of `id_rsa-2` and `id_rsa (1)`.
  private static func withoutNumber(_ name: String) -> String {
    let bytes = Array(name.utf8)
    let end = NameSuffix.start(in: bytes)
    var stem = bytes[..<end]
    let isClosed = stem.last == UInt8(ascii: ")")
    if isClosed { stem.removeLast() }
    let digits = stem.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    // Checked: a part of it.
    stem = stem.dropLast(digits.count)
    let sign = Array((isClosed ? " (" : "-").utf8)
    guard !digits.isEmpty, stem.reversed().starts(with: sign.reversed()) else { return name }
    return String(decoding: stem.dropLast(sign.count) + bytes[end...], as: UTF8.self)
  }

  private static func isBelow(_ path: String, _ directory: String) -> Bool {
    PathComponents.path(path, below: directory) != nil
  }

  /// How lines begin of files that are encrypted, or contain keys. An editor shows what they say to its user alone.
  private static let beginnings = [
    "-----BEGIN PGP MESSAGE-----", "-----BEGIN PGP PRIVATE KEY BLOCK-----", "-----BEGIN AGE ENCRYPTED FILE-----",
    "-----BEGIN PRIVATE KEY-----", "-----BEGIN ENCRYPTED PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----",
    "-----BEGIN EC PRIVATE KEY-----", "-----BEGIN DSA PRIVATE KEY-----", "-----BEGIN OPENSSH PRIVATE KEY-----",
    "$ANSIBLE_VAULT;", "age-encryption.org/", "AGE-SECRET-KEY-", "VimCrypt~", "Salted__", "U2FsdGVkX1",
    "PuTTY-User-Key-File-", "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY",
  ].map { Array($0.utf8) }
  /// What stands before a key, wherever that is: in a program, in JSON of one line, or in a file of kubectl's.
  private static let announcements = ["PRIVATE KEY-----", "PRIVATE KEY BLOCK-----", "client-key-data"].map {
    Array($0.utf8)
  }
  /// What stands between that and the key.
  private static let separators = Set(" \t\r\n\"':".utf8)
  /// No word is as long, and each key is longer. In bytes.
  private static let shortestKey = 32
  /// How lines of WireGuard's files begin.
  private static let wireGuard = ["[Interface]", "PrivateKey"].map { Array($0.utf8) }
  /// Spaces, and what is before a text in UTF-8 or UTF-16.
  private static let spaces: Set<UInt8> = [0x20, 0x09, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF]
  /// What sops encrypts, wherever it is in a line.
  private static let encrypted = Array("ENC[AES256_GCM,data:".utf8)

  /// The number of bytes that ``isEncrypted(_:)`` needs.
  package static let beginning = 16 * 1024

  /// Whether a line says that the file is encrypted, or has a key.
  ///
  /// - Parameter bytes: The first bytes of a file.
  package static func isEncrypted(_ bytes: some Sequence<UInt8>) -> Bool {
    // In UTF-16, each other byte of the signs that count is 0.
    let text = bytes.filter { $0 != 0 }
    let lines = text.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map {
      $0.drop(while: spaces.contains)
    }
    return lines.contains { line in beginnings.contains { line.starts(with: $0) } || contains(line, encrypted) }
      || wireGuard.allSatisfy { part in lines.contains { $0.starts(with: part) } }
      || announcements.contains { isKey(in: text, after: $0) }
  }

  private static func isKey(in text: [UInt8], after announcement: [UInt8]) -> Bool {
    places(of: announcement, in: text[...]).contains { place in
      var rest = text[place...].dropFirst(announcement.count)
      while let byte = rest.first, separators.contains(byte) || byte == UInt8(ascii: "\\") {
        // `\n` in a text in quotes.
        rest = rest.dropFirst(byte == UInt8(ascii: "\\") ? 2 : 1)
      }
      return rest.prefix(shortestKey).count { isBase64($0) } == shortestKey
    }
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }

  private static func contains(_ line: ArraySlice<UInt8>, _ part: [UInt8]) -> Bool {
    !places(of: part, in: line).isEmpty
  }

  private static func places(of part: [UInt8], in text: ArraySlice<UInt8>) -> [Int] {
    text.indices.filter { text[$0] == part.first && text[$0...].starts(with: part) }
  }
}
