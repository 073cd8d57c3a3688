// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import TestSupport
import Testing

/// What the kernel reports about bytes that were written to a Unix socket.
@Suite(.isolated) struct SocketDeliveryTests {
  private static func pair() -> (Int32, Int32) {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    #expect(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    return (ends[0], ends[1])
  }

  private static func move(_ count: Int, from: Int32, to: Int32) {
    var bytes = [UInt8](repeating: 0, count: 1000)
    #expect(write(from, bytes, bytes.count) == bytes.count)
    #expect(read(to, &bytes, count) == count)
  }

  @Test(arguments: [true, false]) func bytesAreDeliveredWhenTheyAreRead(isEnded: Bool) {
    let (near, far) = Self.pair()
    #expect(Sockets.delivery(of: near) == .done)
    Self.move(999, from: near, to: far)
    if isEnded { #expect(shutdown(near, Int32(SHUT_WR)) == 0) }
    #expect(Sockets.delivery(of: near) == .pending)
    var byte: UInt8 = 0
    #expect(recv(far, &byte, 1, Int32(MSG_PEEK)) == 1)
    #expect(Sockets.delivery(of: near) == .pending)
    #expect(read(far, &byte, 1) == 1)
    #expect(Sockets.delivery(of: near) == .done)
    close(far)
    #expect(Sockets.delivery(of: near) == .done)
    #expect(Sockets.hasHungUp(near))
    close(near)
  }

  @Test(arguments: [true, false]) func bytesThatAreUnreadAtTheEndAreNot(hasFinished: Bool) {
    let (near, far) = Self.pair()
    Self.move(999, from: near, to: far)
    if hasFinished { #expect(shutdown(far, Int32(SHUT_WR)) == 0) }
    #expect(!Sockets.hasHungUp(near))
    // Only the last holder counts.
    let other = dup(far)
    close(far)
    #expect(Sockets.delivery(of: near) == .pending)
    close(other)
    #expect(Sockets.delivery(of: near) == .failed)
    #expect(Sockets.hasHungUp(near))
    close(near)
  }

  @Loop @Test func eachPieceThatIsReadIsTold() async {
    let (near, far) = Self.pair()
    var bytes = [UInt8](repeating: 0, count: 1000)
    for _ in 0..<3 { #expect(write(near, bytes, bytes.count) == bytes.count) }
    let watch = Readiness(owning: near, tellsChanges: true)
    var count = 0
    watch.onWritable = { count += 1 }
    watch.isWriting = true
    for expected in 1...4 {
      let deadline = ContinuousClock.now + .seconds(60)
      while count < expected, ContinuousClock.now < deadline { try? await Task.sleep(for: .milliseconds(1)) }
      #expect(count == expected)
      if expected < 4 { #expect(read(far, &bytes, bytes.count) == bytes.count) }
    }
    #expect(Sockets.delivery(of: near) == .done)
    close(far)
    watch.close()
  }

  /// For a moment after the kernel has reported the space, its own count is 1. Nobody would check again after that.
  @Test func noMomentIsSeenThatNothingIsToldAfter() throws {
    let (near, far) = Self.pair()
    let reader = onThread {
      var byte: UInt8 = 0
      for _ in 0..<100_000 { guard write(near, &byte, 1) == 1, read(far, &byte, 1) == 1 else { return false } }
      return true
    }
    var counts: Set<Int> = []
    while !reader.isSet { counts.insert(Descriptor.unread(near)) }
    #expect(try reader.wait())
    #expect(counts.allSatisfy { $0 == 0 || $0 > 500 }, "\(counts)")
    close(near)
    close(far)
  }
}
