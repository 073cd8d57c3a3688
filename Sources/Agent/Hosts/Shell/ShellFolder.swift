// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc

/// The folder in which shells and their host meet: `baton-shells` in the user's runtime directory, which only the user
/// can enter. It is not in `baton` there, because systemd removes that folder whenever the user's batond stops.
///
/// - `PID`: what the shell wrote at its last prompt, a ``ShellReport``. A file takes a write without anyone who reads:
///   the prompt never waits, as it would for a FIFO that is full or has no reader, and Bash, zsh and fish can write
///   one without another process.
/// - `focus-PID`: made when the terminal of this shell gets the focus.
/// - `host`: a symbolic link to `/proc/PID` of the host. So a shell sees without another process whether there is one.
/// - `lock`: the host has locked it.
package struct ShellFolder: Sendable {
  package let path: String

  private static let name = "baton-shells"

  /// Nil if the user has no runtime directory of their own. A shell after `su` may have that of another user.
  package init?(runtimeDirectory: String?) {
    guard let directory = runtimeDirectory, directory.starts(withBytesOf: "/"), Self.isOwn(directory) else {
      return nil
    }
    path = "\(directory)/\(Self.name)"
  }

  /// The folder of this process's user.
  package static var own: ShellFolder? {
    ShellFolder(runtimeDirectory: ProcessEnvironment.current["XDG_RUNTIME_DIR"] ?? "/run/user/\(geteuid())")
  }

  /// Whether the hook of this shell has written here.
  package func isKnown(_ shell: Int32) -> Bool { access("\(path)/\(shell)", F_OK) == 0 }

  /// Whether there is a host.
  package var hasHost: Bool { access("\(path)/host/stat", F_OK) == 0 }

  private static func isOwn(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
  }

  // MARK: For the host

  /// Makes the folder.
  func make() throws(SystemError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemError("mkdir \(path)") }
    guard Self.isOwn(path), chmod(path, 0o700) == 0 else { throw SystemError("\(path)", EPERM) }
  }

  /// Returns what the shell has written; nil if that is not a regular file.
  func read(_ shell: Int32, limit: Int) -> [UInt8]? {
    RegularFile("\(path)/\(shell)", length: limit + 1, followsLinks: false)?.bytes
  }

  /// Makes an empty file.
  func make(_ name: String) {
    let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }

  func remove(_ name: String) { unlink("\(path)/\(name)") }

  /// The names in the folder, those that changed last at the end.
  func names() -> [String] {
    let names = Folder.names(in: path).compactMap { name -> (name: String, time: timespec)? in
      var status = stat()
      return lstat("\(path)/\(name)", &status) == 0 ? (name, status.st_mtim) : nil
    }
    return names.sorted { ($0.time.tv_sec, $0.time.tv_nsec) < ($1.time.tv_sec, $1.time.tv_nsec) }.map(\.name)
  }

  /// Opens the file that the host locks.
  func openLock() throws(SystemError) -> Int32 {
    let descriptor = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError("open \(path)/lock") }
    return descriptor
  }

  /// Takes or gives up the lock. It is one of fcntl(2), which ends with this process. One of flock(2) would outlive a
  /// process that is killed while it starts a program, until that program has closed its copy of the descriptor.
  ///
  /// - Returns: Whether this process has it now, or has given it up. Another process may have it.
  @discardableResult
  static func setLock(_ isLocked: Bool, on descriptor: Int32) -> Bool {
    var lock = flock()
    lock.l_type = Int16(isLocked ? F_WRLCK : F_UNLCK)
    lock.l_whence = Int16(SEEK_SET)
    return fcntl(descriptor, F_SETLK, &lock) == 0
  }

  /// What leads to `/proc/PID` of this process.
  private static var ownProcess: String { "/proc/\(getpid())" }

  /// Takes back ``announce()``. Another host may have a folder of the same path by now.
  func withdraw() {
    var target = [UInt8](repeating: 0, count: 64)
    let count = readlink("\(path)/host", &target, target.count)
    if target.prefix(max(0, count)).elementsEqual(Self.ownProcess.utf8) { remove("host") }
  }

  /// Tells the shells that this process is the host.
  func announce() throws(SystemError) {
    unlink("\(path)/host.new")
    guard symlink(Self.ownProcess, "\(path)/host.new") == 0, rename("\(path)/host.new", "\(path)/host") == 0 else {
      throw SystemError("symlink \(path)/host")
    }
  }
}
