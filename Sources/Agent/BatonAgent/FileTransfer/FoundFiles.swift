// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop

/// What a look at files and folders that are to be sent has found.
package struct FoundFiles: Sendable {
  /// What the receiver is told.
  package let info: FilesInfo
  /// The numbers of the paths that lead through symbolic links.
  package let links: Set<Int>

  /// Looks at all of them.
  ///
  /// - Parameters:
  ///   - paths: Absolute.
  ///   - links: The numbers of those that may lead through symbolic links. Nil if all may.
  ///   - control: Stops it.
  /// - Throws: ``TransferStop/failed(_:)`` if nothing can be sent, or too much, or because it was stopped.
  package init(at paths: [[UInt8]], links: Set<Int>? = nil, _ control: TransferControl) throws(TransferStop) {
    let tree = try SourceTree(paths, links: links, control)
    var files: [FilesInfo.File] = []
    var size: UInt64 = 0
    // What is in a folder follows it.
    for entry in tree.entries.reversed() {
      // Checked: the tree's size has no overflow.
      size += entry.size
      guard entry.path.depth == 1 else { continue }
      files.append(FilesInfo.File(name: entry.path.text, size: Int(clamping: size), isFolder: entry.isFolder))
      size = 0
    }
    let count = tree.entries.count { !$0.isFolder }
    info = FilesInfo(files.reversed(), count: count, size: Int(clamping: tree.size))
    self.links = tree.links
  }
}
