// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import EventLoop
import Glibc

/// Asks ssh where its names of hosts lead, by the user's own configuration. Nothing is connected.
package final class SSHAliases {
  private let environment: ProcessEnvironment
  /// What ssh has said, by the bytes of the name. Many clones have the same host.
  private var known: [[UInt8]: SSHDestination?] = [:]

  /// The maximum time of one question, and of all. Whoever has written a clone's configuration has written as many
  /// names as they like, and somebody waits.
  private static let time = Duration.seconds(1)
  private static let totalTime = Duration.seconds(3)
  private var spent = Duration.zero
  /// The maximum number of bytes of an answer.
  private static let outputLength = 256 * 1024

  package init(environment: ProcessEnvironment) { self.environment = environment }

  /// Returns where ssh connects to for a name. Nil if there is no ssh, or there is no time left.
  package func destination(of alias: String) -> SSHDestination? {
    let key = Array(alias.utf8)
    if let answer = known[key] { return answer }
    guard spent < Self.totalTime else { return nil }
    let begin = ContinuousClock.now
    let answer = ask(alias)
    // Checked: differences of instants of this process.
    spent += ContinuousClock.now - begin
    known[key] = .some(answer)
    return answer
  }

  private func ask(_ alias: String) -> SSHDestination? {
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
    return SSHDestination(printed: result.output)
  }
}
