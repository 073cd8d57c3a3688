// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The extended attribute of files and folders that have come from another machine. It stays with them wherever they
/// are moved. Some file systems keep none.
package enum ArrivalMark {
  private static let name = "user.baton.arrived"

  /// Marks a file or folder. A link cannot be marked, and nothing happens.
  ///
  /// - Parameters:
  ///   - file: Its name.
  ///   - folder: The descriptor of the folder that it is in.
  package static func set(on file: [UInt8], in folder: Int32) {
    let path = Array("/proc/self/fd/\(folder)/".utf8) + file + [0]
    _ = lsetxattr(path.map(CChar.init(truncatingIfNeeded:)), name, "1", 1, 0)
  }

  /// Marks an open file, which need not have a name yet.
  package static func set(on descriptor: Int32) { _ = fsetxattr(descriptor, name, "1", 1, 0) }

  /// Whether a file or folder is marked. A link is not followed.
  package static func isSet(_ path: String) -> Bool { lgetxattr(path, name, nil, 0) >= 0 }
}
