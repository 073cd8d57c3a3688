import CommandLineOptions
import EventLoop
import Glibc

/// The user's consent to something that cannot be undone.
enum Confirmation {
  static let option = Option.flag("yes", "Do not ask for confirmation.")
  private static let lineLength = 64

  /// - Parameter text: What the consequences are.
  /// - Throws: `UsageError` if nobody can be asked, `CommandError` if the answer is no.
  static func ask(_ text: String, _ arguments: ParsedArguments, _ output: Output) throws {
    guard !arguments[option] else { return }
    guard isatty(STDIN_FILENO) != 0, !output.isJSON else {
      throw UsageError("\(text)\nThere is no terminal to ask you for confirmation. To confirm in advance, add '--yes'.")
    }
    output.note("\(text)\nType 'yes' to continue:")
    let line = try? Descriptor.readLine(STDIN_FILENO, limit: lineLength)
    guard line?.text.lowercased() == "yes" else { throw CommandError(.failure, "Nothing was changed.") }
  }
}
