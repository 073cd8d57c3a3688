// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Glibc
import JSONCoding

/// The hidden folder in which one transfer arrives, next to where its files will be. They get their names there once
/// all of them are complete. Nothing in it is reached through a link.
///
/// From then on, the file `complete` says so, until somebody removes the folder. So a receiver that is killed while it
/// gives the names does not receive anything twice.
package final class StagingFolder {
  /// The name of the folder that contains the staging folders of all transfers.
  package static let name = ".baton-incoming"
  private static let content = "files"
  private static let mark = "complete"
  private static let attempts = 1000

  /// The path of the folder in which everything arrives.
  package let target: String
  /// The staging folder's name, which is that of the transfer.
  private let transfer: String
  private let targetFolder: Int32
  private let incoming: Int32
  private let own: Int32
  /// What has arrived.
  let folder: Int32

  /// Makes the folders, unless they are there.
  ///
  /// - Parameters:
  ///   - target: An absolute path.
  ///   - transfer: A name without slashes.
  package init(in target: String, transfer: String) throws(SystemError) {
    self.target = target
    self.transfer = transfer
    mkdir(target, 0o700)
    let targetFolder = open(target, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    var (incoming, own) = (Int32(-1), Int32(-1))
    // The end of another transfer may take the folder away meanwhile.
    for _ in 0..<Self.attempts {
      if incoming >= 0 { close(incoming) }
      incoming = Self.make(Self.name, in: targetFolder)
      own = Self.make(transfer, in: incoming)
      guard own < 0, errno == ENOENT else { break }
    }
    let folder = Self.make(Self.content, in: own)
    (self.targetFolder, self.incoming, self.own, self.folder) = (targetFolder, incoming, own, folder)
    if folder < 0 { throw SystemError(target) }
  }

  deinit { for descriptor in [targetFolder, incoming, own, folder] where descriptor >= 0 { close(descriptor) } }

  private static func make(_ name: String, in folder: Int32) -> Int32 {
    guard folder >= 0 else { return -1 }
    if mkdirat(folder, name, 0o700) != 0, errno != EEXIST { return -1 }
    let descriptor = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return -1 }
    // Where others may write, they could have made it. A file system without owners gives all of it to one.
    var (status, parent) = (stat(), stat())
    guard fstat(descriptor, &status) == 0, fstat(folder, &parent) == 0,
      status.st_uid == geteuid() || status.st_uid == parent.st_uid
    else {
      close(descriptor)
      errno = EPERM
      return -1
    }
    return descriptor
  }

  /// The number of bytes that users other than root can still write. Nil if the file system does not say.
  var freeSpace: UInt64? { Self.freeSpace(behind: folder) }

  /// How many files and folders can still be made if as large a part of them stays free as `reserve` is of the disk.
  /// Nil if the file system has no such limit.
  func freeEntries(beside reserve: UInt64) -> UInt64? {
    var status = statvfs()
    guard fstatvfs(folder, &status) == 0, status.f_files > 0, status.f_blocks > 0 else { return nil }
    let part = min(1, Double(reserve) / (Double(status.f_blocks) * Double(status.f_frsize)))
    let free = Double(status.f_favail) - Double(status.f_files) * part
    return free > 0 ? UInt64(exactly: free.rounded(.down)) : 0
  }

  /// The number of free bytes on the file system of a folder that may not exist yet.
  package static func freeSpace(of folder: String) -> UInt64? {
    var path = folder[...]
    while !path.isEmpty, access(String(path), F_OK) != 0 {
      path = path[..<(path.unicodeScalars.lastIndex(of: "/") ?? path.startIndex)]
    }
    let descriptor = open(path.isEmpty ? "/" : String(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return freeSpace(behind: descriptor)
  }

  /// Why nothing can arrive in a folder. One that does not exist is made, but not what contains it.
  package static func obstacle(to folder: String) -> SystemError? {
    var status = stat()
    let exists = stat(folder, &status) == 0
    if !exists, errno != ENOENT { return SystemError(folder) }
    // A link that leads nowhere has the folder's name, such as one to a disk that is unplugged.
    if !exists, lstat(folder, &status) == 0 { return SystemError(folder, ENOENT) }
    if exists, status.st_mode & S_IFMT != S_IFDIR { return SystemError(folder, ENOTDIR) }
    let parent = folder[..<(folder.unicodeScalars.lastIndex(of: "/") ?? folder.startIndex)]
    let place = exists ? folder : parent.isEmpty ? "/" : String(parent)
    guard access(place, W_OK | X_OK) == 0 else { return SystemError(place) }
    // In a folder where everybody may write, another user can make it first.
    let staging = "\(folder)/\(name)"
    guard lstat(staging, &status) == 0 else { return nil }
    return status.isFolder && status.st_uid == geteuid() ? nil : SystemError(staging, EPERM)
  }

  private static func freeSpace(behind descriptor: Int32) -> UInt64? {
    var status = statvfs()
    guard fstatvfs(descriptor, &status) == 0, status.f_blocks > 0 else { return nil }
    let (free, isHuge) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return isHuge ? .max : free
  }

  /// Whether everything has arrived, so that only names are missing, if at all.
  var isComplete: Bool { faccessat(own, Self.mark, F_OK, 0) == 0 }

  /// Checks that the folder is still where everything is to arrive. Somebody could have renamed it, or unplugged its
  /// disk.
  private func checkTarget() throws(SystemError) {
    var (now, then) = (stat(), stat())
    guard stat(target, &now) == 0, fstat(targetFolder, &then) == 0 else { throw SystemError(target) }
    guard now.st_dev == then.st_dev, now.st_ino == then.st_ino else { throw SystemError(target, ENOENT) }
  }

  /// Says that everything has arrived. It has been written to the disk.
  func complete(_ arrival: Arrival) throws(SystemError) {
    try checkTarget()
    let descriptor = openat(own, "\(Self.mark).new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError("open") }
    defer { close(descriptor) }
    try Descriptor.write(arrival.json.bytes[...], to: descriptor)
    guard fsync(descriptor) == 0, renameat(own, "\(Self.mark).new", own, Self.mark) == 0 else {
      throw SystemError("write")
    }
    try Self.writeToDisk(folder: folder)
    try Self.writeToDisk(folder: own)
  }

  /// Writes the names in a folder to the disk.
  static func writeToDisk(folder: Int32) throws(SystemError) {
    // Some file systems of other machines cannot do this.
    guard fsync(folder) == 0 || errno == EINVAL else { throw SystemError("fsync") }
  }

  /// What was noted when everything had arrived. Nil if it has not.
  var arrival: Arrival? {
    guard isComplete else { return nil }
    let path = "\(target)/\(Self.name)/\(transfer)/\(Self.mark)"
    let file = RegularFile(path, length: Self.markLength, followsLinks: false)
    let json = file.flatMap { try? JSON(parsing: $0.bytes, depth: 8) }
    return json.flatMap(Arrival.init(json:)) ?? Arrival(omitted: 0, omissions: [])
  }

  /// In bytes.
  private static let markLength = 256 * 1024

  /// Gives everything that has arrived its final name. What has such a name already gets another one, and so does what
  /// would be hidden or obeyed there (``ArrivingName``).
  ///
  /// - Parameter asked: The names that a person was asked about, as people see them.
  /// - Returns: The paths of those that got their names now.
  func publish(asked: Set<[UInt8]>) throws(SystemError) -> [[UInt8]] {
    var paths: [[UInt8]] = []
    do {
      try giveNames(&paths, asked)
      return paths
    } catch {
      // Nobody has any of it yet, and the origin is told that it failed. What it sends next time can be newer.
      if paths.isEmpty { unlinkat(own, Self.mark, 0) }
      throw error
    }
  }

  private func giveNames(_ paths: inout [[UInt8]], _ asked: Set<[UInt8]>) throws(SystemError) {
    try checkTarget()
    guard let names = names(inFolder: openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else {
      throw SystemError(target)
    }
    for name in names {
      let isAsked = asked.contains(Array(String(decoding: name, as: UTF8.self).utf8))
      var status = stat()
      let isFolder = fstatat(folder, name.cPath, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.isFolder
      let final = ArrivingName(name, isFolder: isFolder, isAsked: isAsked) { [folder] isDeep, isMeant in
        isFolder && Self.holds(name, in: folder, depth: isDeep ? TransferPath.depth : 1, isMeant)
      }
      ArrivalMark.set(on: name, in: folder)
      var attempt = 1
      while rename(name, final.attempt(attempt)) != 0 {
        guard errno == EEXIST, attempt < Self.copies else { throw SystemError(target) }
        attempt += 1
      }
      paths.append(Array(target.utf8) + [UInt8(ascii: "/")] + final.attempt(attempt))
    }
    try Self.writeToDisk(folder: targetFolder)
  }

  /// Whether a file that is meant is in a folder.
  ///
  /// - Parameter depth: How many folders deep it can be.
  private static func holds(_ name: [UInt8], in folder: Int32, depth: Int, _ isMeant: ([UInt8]) -> Bool) -> Bool {
    let inner = openat(folder, name.cPath, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard inner >= 0 else { return false }
    defer { close(inner) }
    let found = names(inFolder: openat(inner, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) ?? []
    return found.contains { isMeant($0) || depth > 1 && holds($0, in: inner, depth: depth - 1, isMeant) }
  }

  /// The maximum number of files with the same name.
  private static let copies = 10_000

  private func rename(_ name: [UInt8], _ final: [UInt8]) -> Int32 {
    let result = Descriptor.rename(name, in: folder, toNew: final, in: targetFolder)
    guard result != 0, errno == EINVAL || errno == ENOSYS else { return result }
    // Network file systems cannot do this. There, a link replaces nothing.
    var status = stat()
    guard fstatat(folder, name.cPath, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return -1 }
    if status.isFile {
      if linkat(folder, name.cPath, targetFolder, final.cPath, 0) == 0 { return unlinkat(folder, name.cPath, 0) }
      guard errno != EEXIST else { return -1 }
    }
    // What is replaced now is ours, and empty.
    guard reserve(final, asFolder: status.isFolder) else { return -1 }
    guard renameat(folder, name.cPath, targetFolder, final.cPath) != 0 else { return 0 }
    let code = errno
    unlinkat(targetFolder, final.cPath, status.isFolder ? AT_REMOVEDIR : 0)
    errno = code
    return -1
  }

  /// Makes an empty file or folder, unless the name exists.
  private func reserve(_ name: [UInt8], asFolder: Bool) -> Bool {
    if asFolder { return mkdirat(targetFolder, name.cPath, 0o700) == 0 }
    let descriptor = openat(targetFolder, name.cPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0
  }

  /// Deletes the folder with everything in it.
  package func remove() {
    Self.removeContent(of: own, depth: 0)
    unlinkat(incoming, transfer, AT_REMOVEDIR)
    unlinkat(targetFolder, Self.name, AT_REMOVEDIR)
  }

  /// Deletes what has arrived of a transfer, if anything has.
  package static func discard(in target: String, transfer: String) {
    guard access("\(target)/\(name)/\(transfer)", F_OK) == 0 else { return }
    try? StagingFolder(in: target, transfer: transfer).remove()
  }

  /// The names of the transfers of which something has arrived.
  package static func transfers(in target: String) -> Set<String> {
    let incoming = open("\(target)/\(name)", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard incoming >= 0 else { return [] }
    return Set((names(inFolder: incoming) ?? []).compactMap { String(validating: $0, as: UTF8.self) })
  }

  /// Deletes what is in a folder.
  static func removeContent(of folder: Int32, depth: Int) {
    let listing = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard listing >= 0, depth <= TransferPath.depth + 1 else {
      if listing >= 0 { close(listing) }
      return
    }
    for name in names(inFolder: listing) ?? [] { remove(name, in: folder, depth: depth) }
  }

  /// Deletes a file, or a folder with everything in it.
  static func remove(_ name: [UInt8], in folder: Int32, depth: Int) {
    if unlinkat(folder, name.cPath, 0) == 0 { return }
    let inner = openat(folder, name.cPath, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if inner >= 0 {
      removeContent(of: inner, depth: depth + 1)
      close(inner)
    }
    unlinkat(folder, name.cPath, AT_REMOVEDIR)
  }
}
