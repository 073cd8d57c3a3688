// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import Localization

/// The shell that a user has chosen, in place of this program.
enum UserShell {
  /// Removes the variables that are about this program's start only. Nothing that starts from here must use them.
  static func forgetLaunch() {
    for name in ["BATON_OFFER", "BATON_ACTIVITY_TYPE", "XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"] { unsetenv(name) }
  }

  static func become() throws -> Never {
    let chosen = getenv("SHELL").map { String(cString: $0) } ?? ""
    try become([chosen.starts(withBytesOf: "/") ? chosen : "/bin/sh"])
  }

  /// Becomes a program. Returns only by throwing.
  ///
  /// - Parameter arguments: The first one is a name or a path.
  static func become(_ arguments: [String]) throws -> Never {
    guard let program = arguments.first else { throw CommandError(.failure, localized("There's no program to start.")) }
    unsetenv("BATON_CD")
    // A terminal's keys must reach the program as they reach any other.
    for number in [SIGINT, SIGQUIT, SIGPIPE, SIGTSTP] { signal(number, SIG_DFL) }
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    _ = execvp(program, &words)
    throw CommandError(.failure, localized("Can't start \(Printable.text(program)): \(SystemError("execvp"))"))
  }
}
