// SPDX-License-Identifier: Apache-2.0

import Activity
import CLinux
import Desktop
import EventLoop
import Glibc

extension FileReceiver {
  /// Makes the links, writes everything to the disk, and gives it its final names.
  func complete() throws {
    control.update { $0.stage = .finishing }
    closeFile()
    for (index, entry) in manifest.entries.enumerated() where !isDone[index] {
      switch entry.kind {
      case .file: throw MalformedTransfer("a file is missing")
      case .link(let target): try makeLink(UInt32(index), entry, target)
      case .hardLink(let file): try makeHardLink(UInt32(index), entry, file)
      case .folder: break
      }
    }
    // What has its final name is complete, even after a power failure, and even if others delete something meanwhile.
    try writeToDisk()
    // Nobody can stop it from here on.
    if let failure = control.failure { throw TransferStop.failed(failure) }
    let shown = result.omissions.prefix(Limits.shownOmissions).map(OmittedFile.init)
    try staging.complete(Arrival(omitted: result.omitted, omissions: shown, asked: allowance.asked))
    result.paths = try staging.publish(asked: allowance.asked)
  }

  /// Whether one of the folders that it is in is left out.
  func hasNoFolder(_ path: TransferPath) -> Bool {
    guard !leftOut.isEmpty else { return false }
    var path = path
    while let parent = path.parent {
      if let index = manifest.index(of: parent), leftOut[index] != nil { return true }
      path = parent
    }
    return false
  }

  private func writeToDisk() throws {
    let arrived = manifest.entries.enumerated().filter { index, entry in
      leftOut[UInt32(index)] == nil && !hasNoFolder(entry.path)
    }.map(\.element)
    let files = arrived.filter(\.isFile)
    let areMany = files.count > Self.singlyWrittenFiles
    for file in files {
      if areMany { try check(file) } else { try writeToDisk(file, O_RDONLY | O_NONBLOCK) }
      try report()
    }
    for folder in arrived.reversed() where folder.isFolder {
      try writeToDisk(folder, O_RDONLY | O_DIRECTORY)
      try report()
    }
    if areMany, clinux_write_file_system(staging.folder) != 0 { throw SystemError("syncfs") }
  }

  /// The maximum number of files that are written to the disk one after the other. Beyond that, it is quicker to write
  /// everything that waits for the disk, whoever wrote it.
  private static let singlyWrittenFiles = 64

  /// Checks that nobody has removed it.
  private func check(_ entry: TransferEntry) throws {
    let descriptor = Descriptor.openBeneath(staging.folder, entry.path.bytes, pathOnly)
    guard descriptor >= 0 else { throw SystemError("open") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.isFile else { throw SystemError("open", ENOENT) }
  }

  private func writeToDisk(_ entry: TransferEntry, _ flags: Int32) throws {
    let descriptor = Descriptor.openBeneath(staging.folder, entry.path.bytes, flags)
    guard descriptor >= 0 else { throw SystemError("open") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError("fstat") }
    guard status.isFolder || status.isFile && status.st_size > 0 else { return }
    // An earlier attempt may have made it for everybody.
    if status.isFolder, entry.isPrivate { fchmod(descriptor, 0o700) }
    guard status.isFolder else {
      guard fsync(descriptor) == 0 else { throw SystemError("fsync") }
      return
    }
    try StagingFolder.writeToDisk(folder: descriptor)
    mark(descriptor, entry.modified)
  }

  private func makeLink(_ index: UInt32, _ entry: TransferEntry, _ target: [UInt8]) throws {
    let parent = try openParent(of: entry)
    defer { if parent >= 0 { close(parent) } }
    guard parent >= 0 else { return try leaveOut(index, .nameNotPossible, isTold: true) }
    try made(index, symlinkat(target.cPath, parent, entry.path.lastName.cPath))
  }

  private func makeHardLink(_ index: UInt32, _ entry: TransferEntry, _ file: UInt32) throws {
    guard let known = manifest[file] else { throw MalformedTransfer("a hard link has no target") }
    if let reason = leftOut[file] { return try leaveOut(index, reason, isTold: true) }
    let parent = try openParent(of: entry)
    defer { if parent >= 0 { close(parent) } }
    let other = try openParent(of: known)
    defer { if other >= 0 { close(other) } }
    guard parent >= 0, other >= 0 else { return try leaveOut(index, .nameNotPossible, isTold: true) }
    try made(index, linkat(other, known.path.lastName.cPath, parent, entry.path.lastName.cPath, 0))
  }

  /// - Parameter result: What the system has returned for a link. Not every file system has links, or as many.
  private func made(_ index: UInt32, _ result: Int32) throws {
    guard result != 0 else { return control.update { $0.files += 1 } }
    let isMissing = [EPERM, EOPNOTSUPP, ENOSYS, EEXIST, EMLINK].contains(errno)
    guard isMissing || isName(errno) else { throw SystemError("link") }
    try leaveOut(index, .nameNotPossible, isTold: true)
  }
}
