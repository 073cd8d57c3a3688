// SPDX-License-Identifier: Apache-2.0

/// What an editor can know of the version of a file.
package struct FileTimeAndSize: Equatable, Sendable {
  /// When it was written, in seconds since 1970.
  package let time: Int
  /// In bytes.
  package let size: Int

  package init(time: Int, size: Int) { (self.time, self.size) = (time, size) }
}
