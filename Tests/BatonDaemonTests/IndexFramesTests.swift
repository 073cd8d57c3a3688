// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import BatonDaemon

struct IndexFramesTests {
  private let start = ContinuousClock.now

  private func queue(_ count: UInt8) -> IndexFrames {
    var queue = IndexFrames(at: start)
    for number in 0..<count { #expect(queue.add([number], at: start) == true) }
    return queue
  }

  @Test func messagesGoInOrderWhenTheSessionIsQuiet() {
    var queue = queue(3)
    for number: UInt8 in 0..<3 { #expect(queue.next(untaken: 0, hasSpace: true, at: start) == [number]) }
    #expect(queue.isEmpty)
    #expect(queue.next(untaken: 0, hasSpace: true, at: start) == nil)
  }

  @Test func oneIsOnItsWayAtATime() {
    var queue = queue(2)
    let most = Limits.indexMessageLength
    #expect(queue.next(untaken: most, hasSpace: true, at: start) == nil)
    #expect(queue.next(untaken: most - 1, hasSpace: true, at: start) == [0])
  }

  @Test func besideStreamsOneGoesNowAndThen() {
    var queue = queue(3)
    let busy = Limits.indexMessageLength
    var now = start + IndexFrames.indexMessagePatience
    #expect(queue.next(untaken: busy, hasSpace: false, at: now) == nil, "Nothing is added to a queue that is full")
    #expect(queue.next(untaken: busy, hasSpace: true, at: now) == [0])
    #expect(queue.next(untaken: busy, hasSpace: true, at: now) == nil)
    now += IndexFrames.indexMessagePatience
    #expect(queue.next(untaken: busy, hasSpace: true, at: now) == [1])
    // One that comes to an empty queue waits as long.
    #expect(queue.next(untaken: 0, hasSpace: true, at: now) == [2])
    now += .seconds(60)
    #expect(queue.add([3], at: now) == true)
    #expect(queue.next(untaken: busy, hasSpace: true, at: now) == nil)
    #expect(queue.next(untaken: busy, hasSpace: true, at: now + IndexFrames.indexMessagePatience) == [3])
  }

  @Test func onlySoManyWait() {
    var queue = queue(UInt8(Limits.unsentIndexMessagesPerPeer))
    #expect(queue.add([9], at: start) == false)
    #expect(queue.next(untaken: 0, hasSpace: true, at: start) == [0])
    #expect(queue.add([9], at: start) == true)
  }

  @Test func thereIsARate() {
    var (queue, sent) = (queue(0), 0)
    func go(at now: ContinuousClock.Instant) -> Bool {
      guard queue.next(untaken: 0, hasSpace: true, at: now) != nil else { return false }
      sent += 1
      return true
    }
    func send(at now: ContinuousClock.Instant) {
      repeat { _ = queue.add([1], at: now) } while go(at: now)
    }
    send(at: start)
    #expect(sent == Int(IndexFrames.indexMessageRate.burst))
    for second in 1...10 { send(at: start + .seconds(second)) }
    #expect(sent == Int(IndexFrames.indexMessageRate.burst + 10 * IndexFrames.indexMessageRate.perSecond))
    // The other side takes what this one sends.
    #expect(MessageBudget.receivedIndexMessageRate.perSecond > IndexFrames.indexMessageRate.perSecond)
    #expect(MessageBudget.receivedIndexMessageRate.burst > IndexFrames.indexMessageRate.burst)
  }
}
