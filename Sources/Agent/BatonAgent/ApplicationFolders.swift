// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop

/// Reads folders of desktop entries once.
@Loop
struct ApplicationFolders {
  /// The maximum number of names that are checked in the folders of desktop entries, including other files.
  nonisolated static let applicationNames = 16384

  private(set) var builder: CatalogBuilder
  private let watch: FolderWatch?
  private var folderCount = 0
  private var nameCount = 0

  /// - Parameter watch: Will report changes in the folders.
  init(_ builder: CatalogBuilder, _ watch: FolderWatch?) {
    self.builder = builder
    self.watch = watch
  }

  mutating func read(_ directory: String) { read(directory, below: "", depth: Limits.applicationFolderDepth) }

  private mutating func read(_ folder: String, below prefix: String, depth: Int) {
    guard depth > 0 else {
      return builder.leaveOut(folder, "folders are nested deeper than \(Limits.applicationFolderDepth) levels")
    }
    guard folderCount < Limits.applicationFolders else {
      return builder.leaveOut(folder, "there are more than \(Limits.applicationFolders) folders")
    }
    folderCount += 1
    watch?.add(folder)
    for name in names(in: folder) {
      let path = "\(folder)/\(name)"
      if name.ends(withBytesOf: ".desktop") {
        guard let id = CatalogBuilder.id(of: prefix + name), builder.claim(id, path: path),
          let file = RegularFile(path, length: Limits.desktopEntryLength + 1)
        else { continue }
        builder.add(id: id, path: path, file.bytes)
      } else if FolderWatch.isFolder(path) {
        read(path, below: "\(prefix)\(name)/", depth: depth - 1)
      }
    }
  }

  /// Sorted, so that the result does not depend on the file system.
  private mutating func names(in folder: String) -> [String] {
    let room = Self.applicationNames - nameCount
    var names = Folder.names(in: folder, limit: room + 1)
    if names.count > room, let name = names.popLast() {
      builder.leaveOut("\(folder)/\(name)", "there are more than \(Self.applicationNames) files")
    }
    nameCount += names.count
    return names.filter { !$0.starts(withBytesOf: ".") }.sorted()
  }
}
