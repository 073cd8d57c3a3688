// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import Hosts
import TestSupport
import Testing

@Suite(.isolated) struct BlockingProgramTests {
  private func run(_ script: String, limit: Int = 100, time: Duration) throws -> BlockingProgram.Result {
    try BlockingProgram.run(["/bin/sh", "-c", script], ChildProgram.Options(), limit: limit, time: time)
  }

  @Test func whatAProgramWritesIsRead() throws {
    let result = try run("echo a; exit 3", time: .seconds(20))
    #expect(result.status == 3 && result.output == Array("a\n".utf8))
  }

  /// It has ended, and another one that it has started holds its output.
  @Test func whatAProgramLeavesBehindIsKilled() throws {
    let result = try run("sleep 1000 & echo $!", time: .milliseconds(500))
    #expect(result.status == nil)
    let left = try #require(pid_t(String(decoding: result.output, as: UTF8.self).dropLast()))
    let end = ContinuousClock.now + .seconds(20)
    while kill(left, 0) == 0, !isDead(left), .now < end { sched_yield() }
    #expect(kill(left, 0) != 0 || isDead(left))
  }

  /// Whether a process has ended, and nobody has reaped it yet.
  private func isDead(_ process: pid_t) -> Bool {
    guard let file = fopen("/proc/\(process)/stat", "r") else { return true }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 512)
    let count = fread(&line, 1, line.count, file)
    return String(decoding: line[..<count], as: UTF8.self).contains(") Z ")
  }
}
