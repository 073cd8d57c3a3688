import Glibc

/// What an app's developer should know and no call can return: one line on standard error.
enum Complaint {
  static func write(_ text: String) {
    let line = Array("Baton: \(text)\n".utf8)
    _ = Glibc.write(STDERR_FILENO, line, line.count)
  }
}
