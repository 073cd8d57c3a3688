// SPDX-License-Identifier: Apache-2.0

import Activity

/// The folders in which programs obey files that are new: what arrives from other machines must not be there.
package enum ObeyedFolder {
  /// Folders of these names have programs, hooks or modules in them.
  private static let names = [
    "autostart", "bin", "cgi-bin", "dist-packages", "hooks", "node_modules", "public_html", "sbin", "site-packages",
  ]
  /// The system's own. Disks that people plug in are below one of them.
  private static let system = [
    "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/opt", "/proc", "/root", "/run", "/sbin", "/snap",
    "/srv/http", "/srv/www", "/sys", "/usr", "/var/cache", "/var/lib", "/var/spool", "/var/www",
  ]
  private static let disks = ["/run/media", "/run/mount"]

  /// Why files must not arrive in a folder, as the end of a sentence. Nil if they can.
  ///
  /// - Parameters:
  ///   - path: Absolute, without symbolic links.
  ///   - others: More folders in which programs obey files, such as those in which they are.
  package static func objection(to path: String, home: String, others: [String] = []) -> String? {
    let (path, home) = (components(path), components(home))
    guard !path.contains(where: { $0.hasBytes(of: "..") }) else { return "the path contains .." }
    if home.starts(with: path, by: same) {
      return "it's your home directory or above it, where programs read their configuration"
    }
    let isOwn = path.starts(with: home, by: same)
    let names = isOwn ? path.dropFirst(home.count) : path[...]
    if let hidden = names.first(where: { $0.starts(withBytesOf: ".") }) {
      return "programs read their configuration in hidden folders such as \(hidden)"
    }
    if let name = names.first(where: { name in Self.names.contains { $0.hasBytes(of: name.lowercased()) } }) {
      return "programs run or read files in folders named \(name)"
    }
    if names.contains(where: { $0.lowercased().ends(withBytesOf: ".git") }) { return "git runs or reads files there" }
    if let other = others.first(where: { path.starts(with: components($0), by: same) }) {
      return "programs run or read files in \(other)"
    }
    let isOfSystem = system.contains { path.starts(with: components($0), by: same) }
    let isOnDisk = disks.contains { path.starts(with: components($0), by: same) }
    return isOfSystem && !isOwn && !isOnDisk ? "it's a system folder" : nil
  }

  private static func components(_ path: String) -> [Substring] {
    path.split(atScalar: "/").filter { !$0.hasBytes(of: ".") }
  }

  private static func same(_ one: Substring, _ other: Substring) -> Bool { one.hasBytes(of: other) }
}
