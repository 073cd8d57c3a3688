import EventLoop
import Glibc

/// The user's consent to something that cannot be undone.
enum Confirmation {
  static let option = Option.flag("yes", "Does not ask whether you are sure.")
  private static let lineLength = 64

  /// - Parameter text: What the consequences are.
  /// - Throws: `UsageError` if nobody can be asked, `CommandError` if the answer is no.
  static func ask(_ text: String, _ arguments: ArgumentList, _ output: Output) throws {
    guard !arguments.has(option.name) else { return }
    guard isatty(STDIN_FILENO) != 0, !output.isJSON else {
      throw UsageError("\(text)\nNobody can be asked whether that is meant; --yes says so.")
    }
    output.note("\(text)\nType yes to go on:")
    let line = try? Descriptors.readLine(STDIN_FILENO, limit: lineLength)
    guard line?.lowercased() == "yes" else { throw CommandError(.failure, "Nothing was done.") }
  }
}
