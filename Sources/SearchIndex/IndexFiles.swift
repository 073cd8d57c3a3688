import Glibc

/// The files of the index, of which only this user's are used, and only by one process.
struct IndexFiles {
  let directory: String
  /// The lock, which is held as long as the index is open.
  private let lock: Int32

  static let name = "search.db"
  static let suffixes = ["", "-wal", "-shm"]

  var path: String { "\(directory)/\(Self.name)" }
  var damagedPath: String { "\(path).damaged" }

  /// Creates the directory if it does not exist, and locks the index.
  init(directory: String) throws(IndexError) {
    self.directory = directory
    if mkdir(directory, 0o700) != 0, errno != EEXIST { throw Self.error("mkdir", directory) }
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw Self.error("open", directory) }
    defer { Glibc.close(descriptor) }
    try Self.makePrivate(descriptor, directory, mode: 0o700)
    let lockPath = "\(directory)/search.lock"
    let lock = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard lock >= 0 else { throw Self.error("open", lockPath) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      Glibc.close(lock)
      throw .inUse
    }
    self.lock = lock
  }

  func unlock() { Glibc.close(lock) }

  /// The number of the database's file. Nil if there is none.
  var number: ino_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_ino : nil
  }

  /// Whether the last user of the index closed it.
  var wasClosed: Bool {
    var status = stat()
    return lstat("\(path)-wal", &status) != 0 || status.st_size == 0
  }

  /// Whether there is a damaged index that was moved aside.
  var hasDamaged: Bool {
    var status = stat()
    return lstat(damagedPath, &status) == 0
  }

  /// The size of the files in bytes.
  var size: Int {
    Self.suffixes.reduce(0) { sum, suffix in
      var status = stat()
      return lstat(path + suffix, &status) == 0 ? sum + Int(status.st_size) : sum
    }
  }

  /// Creates the database's file if it does not exist, and makes sure that it and its companions are this user's.
  ///
  /// - Returns: Whether the file is new.
  func prepare() throws(IndexError) -> Bool {
    for suffix in Self.suffixes.dropFirst() {
      var status = stat()
      guard lstat(path + suffix, &status) == 0 else { continue }
      guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
        throw .damaged("\(path)\(suffix) is not a file of this user")
      }
    }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      if [ELOOP, EISDIR, ENXIO].contains(errno) { throw .damaged("\(path) is not a file") }
      throw Self.error("open", path)
    }
    defer { Glibc.close(descriptor) }
    let status = try Self.makePrivate(descriptor, path, mode: 0o600)
    guard status.st_mode & S_IFMT == S_IFREG else { throw .damaged("\(path) is not a file") }
    return status.st_size == 0
  }

  /// Moves the database aside, in place of one that was moved before.
  func moveAside() throws(IndexError) {
    for suffix in Self.suffixes {
      try Self.remove(damagedPath + suffix)
      if rename(path + suffix, damagedPath + suffix) != 0, errno != ENOENT { throw Self.error("rename", path + suffix) }
    }
  }

  func removeDamaged() throws(IndexError) {
    for suffix in Self.suffixes { try Self.remove(damagedPath + suffix) }
  }

  private static func remove(_ path: String) throws(IndexError) {
    if unlink(path) == 0 || errno == ENOENT { return }
    // What was in the database's place may have been a directory. Only an empty one is removed.
    if errno == EISDIR || errno == EPERM, rmdir(path) == 0 { return }
    throw error("remove", path)
  }

  @discardableResult
  private static func makePrivate(_ descriptor: Int32, _ path: String, mode: mode_t) throws(IndexError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw error("stat", path) }
    guard status.st_uid == geteuid() else { throw .unusable("\(path) belongs to another user") }
    if status.st_mode & 0o777 != mode, fchmod(descriptor, mode) != 0 { throw error("chmod", path) }
    return status
  }

  private static func error(_ call: String, _ path: String) -> IndexError {
    switch errno {
    case ENOSPC, EDQUOT: .full
    case EROFS: .readOnly
    case ELOOP, ENOTDIR: .unusable("\(path) is not a file or directory of its own")
    default: .failed("\(call) \(path): \(String(cString: strerror(errno)))")
    }
  }
}
