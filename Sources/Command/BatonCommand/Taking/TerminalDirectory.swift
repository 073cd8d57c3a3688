// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import CommandLineOptions
import EventLoop
import Glibc
import Localization

/// The directory of the shell that runs this program. Only the shell can change it: the function `baton` of its hook
/// (`ShellHook`) names a file in $BATON_CD, and changes to the path that it finds there.
enum TerminalDirectory {
  static func change(to path: String, _ arguments: ParsedArguments, _ output: Output) throws {
    if arguments[ContinueCommand.shell] {
      guard chdir(path) == 0 else { throw CommandError(.failure, "\(SystemError(Printable.text(path)))") }
      // The shell finds out itself.
      unsetenv("PWD")
      return output.note(localized("Now in \(Printable.text(path))."))
    }
    let command = "cd -- \(Printable.isPlain(path) ? SecureShell.quoted(path) : Printable.text(path))"
    guard let file = getenv("BATON_CD").map({ String(cString: $0) }), !file.isEmpty else {
      try output.line(command)
      return output.note(
        localized("To let `baton continue` do this for you, add the shell hook: see `baton shell-init --help`.")
      )
    }
    let descriptor = open(file, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    // The function no longer waits if this program was stopped.
    if descriptor < 0, errno == ENOENT { return try output.line(command) }
    guard descriptor >= 0 else { throw CommandError(.failure, "\(SystemError(Printable.text(file)))") }
    defer { close(descriptor) }
    try Descriptor.write(Array("\(path)\0".utf8)[...], to: descriptor)
    output.note(localized("Now in \(Printable.text(path))."))
  }
}
