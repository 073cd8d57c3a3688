import Activity
import Documents

/// Which files an editor never offers (Editors.md, "What is never offered"): keys, passwords, and what one program lets
/// a person edit for another.
package enum PrivateFiles {
  private static let suffixes: Set = [
    "gpg", "pgp", "asc", "age", "kdb", "kdbx", "pem", "key", "ppk", "p12", "pfx", "jks", "vault", "shada",
  ]
  private static let names: Set = [
    ".netrc", "_netrc", ".pgpass", ".my.cnf", ".authinfo", ".htpasswd", ".git-credentials", ".viminfo", ".env",
    ".vault_pass", "credentials", "shadow", "gshadow", "id_rsa", "id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519",
    "id_ed25519_sk",
  ]
  /// The names of directories in which everything is private.
  package static let directories: Set = [
    ".ssh", ".gnupg", ".password-store", ".git", ".hg", ".svn", ".aws", ".azure", ".kube", ".docker", ".ansible",
    "keyrings",
  ]
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
  }

  private static func isPrivate(_ name: String) -> Bool {
    // The backup `x.gpg~` is as private as `x.gpg`.
    var name = name[...]
    while let original = name.start(beforeBytesOf: "~") { name = original }
    if names.contains(String(name)) || name.starts(withBytesOf: ".env.") { return true }
    if name.starts(withBytesOf: "."), name.ends(withBytesOf: "_history") { return true }
    if name.starts(withBytesOf: "ssh_host_"), name.ends(withBytesOf: "_key") { return true }
    guard let dot = name.unicodeScalars.lastIndex(of: ".") else { return false }
    return suffixes.contains(String(name.rest(after: dot)))
  }

  private static func isBelow(_ path: String, _ directory: String) -> Bool {
    PathComponents.path(path, below: directory) != nil
  }

  /// How files begin that are encrypted, or are keys. An editor shows what they say to its user alone.
  private static let beginnings = [
    "-----BEGIN PGP MESSAGE-----", "-----BEGIN PGP PRIVATE KEY BLOCK-----", "-----BEGIN AGE ENCRYPTED FILE-----",
    "-----BEGIN PRIVATE KEY-----", "-----BEGIN ENCRYPTED PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----",
    "-----BEGIN EC PRIVATE KEY-----", "-----BEGIN DSA PRIVATE KEY-----", "-----BEGIN OPENSSH PRIVATE KEY-----",
    "$ANSIBLE_VAULT;", "age-encryption.org/", "VimCrypt~", "Salted__", "U2FsdGVkX1", "PuTTY-User-Key-File-",
  ].map { Array($0.utf8) }

  /// The number of bytes that ``isEncrypted(_:)`` needs.
  package static let beginning = 64

  /// - Parameter bytes: The first bytes of a file.
  package static func isEncrypted(_ bytes: some Sequence<UInt8>) -> Bool {
    beginnings.contains { bytes.starts(with: $0) }
  }
}
