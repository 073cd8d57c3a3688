// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

struct BackoffTests {
  @Test func pausesDoubleUpToTheLast() {
    var (shortest, longest) = (backoff(100...500), backoff(100...500))
    for due in [100, 200, 400, 500, 500, 500] {
      #expect(shortest.next(jitter: 0.5) == .milliseconds(due) / 2)
      #expect(longest.next(jitter: 1) == .milliseconds(due))
    }
  }

  @Test func aResetBeginsAnew() {
    var backoff = backoff(100...5000)
    for _ in 0..<8 { _ = backoff.next() }
    backoff.reset()
    #expect(backoff.next() <= .milliseconds(100))
  }

  @Test func pausesAreAtRandomBetweenHalfOfWhatIsDueAndAllOfIt() {
    let pauses = (0..<100).map { _ in
      var backoff = backoff(1000...5000)
      return backoff.next()
    }
    #expect(pauses.allSatisfy { $0 >= .milliseconds(500) && $0 <= .milliseconds(1000) })
    #expect(Set(pauses).count > 90)
  }

  private func backoff(_ milliseconds: ClosedRange<Int>) -> Backoff {
    Backoff(.milliseconds(milliseconds.lowerBound)...Duration.milliseconds(milliseconds.upperBound))
  }
}
