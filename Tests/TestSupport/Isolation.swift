import EventLoop
import Testing

extension Trait where Self == Isolation {
  package static var isolated: Isolation { Isolation() }
}

/// Gives a test the loop, its clock and the process's descriptors for itself.
///
/// It fails a test that leaves something behind. Afterwards no timer waits and no descriptor is open that was not there
/// before, and the loop has the system's clock. So the next test in this process starts where this one did.
///
/// Tests must run one at a time (`--no-parallel`).
package struct Isolation: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try Descriptors.settle()
    let (timers, descriptors) = try onLoop { (Timer.pending.count, Descriptors.list()) }
    let result: Result<Void, any Error>
    do {
      try await function()
      try Self.expectNothingIsLeft(timers: timers, descriptors: descriptors)
      result = .success(())
    } catch {
      result = .failure(error)
    }
    try onLoop { Loop.clock = SystemClock() }
    try result.get()
  }

  private static func expectNothingIsLeft(timers: Int, descriptors before: [Int32: String]) throws {
    do {
      try waitUntil("Everything is closed") {
        // A connection that was ended waits a moment for the other side.
        let waiting = try onLoop {
          let clock = Loop.clock as? ManualClock
          clock?.advance(by: .milliseconds(20))
          return clock?.waitingCount ?? Timer.pending.count
        }
        return waiting <= timers && Descriptors.count <= before.count
      }
    } catch {
      let left = Descriptors.list().filter { before[$0.key] == nil }.map { descriptor, name in
        let addresses = [Sockets.localAddress(of: descriptor), Sockets.peerAddress(of: descriptor)]
        return "\(descriptor): \(name) \(addresses.compactMap { $0?.description })"
      }
      throw TestFailure("The test leaves descriptors \(left) and \(try onLoop { Timer.pending.count }) timers")
    }
  }
}
