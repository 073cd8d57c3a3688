// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Glibc

/// What this machine sends: files, and folders with everything in them. Links among the given paths are followed; those
/// in folders are sent as links.
final class SourceTree {
  /// One of the given paths, which an entry is at or below.
  private struct Root {
    let path: [UInt8]
    let followsLinks: Bool
    /// As it was found. What a folder contains is sent only from the same folder.
    let status: stat
    /// Of a folder. Negative if it is opened by its path, because enough are open.
    var folder: Int32 = -1
  }

  /// The maximum number of folders that stay open, so that they may be renamed meanwhile.
  private static let openFolders = 32

  private(set) var entries: [TransferEntry] = []
  /// The number of bytes of all files, and what they take on the disk.
  private(set) var size: UInt64 = 0
  private(set) var stored: UInt64 = 0
  /// What is left out.
  private(set) var omissions: [Omission] = []
  private(set) var omitted = 0
  private var roots: [Root] = []
  /// The root of each entry.
  private var places: [Int] = []
  /// The first entry of each file that has several names.
  private var linked: [FileIdentity: UInt32] = [:]
  private var pathsLength = 0
  /// The numbers of the paths that lead through links.
  private(set) var links: Set<Int>
  /// Whether it is not known yet which ones do.
  private let isFirstLook: Bool
  private let control: TransferControl

  /// Reads all folders.
  ///
  /// - Parameters:
  ///   - paths: Absolute.
  ///   - links: The numbers of those that may lead through links. Nil: all may, and ``links`` tells which ones do.
  /// - Throws: ``TransferStop/failed(_:)`` with `nothingToSend` or `tooManyFiles`, or because the transfer was stopped.
  init(_ paths: [[UInt8]], links: Set<Int>?, _ control: TransferControl) throws(TransferStop) {
    self.control = control
    self.links = links ?? []
    isFirstLook = links == nil
    var taken: Set<[UInt8]> = []
    for (number, path) in paths.enumerated() { try add(path, number, &taken) }
    guard !entries.isEmpty else { throw .failed(.nothingToSend) }
  }

  deinit { for root in roots where root.folder >= 0 { close(root.folder) } }

  /// Opens a file for reading.
  ///
  /// - Returns: -1 with `errno`.
  func open(_ index: Int) -> Int32 {
    let root = roots[places[index]]
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    guard root.status.isFolder else { return Self.open(root.path, flags, followsLinks: root.followsLinks) }
    let path = below(entries[index].path)
    if root.folder >= 0 { return Descriptor.openBeneath(root.folder, path, flags) }
    let folder = Self.open(root.path, pathOnly | O_DIRECTORY | O_CLOEXEC, followsLinks: root.followsLinks)
    guard folder >= 0 else { return -1 }
    defer { close(folder) }
    var status = stat()
    guard fstat(folder, &status) == 0, status.st_dev == root.status.st_dev, status.st_ino == root.status.st_ino else {
      errno = ENOENT
      return -1
    }
    return Descriptor.openBeneath(folder, path, flags)
  }

  private static func open(_ path: [UInt8], _ flags: Int32, followsLinks: Bool) -> Int32 {
    followsLinks ? Glibc.open(path.cPath, flags) : Descriptor.openWithoutLinks(path, flags)
  }

  /// The path below the root.
  private func below(_ path: TransferPath) -> [UInt8] {
    Array(path.bytes.drop { $0 != UInt8(ascii: "/") }.dropFirst())
  }

  private func add(_ path: [UInt8], _ number: Int, _ taken: inout Set<[UInt8]>) throws(TransferStop) {
    let last = path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
    guard let given = TransferPath(last) else { return }
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    var descriptor = Self.open(path, flags, followsLinks: links.contains(number))
    if descriptor < 0, errno == ELOOP, isFirstLook {
      links.insert(number)
      descriptor = Self.open(path, flags, followsLinks: true)
    }
    // A link that was none when somebody sent this leads to what nobody wanted to send.
    guard descriptor >= 0 else {
      return omit(given, errno == ENOENT ? .vanished : errno == ELOOP ? .special : .unreadable)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.isFolder || status.isFile else {
      close(descriptor)
      return omit(given, .special)
    }
    let names = FileName(last, isFolder: status.isFolder)
    guard let name = (1...1000).lazy.map({ names.attempt($0) }).first(where: { !taken.contains($0) }),
      let top = TransferPath(name)
    else {
      close(descriptor)
      return omit(given, .pathTooLong)
    }
    taken.insert(name)
    if status.isFile {
      close(descriptor)
      roots.append(Root(path: path, followsLinks: links.contains(number), status: status))
      return try append(top, status)
    }
    let staysOpen = roots.count { $0.folder >= 0 } < Self.openFolders
    roots.append(
      Root(path: path, followsLinks: links.contains(number), status: status, folder: staysOpen ? descriptor : -1)
    )
    defer { if !staysOpen { close(descriptor) } }
    try append(top, status)
    try walk(top, descriptor)
  }

  /// Adds what is in a folder. The folders in it come right after it, each with its content, so that few are open.
  private func walk(_ top: TransferPath, _ root: Int32) throws(TransferStop) {
    var folders = [top]
    while let folder = folders.popLast() {
      if let failure = control.failure { throw .failed(failure) }
      let descriptor = Descriptor.openBeneath(root, below(folder), O_RDONLY | O_DIRECTORY)
      guard descriptor >= 0, let names = names(inFolder: descriptor) else {
        omit(folder, .unreadable)
        continue
      }
      // The listing has closed its descriptor.
      let place = Descriptor.openBeneath(root, below(folder), pathOnly | O_DIRECTORY)
      defer { if place >= 0 { close(place) } }
      var inner: [TransferPath] = []
      for name in names {
        guard let path = folder.appending(name) else {
          omit(folder, .pathTooLong)
          continue
        }
        if try add(path, name, place, below: root) { inner.append(path) }
      }
      folders += inner.reversed()
    }
  }

  /// - Returns: Whether it is a folder, whose content must follow.
  private func add(
    _ path: TransferPath,
    _ name: [UInt8],
    _ folder: Int32,
    below root: Int32
  ) throws(TransferStop) -> Bool {
    var status = stat()
    guard fstatat(folder, name.cPath, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      omit(path, errno == ENOENT ? .vanished : .unreadable)
      return false
    }
    if status.isFile || status.isFolder {
      try append(path, status)
    } else if status.isLink {
      var target = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlinkat(folder, name.cPath, &target, target.count)
      let bytes = target.prefix(max(0, count)).map(UInt8.init(truncatingIfNeeded:))
      guard let inside = path.mayLink(to: bytes) ? bytes : LinkTarget.inside(bytes, of: path, in: folder, below: root)
      else {
        omit(path, .leadsOutside)
        return false
      }
      try append(TransferEntry(path, .link(target: inside), modified: FileTime(status)), stored: 0)
    } else {
      omit(path, .special)
    }
    return status.isFolder
  }

  /// - Parameter status: Of a file or a folder.
  private func append(_ path: TransferPath, _ status: stat) throws(TransferStop) {
    if status.isFile, status.st_nlink > 1 {
      let identity = FileIdentity(device: status.st_dev, number: status.st_ino, size: status.st_size)
      if let file = linked[identity] {
        return try append(TransferEntry(path, .hardLink(file: file), modified: FileTime(status)), stored: 0)
      }
      linked[identity] = UInt32(clamping: entries.count)
    }
    let size = status.isFile ? UInt64(clamping: status.st_size) : 0
    let kind: TransferEntry.Kind =
      status.isFolder ? .folder : .file(size: size, isExecutable: status.st_mode & S_IXUSR != 0)
    // A file with holes takes less than its size.
    let stored = min(size, UInt64(clamping: status.st_blocks).multipliedReportingOverflow(by: 512).partialValue)
    let isPrivate = status.st_mode & S_IROTH == 0
    try append(TransferEntry(path, kind, modified: FileTime(status), isPrivate: isPrivate), stored: stored)
  }

  private func append(_ entry: TransferEntry, stored: UInt64) throws(TransferStop) {
    pathsLength += entry.length
    let (size, overflow) = size.addingReportingOverflow(entry.size)
    guard entries.count < Limits.transferEntries, pathsLength <= Limits.transferPathsLength else {
      throw .failed(.tooManyFiles)
    }
    guard !overflow, size <= UInt64(Int64.max) else { throw .failed(.tooLarge) }
    entries.append(entry)
    places.append(roots.count - 1)
    self.size = size
    // Checked: not more than the sizes.
    self.stored += stored
  }

  private func omit(_ path: TransferPath, _ reason: OmittedReason) {
    omitted += 1
    if omissions.count < Limits.transferOmissions { omissions.append(Omission(path, reason)) }
  }
}

/// Tells files apart that have several names. Some file servers give different files the same number.
private struct FileIdentity: Hashable {
  let device: dev_t
  let number: ino_t
  let size: off_t
}

extension FileTime {
  init(_ status: stat) {
    self.init(seconds: Int64(status.st_mtim.tv_sec), nanoseconds: UInt32(clamping: status.st_mtim.tv_nsec))
  }
}
