import Activity
import CSystemd
import Glibc

/// The journal as a place for what programs write (sd_journal_stream_fd(3)).
package enum Journal {
  /// Whether systemd connected standard error to it: `JOURNAL_STREAM` names the device and inode of the stream that it
  /// connected (systemd.exec(5)).
  package static var hasStandardError: Bool {
    guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else { return false }
    var status = stat()
    return fstat(STDERR_FILENO, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
  }

  /// A stream whose lines are entries of another program, at the level `info`; the caller's to close.
  ///
  /// - Parameter identifier: The entries' `SYSLOG_IDENTIFIER`. It is a line of the stream's header, as the unit and the level
  ///   are: one that is more than a line would choose them.
  /// - Returns: Nil where there is no journal, or the identifier is no plain line.
  package static func stream(identifier: String) -> Int32? {
    guard Printable.isPlain(identifier) else { return nil }
    let descriptor = sd_journal_stream_fd(identifier, Log.Level.info.rawValue, 0)
    return descriptor >= 0 ? descriptor : nil
  }
}
