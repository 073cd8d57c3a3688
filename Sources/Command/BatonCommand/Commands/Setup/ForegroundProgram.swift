// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// A program in this terminal, such as sudo, which asks for a password there.
enum ForegroundProgram {
  /// Runs a program until it ends. Meanwhile, Ctrl+C is for that program alone.
  ///
  /// - Parameters:
  ///   - words: The first is the path of the program.
  ///   - output: What becomes its standard output.
  /// - Returns: Its exit status, or 128 plus the number of the signal that ended it.
  static func run(_ words: [String], output: Int32 = STDOUT_FILENO) throws(SystemError) -> Int32 {
    let interrupt = signal(SIGINT, SIG_IGN), quit = signal(SIGQUIT, SIG_IGN)
    defer {
      signal(SIGINT, interrupt)
      signal(SIGQUIT, quit)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, words.first ?? "", &actions, &attributes, &arguments, environ)
    guard code == 0 else { throw SystemError("posix_spawn \(words.first ?? "")", code) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw SystemError("waitpid") }
    }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }
}
