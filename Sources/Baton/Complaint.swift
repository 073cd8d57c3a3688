import Glibc

/// Writes a line on standard error, for what an app's developer should know and no call can return.
enum Complaint {
  static func write(_ text: String) {
    let line = Array("Baton: \(text)\n".utf8)
    _ = Glibc.write(STDERR_FILENO, line, line.count)
  }
}
