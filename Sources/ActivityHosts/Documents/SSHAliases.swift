import Activity
import Documents
import EventLoop
import Glibc

/// Asks ssh to which hosts its names lead, by the user's own configuration. Nothing is connected.
struct SSHAliases {
  let environment: ProcessEnvironment

  /// The maximum time of one question.
  private static let time = Duration.seconds(1)
  /// The maximum number of bytes of an answer.
  private static let outputLength = 256 * 1024

  /// Returns the host that ssh connects to for a name. Nil if it is the name itself, or if there is no ssh.
  func host(of alias: String) -> String? {
    // Without a configuration of the user, hardly any name leads to another host, and no program has to run.
    guard let home = environment["HOME"], access("\(home)/.ssh/config", R_OK) == 0,
      !alias.utf8.starts(with: "-".utf8), let program = ProgramPath.find("ssh", environment)
    else { return nil }
    let options = ChildProgram.Options(environment: ["LC_ALL=C", "HOME=\(home)", "PATH=/usr/bin:/bin"])
    let result = try? BlockingProgram.run(
      [program, "-G", "--", alias],
      options,
      limit: Self.outputLength,
      time: Self.time
    )
    guard let result, result.status != nil else { return nil }
    return SSHConfiguration.host(printed: result.output).flatMap { $0.hasBytes(of: alias) ? nil : $0 }
  }
}
