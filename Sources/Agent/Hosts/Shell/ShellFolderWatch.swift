// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import EventLoop
import Glibc

/// Reports which files of a folder were written (inotify(7)), and that another folder has its path, or none.
@Loop
final class ShellFolderWatch {
  /// Called with a name for each file that was written; with nil if all names must be read again.
  var onWritten: (@Loop (String?) -> Void)?
  /// Called when nobody finds the folder at its path any longer: it was removed, it or the folder around it was moved,
  /// or something is mounted there. Nothing follows.
  var onLost: (@Loop () -> Void)?
  private let path: String
  private let identity: FileBeneath.Identity?
  private let readiness: Readiness
  private let mounts: Readiness

  /// The size of `struct inotify_event` before the name, in bytes.
  private static let headLength = 16

  init(_ path: String) throws(SystemError) {
    self.path = path
    identity = FileBeneath(path, "")?.identity
    // With each change of the mounts, the kernel reports an error.
    mounts = Readiness(owning: open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC), tellsChanges: true)
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { throw SystemError("inotify_init1") }
    readiness = Readiness(owning: descriptor)
    let moved = IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    // While a file in it is open, a folder that was removed does not say so itself.
    for (path, mask) in [(path, moved | IN_CLOSE_WRITE), (PathComponents.parent(path), moved | IN_DELETE)] {
      guard inotify_add_watch(descriptor, path, UInt32(mask)) >= 0 else {
        throw SystemError("inotify_add_watch \(path)")
      }
    }
    readiness.onReadable = { [weak self] in self?.readable() }
    readiness.isReading = true
    mounts.onReadable = { [weak self] in self?.check() }
    mounts.isReading = true
  }

  isolated deinit {
    readiness.close()
    mounts.close()
  }

  private func check() {
    if FileBeneath(path, "")?.identity != identity { onLost?() }
  }

  private func readable() {
    var names: [String?] = []
    var hasMoved = false
    let folderName = Array((PathComponents.last(path) ?? "").utf8)
    var isRemoved = false
    withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 8) { buffer in
      let count = read(readiness.descriptor, buffer.baseAddress, buffer.count)
      var position = 0
      while position + Self.headLength <= count {
        let head = UnsafeRawBufferPointer(rebasing: buffer[position..<position + Self.headLength])
        let mask = head.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        let end = position + Self.headLength + Int(head.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        guard end <= count else { break }
        let name = buffer[position + Self.headLength..<end].prefix { $0 != 0 }
        if mask & UInt32(IN_Q_OVERFLOW) != 0 {
          names.append(nil)
        } else if mask & UInt32(IN_CLOSE_WRITE) != 0 {
          names.append(String(decoding: name, as: UTF8.self))
        } else if mask & UInt32(IN_DELETE) != 0 {
          hasMoved = hasMoved || name.elementsEqual(folderName)
        } else if mask & UInt32(IN_MOVE_SELF) != 0 {
          hasMoved = true
        } else {
          isRemoved = true
        }
        position = end
      }
    }
    // A shell that prompts often is looked at once.
    var seen: Set<String?> = []
    for name in names.reversed().filter({ seen.insert($0).inserted }).reversed() { onWritten?(name) }
    if isRemoved { onLost?() } else if hasMoved { check() }
  }
}
