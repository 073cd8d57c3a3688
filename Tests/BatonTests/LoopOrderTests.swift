import EventLoop
import Testing

/// What the library relies on: calls of one thread reach the loop in their order.
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
