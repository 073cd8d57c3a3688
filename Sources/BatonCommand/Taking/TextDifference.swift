import Activity
import EventLoop
import Glibc

/// What `diff` says about two files.
enum TextDifference {
  private static let mostLines = 200
  /// In bytes.
  private static let length = 256 * 1024

  /// The lines to show, without anything that a terminal obeys. Empty if the files are the same.
  static func lines(_ path: String, _ other: String) -> [String] {
    guard let output = run(["diff", "-u", "--", path, other]) else {
      return ["They cannot be compared: diff is missing."]
    }
    // A tab would not be harmless for `Printable`.
    let text = String(decoding: output, as: UTF8.self).split(atScalar: "\t", omittingEmptySubsequences: false)
    let lines = text.joined(separator: "    ").split(atScalar: "\n", omittingEmptySubsequences: false).dropLast()
    return shown(lines.map { Printable.text($0) })
  }

  static func shown(_ lines: [String]) -> [String] {
    guard lines.count > mostLines else { return lines }
    return lines.prefix(mostLines) + ["… and \(lines.count - mostLines) more lines"]
  }

  /// Nil if it cannot be started.
  private static func run(_ arguments: [String]) -> ArraySlice<UInt8>? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, arguments.first ?? "", &actions, nil, &words, environ)
    close(ends[1])
    guard code == 0 else { return nil }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    // All of it is read, so that the program ends; what is too long is not kept.
    while let count = try? Descriptor.read(ends[0], into: &buffer), count > 0 {
      if output.count < length { output += buffer[..<count] }
    }
    while waitpid(process, nil, 0) < 0, errno == EINTR {}
    return output.prefix(length)
  }
}
