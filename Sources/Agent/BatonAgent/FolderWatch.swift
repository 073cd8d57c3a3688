// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc

/// Reports that something in some folders has changed: a desktop entry, or a folder that contains some (inotify(7)).
@Loop
final class FolderWatch {
  private enum Interest {
    /// The desktop entries and folders in the folder with this path.
    case entries(String)
    /// The creation of this entry, which leads to a folder that does not exist yet.
    case child(String)
  }

  /// Called once, at the first change. After that, the folders must be read and watched again.
  var onChange: (@Loop () -> Void)?
  private let readiness: Readiness
  private var interests: [Int32: Interest] = [:]
  private var folders: Set<String> = []
  /// Why an existing folder is not watched.
  private(set) var trouble: SystemError?

  private static let mask = UInt32(
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
  )
  /// The size of `struct inotify_event` before the name, in bytes.
  private static let headLength = 16

  /// - Throws: If the kernel provides no more instances.
  init() throws(SystemError) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { throw SystemError("inotify_init1") }
    readiness = Readiness(owning: descriptor)
    readiness.onReadable = { [weak self] in self?.readable() }
    readiness.isReading = true
  }

  isolated deinit { readiness.close() }

  /// Watches the folder. Folders below it need their own calls. If it does not exist, the nearest existing folder above
  /// it is watched until it does.
  func add(_ folder: String) {
    guard interests.count < Limits.applicationFolders else { return }
    folders.insert(folder)
    var nearest = watchNearest(folder)
    // Nothing reports what was created before the folder above it was watched.
    for _ in 0..<Limits.applicationFolderDepth where nearest != folder {
      let before = nearest
      nearest = watchNearest(folder)
      if nearest == before { break }
    }
  }

  /// Watches the folder, or the nearest existing one above it.
  ///
  /// - Returns: The path of the folder that is watched.
  private func watchNearest(_ folder: String) -> String {
    var path = folder
    var interest = Interest.entries(folder)
    while true {
      let number = inotify_add_watch(readiness.descriptor, path, Self.mask)
      if number >= 0 {
        // Of two interests in one folder, the wider one counts.
        switch (interests[number], interest) {
        case (nil, _), (_, .entries): interests[number] = interest
        case (.child(let known), .child(let name)) where known == name: break
        default: interests[number] = .entries(path)
        }
        return path
      }
      if errno == ENOSPC || errno == ENOMEM {
        trouble = SystemError("inotify_add_watch")
        return path
      }
      guard path != "/", let slash = path.unicodeScalars.lastIndex(of: "/") else { return path }
      interest = .child(String(path[slash...].dropFirst()))
      path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
  }

  private func readable() {
    var isChanged = false
    withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 8) { buffer in
      while true {
        let count = read(readiness.descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        var position = 0
        while position + Self.headLength <= count {
          let head = UnsafeRawBufferPointer(rebasing: buffer[position..<position + Self.headLength])
          let length = Int(head.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
          let end = min(count, position + Self.headLength + length)
          let name = buffer[position + Self.headLength..<end].prefix { $0 != 0 }
          isChanged =
            concerns(
              head.loadUnaligned(as: Int32.self),
              head.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
              String(decoding: name, as: UTF8.self)
            ) || isChanged
          position = end
        }
      }
    }
    guard isChanged else { return }
    let handler = onChange
    onChange = nil
    handler?()
  }

  private func concerns(_ number: Int32, _ mask: UInt32, _ name: String) -> Bool {
    // The queue overflowed, and events were lost.
    if mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
    guard let interest = interests[number] else { return false }
    if mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) != 0 { return true }
    switch interest {
    case .entries(let folder):
      if mask & UInt32(IN_ISDIR) != 0 || name.ends(withBytesOf: ".desktop") { return true }
      // For a symbolic link, inotify only says that it is not a folder.
      let path = "\(folder)/\(name)"
      return mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0 ? Self.isFolder(path) : folders.contains(path)
    case .child(let child): return name == child
    }
  }

  /// Whether the path is a folder or a symbolic link to one.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
