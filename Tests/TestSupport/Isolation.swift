// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import Synchronization
import Testing

extension Trait where Self == Isolation {
  package static var isolated: Isolation { Isolation() }
}

/// Gives a test the loop, its clock, and what belongs to the whole process.
///
/// It fails a test that leaves something behind (see ``Surroundings``), and puts the system's clock back. So the next
/// test in this process starts where this one did. A test that hangs fails, too, and does not hold up the others.
///
/// Tests must run one at a time (`--no-parallel`).
package struct Isolation: SuiteTrait, TestTrait, TestScoping {
  /// How long a test may take. This is much longer than needed, to allow for busy machines and sanitizers.
  private static let timeLimit = patience * 30
  private static let isTaken = Mutex(false)

  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let wasTaken = Self.isTaken.withLock { isTaken in
      defer { isTaken = true }
      return isTaken
    }
    if wasTaken { throw TestFailure("Run the tests one at a time, with --no-parallel") }
    defer { Self.isTaken.withLock { $0 = false } }

    let before = try Surroundings.settled()
    let hasEnded = Outcome<Bool>()
    let isLate = onThread { Self.limit(test.name, hasEnded, sockets: before.descriptors) }
    var failure: (any Error)?
    do { try await function() } catch { failure = error }
    hasEnded.set(.success(true))
    if try isLate.wait() { Issue.record("It took more than \(Self.timeLimit), so its sockets were shut down") }
    do { if failure == nil { try before.expectUnchanged() } } catch { failure = error }
    do {
      try onLoop { Loop.clock = SystemClock() }
    } catch {
      fatalError("\(test.name) blocks the loop, which all later tests need")
    }
    if let failure { throw failure }
  }

  /// Waits until the test has ended. If it takes too long, shuts down its sockets. Then calls that wait for them fail,
  /// and the test with them. If that does not help, ends the process and all tests.
  ///
  /// - Parameter sockets: The descriptors that are not the test's.
  /// - Returns: Whether it took too long.
  private static func limit(_ name: String, _ hasEnded: Outcome<Bool>, sockets others: [Int32: String]) -> Bool {
    if (try? hasEnded.wait(timeLimit)) != nil { return false }
    for (descriptor, name) in Descriptors.list() where name.hasPrefix("socket:") && others[descriptor] != name {
      shutdown(descriptor, Int32(SHUT_RDWR))
    }
    if (try? hasEnded.wait()) == nil { fatalError("\(name) hangs") }
    return true
  }
}

/// Runs the body of an exit test. Fails the test if it leaves something behind, or if an error is thrown, whose
/// description would be lost if it left the exit test.
package func inOwnProcess(_ body: () throws -> Void) {
  do {
    let before = try Surroundings.settled()
    try body()
    try before.expectUnchanged()
  } catch {
    Issue.record(error)
  }
}
