import Activity
import Transfers

extension FilesInfo {
  /// Looks at files and folders that are to be sent.
  ///
  /// - Parameter paths: Absolute.
  /// - Throws: ``TransferStop/failed(_:)`` if nothing can be sent, or too much.
  package init(ofFilesAt paths: [[UInt8]]) throws(TransferStop) {
    let tree = try SourceTree(paths, TransferControl())
    var files: [File] = []
    var size: UInt64 = 0
    // What is in a folder follows it.
    for entry in tree.entries.reversed() {
      // Checked: the tree's size has no overflow.
      size += entry.size
      guard entry.path.depth == 1 else { continue }
      files.append(File(name: entry.path.text, size: Int(clamping: size)))
      size = 0
    }
    let count = tree.entries.count { !$0.isFolder }
    self.init(files.reversed(), count: count, size: Int(clamping: tree.size))
  }
}
