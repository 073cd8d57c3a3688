// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The file that this process runs from, and what has taken its place: an upgrade renames a new file to its path, and
/// the process goes on with the old one.
package struct RunningFile: Sendable {
  private let path: String?
  /// What leads to the running file, whatever its name is by now.
  private let own: String

  private static let note = "BATON_RENEWED"

  /// Notes the path. Make one of these when the program begins, because the path can't be found out after some kinds of
  /// upgrades.
  package init() { self.init(path: ProgramFile.path, own: "/proc/self/exe") }

  init(path: String?, own: String) {
    // The kernel marks the path of a file that has just been replaced.
    let mark = " (deleted)".utf8
    self.path = path.map { path in
      guard path.utf8.suffix(mark.count).elementsEqual(mark) else { return path }
      return String(Substring(path.utf8.dropLast(mark.count)))
    }
    self.own = own
  }

  /// Whether another program is at the path now, and nobody else can have put it there. False if there is none. A link
  /// isn't followed, because anybody can make one to a file of this user.
  package var isReplaced: Bool {
    guard let path, let slash = path.unicodeScalars.lastIndex(of: "/") else { return false }
    var (running, installed, folder) = (stat(), stat(), stat())
    guard stat(own, &running) == 0, lstat(path, &installed) == 0, installed.st_mode & S_IFMT == S_IFREG,
      stat(String(path.unicodeScalars[...slash]), &folder) == 0, access(path, X_OK) == 0
    else { return false }
    return (running.st_dev, running.st_ino) != (installed.st_dev, installed.st_ino)
      && Self.isTrusted(installed, in: folder, insteadOf: running, user: geteuid())
  }

  /// Whether only root, the user and the owner of the running file decide what a new file contains. Its group may write
  /// it if it could write the running one. In a folder such as `/tmp`, others can add files, but not replace these.
  static func isTrusted(_ file: stat, in folder: stat, insteadOf running: stat, user: uid_t) -> Bool {
    let owners = [0, user, running.st_uid]
    let isSameGroup = file.st_gid == running.st_gid && running.st_mode & S_IWGRP != 0
    return owners.contains(file.st_uid) && file.st_mode & S_IWOTH == 0
      && (file.st_mode & S_IWGRP == 0 || isSameGroup)
      && owners.contains(folder.st_uid) && (folder.st_mode & S_IWOTH == 0 || folder.st_mode & S_ISVTX != 0)
  }

  /// Makes this process the program that has replaced it, with the same arguments and standard descriptors. Returns
  /// only if that fails. The other descriptors are closed, as each is opened with `O_CLOEXEC`.
  ///
  /// - Parameter note: What the new program gets from ``takeNote()``.
  package func begin(note: String? = nil) {
    guard let path, isReplaced else { return }
    if let note { setenv(Self.note, note, 1) }
    // A process inherits what the thread blocks that makes it. This one blocked nothing when it began.
    var none = sigset_t()
    var held = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &held)
    _ = execv(path, CommandLine.unsafeArgv)
    pthread_sigmask(SIG_SETMASK, &held, nil)
    unsetenv(Self.note)
  }

  /// What the program said that has become this one. Nil if there was none. Call this on the main thread, before others
  /// are there and before anything reads the environment.
  package static func takeNote() -> String? {
    defer { unsetenv(note) }
    return getenv(note).map { String(cString: $0) }
  }
}
