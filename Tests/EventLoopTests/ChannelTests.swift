// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.isolated) struct ChannelTests {
  /// Returns a channel, and the other end of its socket, which blocks.
  @Loop private static func pair(pieceLength: Int = 1024) -> (Channel, Int32) {
    var ends: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    return (Channel(owning: ends[0], pieceLength: pieceLength), ends[1])
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

  /// Returns what can be read now, at most `count` bytes.
  private static func take(_ count: Int, from descriptor: Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { space, initialized in
      initialized = max(0, recv(descriptor, space.baseAddress, count, Int32(MSG_DONTWAIT)))
    }
  }

  @Loop @Test func whatIsWrittenArrivesInOrderHoweverSlowlyItIsTaken() async {
    let (channel, other) = Self.pair()
    let sent = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 8) }
    var drained = 0
    channel.onDrained = { drained += 1 }
    for start in stride(from: 0, to: sent.count, by: 100_000) { channel.write(sent[start..<start + 100_000]) }
    #expect(channel.waitingCount > 0)
    #expect(drained == 0)
    var received: [UInt8] = []
    _ = await Self.wait {
      received += Self.take(64 * 1024, from: other)
      return received.count == sent.count
    }
    #expect(received == sent)
    #expect(await Self.wait { drained == 1 })
    #expect(channel.waitingCount == 0)
    close(other)
  }

  @Loop @Test func whoNeverHadToWaitIsNotTold() async {
    let (channel, other) = Self.pair()
    var told: [String] = []
    channel.onDrained = { told.append("drained") }
    channel.onBytes = { told.append(String(decoding: $0, as: UTF8.self)) }
    channel.onEnd = { told.append($0 == nil ? "end" : "failure") }
    channel.isReading = true
    channel.append([1])
    #expect(Self.take(1, from: other) == [])
    channel.flush()
    #expect(Self.take(9, from: other) == [1])
    _ = write(other, Array("abc".utf8), 3)
    #expect(await Self.wait { told == ["abc"] })
    shutdown(other, Int32(SHUT_WR))
    #expect(await Self.wait { told.count == 2 })
    #expect(told == ["abc", "end"])
    // The other direction stands.
    channel.write([2])
    #expect(Self.take(9, from: other) == [2])
    // Reading is over, whoever asks for more.
    channel.isReading = true
    #expect(!channel.isReading)
    close(other)
  }

  @Loop @Test func whatWaitsIsWrittenBeforeTheEnd() async {
    let (channel, other) = Self.pair()
    let block = [UInt8](repeating: 7, count: 1 << 20)
    channel.write(block)
    channel.finish()
    channel.write([8])
    var count = 0
    var hasEnded = false
    _ = await Self.wait {
      var bytes = [UInt8](repeating: 0, count: 64 * 1024)
      let taken = recv(other, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      count += max(0, taken)
      hasEnded = taken == 0
      return hasEnded
    }
    #expect(hasEnded)
    #expect(count == block.count)
    close(other)
    let (idle, end) = Self.pair()
    idle.finish()
    var byte: UInt8 = 0
    #expect(recv(end, &byte, 1, 0) == 0)
    close(end)
  }

  @Loop @Test func aBrokenChannelSaysSoAndStillReads() async {
    let (channel, other) = Self.pair()
    _ = write(other, Array("last words".utf8), 10)
    shutdown(other, Int32(SHUT_RD))
    var drained = 0
    channel.onDrained = { drained += 1 }
    channel.write([1])
    #expect(channel.isBroken)
    #expect(drained == 0)
    #expect(await Self.wait { drained == 1 })
    channel.write([UInt8](repeating: 0, count: 1 << 20))
    #expect(channel.waitingCount == 0)
    var read: [UInt8] = []
    channel.onBytes = { read += $0 }
    channel.onEnd = { _ in }
    channel.isReading = true
    #expect(await Self.wait { read == Array("last words".utf8) })
    close(other)
  }

  @Loop @Test func aHandlerMayCloseOrReleaseIt() async {
    for isReleased in [false, true] {
      var (channel, other): (Channel?, Int32) = Self.pair(pieceLength: 1)
      var count = 0
      channel?.onBytes = { _ in
        count += 1
        if isReleased { channel = nil } else { channel?.close() }
      }
      channel?.onEnd = { _ in count += 100 }
      channel?.isReading = true
      _ = write(other, [UInt8]([1, 2]), 2)
      #expect(await Self.wait { count > 0 })
      var byte: UInt8 = 0
      // Unread bytes make it a reset.
      #expect(await Self.wait { recv(other, &byte, 1, Int32(MSG_DONTWAIT)) <= 0 && errno != EAGAIN })
      #expect(count == 1)
      close(other)
    }
  }

  @Loop @Test func pipesAreNoSockets() async throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    let (input, output) = (Channel(owning: ends[0]), Channel(owning: ends[1]))
    var read: [UInt8] = []
    var hasEnded = false
    input.onBytes = { read += $0 }
    input.onEnd = { hasEnded = $0 == nil }
    input.isReading = true
    output.write([1, 2, 3])
    #expect(await Self.wait { read == [1, 2, 3] })
    output.close()
    #expect(await Self.wait { hasEnded })
  }

  @Loop @Test func anotherWayToReadLeavesBytesInTheSocket() async {
    let (channel, other) = Self.pair()
    let descriptor = channel.descriptor
    channel.read = { Sockets.receive(upTo: 0, from: descriptor, into: $0) }
    var read: [UInt8] = []
    channel.onBytes = {
      read += $0
      channel.isReading = false
    }
    channel.onEnd = { _ in }
    _ = write(other, [UInt8]([1, 2, 0, 3, 4]), 5)
    channel.isReading = true
    #expect(await Self.wait { !read.isEmpty })
    #expect(read == [1, 2, 0])
    #expect(Self.take(9, from: descriptor) == [3, 4])
    channel.close()
    close(other)
  }
}
