// SPDX-License-Identifier: Apache-2.0

import Glibc

extension Descriptor {
  /// O_TMPFILE, which Glibc declares for _GNU_SOURCE only.
  private static let unnamed = 0o20000000 | O_DIRECTORY

  /// Creates a file without a name in a directory. Unless it gets a name, it disappears with its descriptor.
  ///
  /// - Returns: -1 with `errno`.
  package static func ofUnnamedFile(in directory: String, mode: mode_t) -> Int32 {
    open(directory, unnamed | O_RDWR | O_CLOEXEC, mode)
  }
}
