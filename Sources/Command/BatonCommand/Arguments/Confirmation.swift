// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import EventLoop
import Glibc
import Localization

/// The user's consent to something that cannot be undone.
enum Confirmation {
  static let option = Option.flag("yes", localized("Don't ask for confirmation."))
  private static let lineLength = 64

  /// - Parameter text: What the consequences are.
  /// - Throws: `UsageError` if nobody can be asked, `CommandError` if the answer is no.
  static func ask(_ text: String, _ arguments: ParsedArguments, _ output: Output) throws {
    guard !arguments[option] else { return }
    guard isatty(STDIN_FILENO) != 0, !output.isJSON else {
      throw UsageError(
        text + "\n" + localized("Can't ask for confirmation without a terminal. To confirm in advance, add '--yes'.")
      )
    }
    output.note(text + "\n" + localized("Type 'yes' to continue:"))
    let line = try? Descriptor.readLine(STDIN_FILENO, limit: lineLength)
    guard line?.text.lowercased() == "yes" else { throw CommandError(.failure, localized("Nothing was changed.")) }
  }
}
