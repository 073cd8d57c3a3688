// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Testing

@testable import BatonDaemon

struct StreamResultsTests {
  @Test @Loop func shortStreamsOfOneUserPushOutNoneOfAnother() {
    let results = StreamResults(epoch: 1)
    let other = results.begin(for: 1001)
    results.end(other, .streamReset)
    let own = (0...StreamResults.streamResultsPerUser).map { _ in results.begin(for: 1000) }
    for token in own { results.end(token, nil) }
    func isKnown(_ token: String, to user: UInt32) -> Bool {
      results.wait(for: token, user: user, StreamResults.Waiter(hasLeft: { false }, tell: { _ in })) != nil
    }
    #expect(isKnown(other, to: 1001) && !isKnown(other, to: 1000))
    #expect(
      own.map { isKnown($0, to: 1000) } == [false] + Array(repeating: true, count: StreamResults.streamResultsPerUser)
    )
  }
}
