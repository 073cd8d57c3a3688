// SPDX-License-Identifier: Apache-2.0

import Activity

/// What a transfer consists of, checked while it arrives: no path twice, each in a folder that came before it, and each
/// hard link after its file.
package struct Manifest: Sendable {
  package private(set) var entries: [TransferEntry] = []
  /// The size of all files in bytes.
  package private(set) var size: UInt64 = 0
  private var places: [TransferPath: UInt32] = [:]
  private var pathsLength = 0
  private var tops = 0

  package init() {}

  /// - Throws: ``MalformedTransfer``, or ``TransferFailure/tooManyFiles``.
  package mutating func add(_ entry: TransferEntry) throws {
    guard entries.count < Limits.transferEntries else { throw TransferFailure.tooManyFiles }
    // Checked: both are small.
    pathsLength += entry.length
    guard pathsLength <= Limits.transferPathsLength else { throw TransferFailure.tooManyFiles }
    if let parent = entry.path.parent {
      // Checked: the place of an entry.
      guard let place = places[parent], entries[Int(place)].isFolder else {
        throw MalformedTransfer("an entry is not in a folder")
      }
    } else {
      // Checked: not more than entries.
      tops += 1
      guard tops <= Limits.filesPerTransfer else { throw TransferFailure.tooManyFiles }
    }
    if case .hardLink(let file) = entry.kind {
      guard case .file = self[file]?.kind else { throw MalformedTransfer("a hard link has no target") }
    }
    let (size, overflow) = size.addingReportingOverflow(entry.size)
    guard !overflow, size <= UInt64(Int64.max) else { throw TransferFailure.tooLarge }
    guard places.updateValue(UInt32(entries.count), forKey: entry.path) == nil else {
      throw MalformedTransfer("a path occurs twice")
    }
    self.size = size
    entries.append(entry)
  }

  /// The number of an entry, which frames use.
  package func index(of path: TransferPath) -> UInt32? { places[path] }

  /// Nil if there is no such entry.
  package subscript(index: UInt32) -> TransferEntry? {
    // Checked: there are more.
    Int(index) < entries.count ? entries[Int(index)] : nil
  }
}
