// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import TestSupport
import Testing

extension EventLoopTests {
  struct LoopTests {
    @Test func whatTheLoopAsksItselfForIsDoneInOrderAndLater() throws {
      let log = try onLoop { Log() }
      try onLoop {
        for number in 0..<3 {
          Task { @Loop in
            log.entries.append(number)
            Task { @Loop in log.entries.append(number + 10) }
          }
        }
        log.entries.append(-1)
      }
      try waitUntil("All is done") { try onLoop { log.entries.count == 7 } }
      #expect(try onLoop { log.entries } == [-1, 0, 1, 2, 10, 11, 12])
    }

    @Test func aLoopThatKeepsAskingItselfServesEverythingElse() throws {
      var ends: [Int32] = [0, 0]
      #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      let (near, far) = (ends[0], ends[1])
      defer { close(far) }
      let log = try onLoop { Log() }
      let (timer, readiness) = try onLoop {
        @Loop func goOn() { if log.isGoingOn { Task { @Loop in goOn() } } }
        goOn()
        let readiness = Readiness(owning: near)
        readiness.onReadable = {
          log.entries.append(1)
          readiness.isReading = false
        }
        readiness.isReading = true
        let timer = Timer { log.entries.append(2) }
        timer.set(Loop.now + .milliseconds(5))
        return (timer, readiness)
      }
      #expect(write(far, [1], 1) == 1)
      try waitUntil("The descriptor and the timer are served") { try onLoop { log.entries.sorted() == [1, 2] } }
      try onLoop {
        log.isGoingOn = false
        timer.set(nil)
        readiness.close()
      }
    }

    @Test func manyThreadsMayAskAtTheSameTime() async throws {
      let log = try onLoop { Log() }
      await withTaskGroup { group in
        for number in 0..<8 {
          group.addTask {
            for _ in 0..<500 {
              await log.add(number)
              Task { @Loop in Task { @Loop in log.entries.append(number) } }
            }
          }
        }
      }
      try waitUntil("All is done") { try onLoop { log.entries.count == 8000 } }
    }
  }
}

@Loop
private final class Log {
  var entries: [Int] = []
  var isGoingOn = true

  func add(_ number: Int) { entries.append(number) }
}
