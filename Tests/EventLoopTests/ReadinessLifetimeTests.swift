// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import TestSupport
import Testing

extension EventLoopTests {
  struct ReadinessLifetimeTests {
    @Test func aHandlerMayCloseAndNothingIsCalledAfterwards() throws {
      let (near, far) = try pair()
      let calls = try onLoop { Calls(near) }
      try onLoop {
        calls.readiness?.onReadable = {
          calls.count += 1
          calls.readiness?.close()
          calls.readiness?.close()
        }
        calls.readiness?.onWritable = { calls.count += 100 }
        calls.readiness?.isReading = true
      }
      #expect(send(far, [1, 2, 3], 3, 0) == 3)
      try waitUntil("The descriptor is closed") { fcntl(near, F_GETFD) == -1 }
      try onLoop {
        // After the end, turning it on has no effect.
        calls.readiness?.isReading = true
        calls.readiness?.isWriting = true
      }
      #expect(try onLoop { calls.count } == 1)
      close(far)
    }

    @Test func aHandlerMayLetGoOfItsObject() throws {
      let (near, far) = try pair()
      let calls = try onLoop { Calls(near) }
      try onLoop {
        calls.readiness?.onReadable = {
          calls.count += 1
          calls.readiness = nil
        }
        calls.readiness?.isReading = true
        calls.readiness?.isWriting = true
      }
      #expect(send(far, [1], 1, 0) == 1)
      try waitUntil("The descriptor is closed") { fcntl(near, F_GETFD) == -1 }
      #expect(try onLoop { calls.count } == 1)
      close(far)
    }

    @Test func whatIsTurnedOffIsNotCalledAndComesBack() throws {
      let (near, far) = try pair()
      let calls = try onLoop { Calls(near) }
      try onLoop {
        calls.readiness?.onReadable = {
          calls.count += 1
          calls.readiness?.isReading = false
        }
      }
      #expect(send(far, [1], 1, 0) == 1)
      for round in 1...100 {
        #expect(try onLoop { calls.count } == round - 1)
        try onLoop { calls.readiness?.isReading = true }
        try waitUntil("It is called in round \(round)") { try onLoop { calls.count == round } }
      }
      try onLoop { calls.readiness = nil }
      try waitUntil("The descriptor is closed") { fcntl(near, F_GETFD) == -1 }
      close(far)
    }

    @Test func aDescriptorIsClosedOnceHoweverItEnds() throws {
      try Descriptors.settle()
      let before = Descriptors.count
      for round in 0..<200 {
        let (near, far) = try pair()
        let calls = try onLoop { Calls(near) }
        try onLoop {
          if round % 2 == 0 { calls.readiness?.isReading = true }
          if round % 3 == 0 { calls.readiness?.isWriting = true }
          if round % 5 == 0 { calls.readiness?.close() }
          calls.readiness = nil
        }
        // A second close would close whatever has that number by then.
        let others = try (0..<3).map { _ in try pair() }
        try onLoop {}
        for (one, other) in others {
          #expect(fcntl(one, F_GETFD) >= 0 && fcntl(other, F_GETFD) >= 0)
          close(one)
          close(other)
        }
        close(far)
      }
      try waitUntil("Every descriptor is closed") { Descriptors.count == before }
    }

    @Test func allThatCameBeforeAHangUpIsReadInSmallPieces() throws {
      for round in 0..<4 {
        let (near, far) = try pair()
        let calls = try onLoop { Calls(near) }
        try onLoop {
          calls.readiness?.onReadable = {
            var bytes: [UInt8] = [0, 0]
            let count = recv(near, &bytes, 2, 0)
            calls.count += max(0, count)
            if count == 0 { calls.readiness = nil }
            // Turn it off and on again in between, as when a window is full.
            guard round % 2 == 1, count > 0 else { return }
            calls.readiness?.isReading = false
            Task { @Loop in calls.readiness?.isReading = true }
          }
          if round < 2 { calls.readiness?.isReading = true }
        }
        #expect(send(far, [1, 2, 3, 4, 5, 6, 7], 7, 0) == 7)
        close(far)
        if round >= 2 { try onLoop { calls.readiness?.isReading = true } }
        try waitUntil("The end is read in round \(round)") { try onLoop { calls.readiness == nil } }
        #expect(try onLoop { calls.count } == 7)
      }
    }

    @Test func theOtherSidesEndIsReadable() throws {
      let (near, far) = try pair()
      let calls = try onLoop { Calls(near) }
      try onLoop {
        calls.readiness?.onReadable = {
          calls.count += 1
          calls.readiness?.isReading = false
        }
        calls.readiness?.isReading = true
      }
      close(far)
      try waitUntil("It is called") { try onLoop { calls.count == 1 } }
      try onLoop { calls.readiness = nil }
    }
  }
}

@Loop
private final class Calls {
  var count = 0
  var readiness: Readiness?

  init(_ descriptor: Int32) { readiness = Readiness(owning: descriptor) }
}

private func pair() throws -> (Int32, Int32) {
  var ends: [Int32] = [0, 0]
  guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0 else {
    throw TestFailure("socketpair: \(errno)")
  }
  return (ends[0], ends[1])
}
