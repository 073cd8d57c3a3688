// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Foundation

/// What a test must leave as it was, because other tests follow in the same process: the timers of the loop, the
/// descriptors, the child processes, the directories of fixtures, and ``ProcessState``.
package struct Surroundings: Sendable {
  package let descriptors: [Int32: String]
  private let timers: Int
  private let directories: Set<String>
  private let hasChildren: Bool
  private let state: [String: String]

  /// Ignores broken pipes, as every daemon does, and waits until what the loop keeps for the life of the process is
  /// there.
  package static func settled() throws -> Surroundings {
    Signals.ignoreBrokenPipes()
    try Descriptors.settle()
    return try Surroundings()
  }

  private init() throws {
    timers = try onLoop { Self.waitingTimers }
    descriptors = Descriptors.list()
    directories = DaemonFixture.directories
    hasChildren = ProcessState.hasChildren
    state = ProcessState.now
  }

  /// - Throws: `TestFailure` that lists what is left, if it does not go in time.
  package func expectUnchanged(within time: Duration = patience) throws {
    do {
      try waitUntil("Nothing is left", within: time) {
        // A connection that was ended waits a moment for the other side.
        try onLoop { (Loop.clock as? ManualClock)?.advance(by: .milliseconds(20)) }
        return difference(to: try Surroundings()).isEmpty
      }
    } catch {
      throw TestFailure("The test leaves behind: \(difference(to: try Surroundings()).joined(separator: "; "))")
    }
    if try onLoop({ Timer.onFire != nil }) { throw TestFailure("The test leaves Timer.onFire behind") }
  }

  private func difference(to other: Surroundings) -> [String] {
    var difference: [String] = []
    for (descriptor, name) in other.descriptors where descriptors[descriptor] != name {
      let addresses = [Sockets.localAddress(of: descriptor), Sockets.peerAddress(of: descriptor)].compactMap(\.self)
      difference.append("descriptor \(descriptor), \(name) \(addresses.map(\.description).joined(separator: " – "))")
    }
    if other.timers > timers { difference.append("timers: \(other.timers - timers)") }
    for directory in other.directories.subtracting(directories) { difference.append(directory) }
    if other.hasChildren && !hasChildren { difference.append("a child process") }
    for name in Set(state.keys).union(other.state.keys) where state[name] != other.state[name] {
      difference.append("\(name): \(other.state[name] ?? "nothing") instead of \(state[name] ?? "nothing")")
    }
    return difference
  }

  @Loop private static var waitingTimers: Int {
    Timer.pending.count + ((Loop.clock as? ManualClock)?.waitingCount ?? 0)
  }
}
