import Activity
import EventLoop
import Glibc

/// What another program prints, waited for.
enum ProgramOutput {
  /// In bytes.
  private static let length = 256 * 1024

  /// The beginning of its output and of its errors; nil if it cannot be started.
  static func of(_ arguments: [String]) -> ArraySlice<UInt8>? {
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
