// SPDX-License-Identifier: Apache-2.0

import Activity
import CSystemd
import Glibc

/// The journal as a destination for the output of programs (sd_journal_stream_fd(3)).
package enum Journal {
  /// Whether systemd connected standard error to the journal. `JOURNAL_STREAM` has the device and inode of the stream
  /// that systemd connected (systemd.exec(5)).
  package static var hasStandardError: Bool {
    guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else { return false }
    var status = stat()
    return fstat(STDERR_FILENO, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
  }

  /// Returns a stream whose lines become another program's entries, at level `info`. The caller must close it.
  ///
  /// - Parameter identifier: The entries' `SYSLOG_IDENTIFIER`. It is a line of the stream's header, like the unit and
  ///   the level. More than one line would set those, too.
  /// - Returns: Nil if there is no journal, or if the identifier is not a single plain line.
  package static func stream(identifier: String) -> Int32? {
    guard Printable.isPlain(identifier) else { return nil }
    let descriptor = sd_journal_stream_fd(identifier, Log.Level.info.rawValue, 0)
    return descriptor >= 0 ? descriptor : nil
  }
}
