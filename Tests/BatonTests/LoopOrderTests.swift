// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Testing

/// The order that the library relies on: calls from one thread reach the loop in order.
struct LoopOrderTests {
  @Loop private final class Log {
    var numbers: [Int] = []
    nonisolated init() {}
  }

  @Test func tasksOfOneThreadRunInTheirOrder() async {
    let log = Log()
    let count = 10_000
    for number in 0..<count { Task { @Loop in log.numbers.append(number) } }
    let numbers = await Task { @Loop in log.numbers }.value
    #expect(numbers == Array(0..<count))
  }
}
