// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// polkit's own agent for terminals (pkttyagent(1)), which asks for an administrator's password. It serves this
/// process, and only if the desktop has no agent, which would ask in a window.
struct PolkitTerminalAgent {
  /// How long it may take until it's ready.
  private static let startTime = Duration.seconds(5)
  /// The descriptor that it closes when it's ready. Only it has one of this number there.
  private static let notice: Int32 = 3

  private let process: pid_t
  private let terminal: termios?
  private let handlers: [(Int32, sighandler_t?)]

  /// Nil if it isn't installed, or doesn't start. Then, only a desktop's agent can ask.
  init?(_ environment: ProcessEnvironment = .current) {
    guard isatty(STDIN_FILENO) != 0, let program = environment.program("pkttyagent") else { return nil }
    var settings = termios()
    terminal = tcgetattr(STDIN_FILENO, &settings) == 0 ? settings : nil
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let words = [program, "--notify-fd", "\(Self.notice)", "--process", "\(getpid())", "--fallback"]
    let started = Self.spawn(words, ends[1])
    close(ends[1])
    guard let started else { return nil }
    process = started
    // Ctrl+C at its question ends the agent alone, and polkit then refuses.
    handlers = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
    _ = Descriptor.wait(ends[0], for: POLLIN, until: .now + Self.startTime)
  }

  private static func spawn(_ words: [String], _ ready: Int32) -> pid_t? {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ready, notice)
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    return posix_spawn(&process, words[0], &actions, &attributes, &arguments, environ) == 0 ? process : nil
  }

  /// Ends it, and gives the terminal back as it was.
  func end() {
    kill(process, SIGTERM)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    for (number, handler) in handlers { signal(number, handler) }
    if var terminal { tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal) }
  }
}
