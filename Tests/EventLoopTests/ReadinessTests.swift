// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EventLoop
import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.isolated) struct ReadinessTests {
  /// Returns two connected sockets, of which the first is non-blocking.
  private static func pair() -> (Int32, Int32) {
    var ends: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    return (ends[0], ends[1])
  }

  /// Waits until the condition holds. Returns false if it does not hold within 60 s.
  @Loop private static func wait(_ condition: @Loop () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while !condition() {
      guard ContinuousClock.now < deadline else { return false }
      try? await Task.sleep(for: .milliseconds(1))
    }
    return true
  }

  @Loop @Test func theEndIsToldAfterAllBytesHoweverFewAreReadAtOnce() async {
    let (own, other) = Self.pair()
    _ = write(other, Array("0123456789".utf8), 10)
    close(other)
    let readiness = Readiness(owning: own)
    var received: [UInt8] = []
    var hasEnded = false
    readiness.onReadable = {
      var bytes = [UInt8](repeating: 0, count: 3)
      let count = read(own, &bytes, bytes.count)
      received += bytes.prefix(max(0, count))
      if count == 0 {
        hasEnded = true
        readiness.isReading = false
      }
    }
    readiness.isReading = true
    #expect(await Self.wait { hasEnded })
    #expect(received == Array("0123456789".utf8))
    readiness.close()
  }

  @Loop @Test func whoWaitsForSpaceIsToldThatTheOtherSideIsGone() async {
    let (own, other) = Self.pair()
    let block = [UInt8](repeating: 0, count: 1 << 20)
    _ = write(own, block, block.count)
    let readiness = Readiness(owning: own)
    var error: Int32 = 0
    readiness.onWritable = {
      if write(own, block, 1) < 0, errno != EAGAIN {
        error = errno
        readiness.isWriting = false
      }
    }
    readiness.isWriting = true
    close(other)
    Signals.ignoreBrokenPipes()
    #expect(await Self.wait { error != 0 })
    #expect(error == EPIPE)
    readiness.close()
  }

  @Loop @Test func nothingIsToldWhileNobodyAsks() async {
    let (own, other) = Self.pair()
    let readiness = Readiness(owning: own)
    var events = 0
    readiness.onReadable = { events += 1 }
    readiness.onWritable = { events += 1 }
    _ = write(other, [1], 1)
    close(other)
    let (second, secondOther) = Self.pair()
    // An event of another descriptor shows that the events have been processed.
    let witness = Readiness(owning: second)
    var isSeen = false
    witness.onReadable = {
      isSeen = true
      witness.isReading = false
    }
    witness.isReading = true
    _ = write(secondOther, [1], 1)
    #expect(await Self.wait { isSeen })
    #expect(events == 0)
    readiness.isReading = true
    readiness.isReading = false
    #expect(events == 0)
    witness.close()
    close(secondOther)
  }

  @Loop @Test func aHangUpIsToldOnceToWhoReadsNothing() async {
    let (own, other) = Self.pair()
    let readiness = Readiness(owning: own)
    var hangUps = 0
    readiness.onReadable = { hangUps += 100 }
    readiness.onHangUp = { hangUps += 1 }
    _ = write(other, [1], 1)
    // The other side can still read.
    shutdown(other, Int32(SHUT_WR))
    #expect(await Self.isQuiet { hangUps == 0 })
    close(other)
    #expect(await Self.wait { hangUps > 0 })
    #expect(await Self.isQuiet { hangUps == 1 })
    // Who asks late is told as well.
    readiness.onHangUp = { hangUps += 1 }
    #expect(await Self.wait { hangUps == 2 })
    readiness.close()
  }

  @Loop @Test func aHangUpIsToldToWhoStopsReading() async {
    let (own, other) = Self.pair()
    let readiness = Readiness(owning: own)
    var told: [String] = []
    readiness.onReadable = {
      told.append("bytes")
      readiness.isReading = false
    }
    readiness.onHangUp = { told.append("hang-up") }
    readiness.isReading = true
    _ = write(other, [1], 1)
    #expect(await Self.wait { told == ["bytes"] })
    close(other)
    #expect(await Self.wait { told == ["bytes", "hang-up"] })
    // What is left can still be read.
    readiness.isReading = true
    #expect(await Self.wait { told.count == 3 })
    #expect(told.last == "bytes")
    readiness.close()
  }

  /// Whether a condition still holds when all events so far have been handled: one of another descriptor shows that.
  @Loop private static func isQuiet(_ condition: @Loop () -> Bool) async -> Bool {
    let (own, other) = pair()
    let witness = Readiness(owning: own)
    var isSeen = false
    witness.onReadable = {
      isSeen = true
      witness.close()
    }
    witness.isReading = true
    _ = write(other, [1], 1)
    let wasSeen = await wait { isSeen }
    close(other)
    return wasSeen && condition()
  }

  @Loop @Test func aHandlerMayCloseWhatIsReadyAtTheSameTime() async {
    let ends = (0..<8).map { _ in Self.pair() }
    let all = ends.map { Readiness(owning: $0.0) }
    var events = 0
    for readiness in all {
      readiness.onReadable = {
        events += 1
        for other in all { other.close() }
      }
    }
    for end in ends { _ = write(end.1, [1], 1) }
    for readiness in all { readiness.isReading = true }
    #expect(await Self.wait { events > 0 })
    let (own, other) = Self.pair()
    let witness = Readiness(owning: own)
    var isSeen = false
    witness.onReadable = {
      isSeen = true
      witness.close()
    }
    witness.isReading = true
    close(other)
    #expect(await Self.wait { isSeen })
    #expect(events == 1)
    for end in ends { close(end.1) }
  }

  @Loop @Test func aDescriptorIsClosedWithItsOwner() async {
    for _ in 0..<100 {
      let (own, other) = Self.pair()
      var readiness: Readiness? = Readiness(owning: own)
      var received = 0
      readiness?.onReadable = {
        var byte: UInt8 = 0
        received += read(own, &byte, 1)
      }
      readiness?.isReading = true
      _ = write(other, [1], 1)
      #expect(await Self.wait { received > 0 })
      readiness?.onReadable = nil
      readiness = nil
      // If another test starts a process, that process holds the descriptors open until it executes its own program.
      var byte: UInt8 = 0
      #expect(await Self.wait { recv(other, &byte, 1, Int32(MSG_DONTWAIT)) == 0 })
      close(other)
    }
  }

  /// In this situation, libdispatch's own sources occasionally used freed memory.
  @Loop @Test func thousandsOfPeersMayHangUpWhileOthersClose() async {
    let count = 4000
    var ended = 0
    // This is not a task, because other tests block the threads of tasks.
    let hangUps = DispatchQueue(label: "hang-ups")
    for _ in 0..<count / 50 {
      let ends = (0..<50).map { _ in Self.pair() }
      for (own, _) in ends {
        let readiness = Readiness(owning: own)
        readiness.onReadable = {
          ended += 1
          readiness.close()
        }
        readiness.isReading = true
      }
      hangUps.async { for end in ends { close(end.1) } }
    }
    #expect(await Self.wait { ended == count })
  }
}
