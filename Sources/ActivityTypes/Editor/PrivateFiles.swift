import Activity
import Documents

/// Which files an editor never offers (Editors.md, "What is never offered"): keys, passwords, and what one program lets
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
    if PrivateNames.names.contains(String(name)) || name.starts(withBytesOf: ".env.") { return true }
    if name.starts(withBytesOf: "."), name.ends(withBytesOf: "_history") { return true }
    if name.starts(withBytesOf: "ssh_host_"), name.ends(withBytesOf: "_key") { return true }
    let parts = name.split(atScalar: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1, let first = parts.first, let last = parts.last else { return false }
    return PrivateNames.suffixes.contains(last)
      // Terraform reads `prod.tfvars.json`, too.
      || parts[parts.count - 2].hasBytes(of: "tfvars")
      || PrivateNames.dataSuffixes.contains(last)
        && (PrivateNames.dataNames.contains(first) || first.starts(withBytesOf: "client_secret_"))
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
    "PuTTY-User-Key-File-",
    // kubectl, and the service accounts of Google.
    "client-key-data: ", "\"private_key\": \"-----BEGIN",
  ].map { Array($0.utf8) }
  /// How lines of WireGuard's files begin.
  private static let wireGuard = ["[Interface]", "PrivateKey"].map { Array($0.utf8) }
  /// Spaces, and what is before a text in UTF-8.
  private static let spaces: Set<UInt8> = [0x20, 0x09, 0xEF, 0xBB, 0xBF]
  /// What sops encrypts, wherever it is in a line.
  private static let encrypted = Array("ENC[AES256_GCM,data:".utf8)

  /// The number of bytes that ``isEncrypted(_:)`` needs.
  package static let beginning = 16 * 1024

  /// Whether a line says that the file is encrypted, or has a key.
  ///
  /// - Parameter bytes: The first bytes of a file.
  package static func isEncrypted(_ bytes: some Sequence<UInt8>) -> Bool {
    let lines = Array(bytes).split(separator: UInt8(ascii: "\n")).map { $0.drop(while: spaces.contains) }
    return lines.contains { line in beginnings.contains { line.starts(with: $0) } || contains(line, encrypted) }
      || wireGuard.allSatisfy { part in lines.contains { $0.starts(with: part) } }
  }

  private static func contains(_ line: ArraySlice<UInt8>, _ part: [UInt8]) -> Bool {
    guard let first = part.first else { return true }
    return line.indices.contains { line[$0] == first && line[$0...].starts(with: part) }
  }
}
