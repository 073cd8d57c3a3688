import Activity
import EventLoop
import Glibc
import JSON

/// Nobody reads what the command writes; whoever closed the pipe knows that.
struct OutputClosed: Error {}

/// Where the command writes: results to standard output, the rest to standard error.
///
/// Text from elsewhere (titles, names, messages) goes through ``Printable`` before it gets here.
struct Output {
  let isJSON: Bool
  /// Where results go: standard error while standard output is a stream's.
  var results: Int32 = STDOUT_FILENO

  init(isJSON: Bool) { self.isJSON = isJSON }

  /// Whether results may have colours: they go to a terminal that has some, and `NO_COLOR` (no-color.org) is not set.
  var isColoured: Bool {
    guard !isJSON, isatty(results) == 1, getenv("NO_COLOR") == nil, let terminal = getenv("TERM") else { return false }
    return String(cString: terminal) != "dumb"
  }

  /// What is to be seen first, where results may have colours.
  func strong(_ text: String) -> String { isColoured ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

  /// The same with standard output left to a stream.
  var besideStream: Output {
    var output = self
    output.results = STDERR_FILENO
    return output
  }

  // What writes results throws `OutputClosed`, and `CommandError` where nothing more can be written.

  /// Writes a result for people.
  func line(_ text: String) throws { try write(text + "\n", to: results) }

  /// Writes a result as one line of JSON.
  func document(_ json: JSON) throws { try write(Printable.json(json) + "\n", to: results) }

  /// Writes a result in the form that was asked for.
  func result(_ json: @autoclosure () -> JSON, _ text: @autoclosure () -> String) throws {
    try isJSON ? document(json()) : line(text())
  }

  /// Tells people what goes on; nothing with `--json`.
  func note(_ text: String) {
    if !isJSON { try? write(text + "\n", to: STDERR_FILENO) }
  }

  func fail(_ message: String, reason: String?) {
    guard isJSON else {
      try? write("baton: \(Printable.lines(message))\n", to: STDERR_FILENO)
      return
    }
    var members: [String: JSON] = ["message": .string(message)]
    members["reason"] = reason.map(JSON.string)
    try? write(Printable.json(.object(members)) + "\n", to: STDERR_FILENO)
  }

  private func write(_ text: String, to descriptor: Int32) throws {
    do {
      try Descriptors.write(Array(text.utf8)[...], to: descriptor)
    } catch {
      if error.code == EPIPE { throw OutputClosed() }
      throw StreamCopy.failure(of: descriptor == STDERR_FILENO ? "error" : "output", error)
    }
  }
}
