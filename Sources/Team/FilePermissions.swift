import Glibc

/// Who else may read what is in the state directory: nobody.
enum FilePermissions {
  private static let fileMode: mode_t = 0o600
  private static let directoryMode: mode_t = 0o700
  /// Directories within one another: `teams`, a team, its invitations.
  private static let depth = 3

  /// Takes from others, in a directory and all that is in it, what they may do. Follows no symbolic links.
  ///
  /// - Returns: What was open to others, or closed to its owner, and with which mode; in order.
  static func mend(_ directory: String) throws(StorageError) -> [(path: String, mode: mode_t)] {
    try mend(directory, depth)
  }

  private static func mend(_ path: String, _ depth: Int) throws(StorageError) -> [(path: String, mode: mode_t)] {
    var status = stat()
    // The state directory itself may be a link: systemd makes /var/lib/baton one.
    let isRoot = depth == Self.depth
    guard isRoot ? stat(path, &status) == 0 : lstat(path, &status) == 0 else { throw StorageError("stat", path) }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFDIR || kind == S_IFREG else { return [] }
    let wanted = kind == S_IFDIR ? directoryMode : fileMode
    let mode = status.st_mode & 0o7777
    var mended: [(path: String, mode: mode_t)] = []
    if mode & ~wanted & 0o7077 != 0 || mode & wanted & 0o600 != 0o600 {
      guard chmod(path, wanted) == 0 else { throw StorageError("chmod", path) }
      mended.append((path, mode))
    }
    guard kind == S_IFDIR, depth > 0 else { return mended }
    for name in try Files.names(in: path) { mended += try mend("\(path)/\(name)", depth - 1) }
    return mended
  }
}
