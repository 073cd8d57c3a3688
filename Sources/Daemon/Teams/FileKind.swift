// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The kind of file that a path names, in words, with the article.
package enum FileKind: String {
  case file = "a file"
  case directory = "a directory"
  case link = "a symbolic link"
  case pipe = "a named pipe"
  case socket = "a socket"
  case device = "a device"

  /// - Parameter mode: `st_mode`.
  package init(mode: mode_t) {
    self =
      switch mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .link
      case S_IFIFO: .pipe
      case S_IFSOCK: .socket
      default: .device
      }
  }
}
