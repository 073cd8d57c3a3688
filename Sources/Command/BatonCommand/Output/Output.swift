// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import JSONCoding

/// Nobody reads the command's output. It needs no message, because the reader itself closed the pipe.
struct OutputClosed: Error {}

/// Where the command writes: results to standard output, everything else to standard error.
///
/// Text from elsewhere (titles, names, messages) goes through ``Printable`` before it gets here.
struct Output {
  let isJSON: Bool
  /// The descriptor for results: standard error while standard output belongs to a stream.
  var results: Int32 = STDOUT_FILENO

  init(isJSON: Bool) { self.isJSON = isJSON }

  /// Whether results may be coloured: they go to a terminal that supports colours, and `NO_COLOR` (no-color.org) is not
  /// set.
  var isColoured: Bool {
    guard !isJSON, isatty(results) == 1, getenv("NO_COLOR") == nil, let terminal = getenv("TERM") else { return false }
    return String(cString: terminal) != "dumb"
  }

  /// Emphasizes a text if results may be coloured.
  func strong(_ text: String) -> String { isColoured ? Self.strong(text) : text }

  static func strong(_ text: String) -> String { "\u{1B}[1m\(text)\u{1B}[0m" }

  /// The same output with results on standard error, because standard output belongs to a stream.
  var besideStream: Output {
    var output = self
    output.results = STDERR_FILENO
    return output
  }

  // Functions that write results throw `OutputClosed`, or `CommandError` if nothing more can be written.

  /// Writes a result for people.
  func line(_ text: String) throws { try write(text + "\n", to: results) }

  /// Writes a result as one line of JSON.
  func document(_ json: JSON) throws { try write(Printable.json(json) + "\n", to: results) }

  /// Writes a result in the requested form.
  func result(_ json: @autoclosure () -> JSON, _ text: @autoclosure () -> String) throws {
    try isJSON ? document(json()) : line(text())
  }

  /// Tells people what is happening. Writes nothing with `--json`.
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
      try Descriptor.write(Array(text.utf8)[...], to: descriptor)
    } catch {
      if error.code == EPIPE { throw OutputClosed() }
      throw StreamCopy.failure(of: descriptor == STDERR_FILENO ? .error : .output, error)
    }
  }
}
