import Activity
import SeededGenerator
import Testing

struct BackoffTests {
  @Test func pausesDoubleUpToTheLast() {
    var generator = SeededGenerator(seed: 1)
    var backoff = Backoff(.milliseconds(100)...Duration.milliseconds(500))
    for due in [100, 200, 400, 500, 500, 500] {
      let pause = backoff.next(using: &generator)
      #expect(pause >= .milliseconds(due) / 2 && pause <= .milliseconds(due))
    }
  }

  @Test func aResetBeginsAnew() {
    var generator = SeededGenerator(seed: 2)
    var backoff = Backoff(.milliseconds(100)...Duration.seconds(5))
    for _ in 0..<8 { _ = backoff.next(using: &generator) }
    backoff.reset()
    #expect(backoff.next(using: &generator) <= .milliseconds(100))
  }

  @Test func pausesOfTwoProgramsDiffer() {
    var one = SeededGenerator(seed: 3)
    var other = SeededGenerator(seed: 4)
    var (left, right) = (Backoff(.seconds(1)...Duration.seconds(5)), Backoff(.seconds(1)...Duration.seconds(5)))
    #expect(left.next(using: &one) != right.next(using: &other))
  }
}
