// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Keeps everybody else from reading the state directory.
enum FilePermissions {
  /// The levels of nesting: `teams`, a team, its invitations, and one of those.
  private static let depth = 4

  /// Takes other users' permissions away, and gives the owner access, in a directory and everything in it. Follows no
  /// symbolic links.
  ///
  /// - Returns: Sentences about what was open to others, or closed to its owner. If something cannot be changed,
  ///   everything else is changed nevertheless.
  static func mend(_ directory: String) -> [String] { mend(directory, depth) }

  private static func mend(_ path: String, _ depth: Int) -> [String] {
    var status = stat()
    // The state directory itself may be a link, because systemd makes /var/lib/baton one.
    let isRoot = depth == Self.depth
    guard isRoot ? stat(path, &status) == 0 : lstat(path, &status) == 0 else { return [] }
    let kind = FileKind(mode: status.st_mode)
    guard kind == .directory || kind == .file else { return [] }
    let wanted = kind == .directory ? Files.directoryMode : Files.mode
    let mode = status.st_mode & 0o7777
    var lines: [String] = []
    if mode & ~wanted & 0o7077 != 0 || mode & wanted & 0o600 != 0o600 {
      let had = "\(path) had the mode \(String(mode, radix: 8))"
      if chmod(path, wanted) == 0 {
        lines.append("\(had), so access was restricted to its owner")
      } else {
        lines.append("\(had), which couldn't be changed: \(StorageError("chmod", path))")
      }
    }
    guard kind == .directory, depth > 0 else { return lines }
    for name in (try? Files.names(in: path)) ?? [] { lines += mend("\(path)/\(name)", depth - 1) }
    return lines
  }
}
