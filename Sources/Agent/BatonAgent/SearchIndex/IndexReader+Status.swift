// SPDX-License-Identifier: Apache-2.0

import Glibc

/// How much is kept.
package struct IndexStatus: Equatable, Sendable {
  /// The number of entries, of which some are other machines' and some are shared with them.
  package var entries = 0
  package var foreign = 0
  package var shared = 0
  /// The number of entries of each app of this machine, the largest first.
  package var applications: [(name: String, entries: Int)] = []
  /// The size of the files in bytes.
  package var size = 0
  /// Where a damaged index is that was moved aside.
  package var damagedPath: String?

  package static func == (left: IndexStatus, right: IndexStatus) -> Bool {
    left.entries == right.entries && left.foreign == right.foreign && left.shared == right.shared
      && left.applications.elementsEqual(right.applications, by: ==) && left.size == right.size
      && left.damagedPath == right.damagedPath
  }
}

extension IndexReader {
  package func status() throws(IndexError) -> IndexStatus {
    try read { database throws(IndexError) in
      var status = IndexStatus()
      status.entries = try database.int("SELECT sum(entries) FROM collection") ?? 0
      status.foreign = try database.int("SELECT sum(entries) FROM collection WHERE device <> ''") ?? 0
      status.shared = try database.int("SELECT count(*) FROM line WHERE kind = 0") ?? 0
      status.applications = try database.rows(
        """
        SELECT application, sum(entries) AS count FROM collection WHERE device = '' GROUP BY application HAVING count > 0
        ORDER BY count DESC, application
        """
      ) { ($0.text(0), $0.int(1)) }
      for suffix in IndexFiles.suffixes {
        var file = stat()
        if lstat(path + suffix, &file) == 0 { status.size += Int(file.st_size) }
      }
      var file = stat()
      if lstat("\(path).damaged", &file) == 0 { status.damagedPath = "\(path).damaged" }
      return status
    }
  }
}
