// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Varlink
import VarlinkServer

/// The agent's Varlink service, on which its parts answer. It is the last part, so that no call comes before the others
/// have started, or after they have stopped.
@Loop
final class AgentServer: AgentPart {
  /// How many connections the index's socket accepts. All are the user's own.
  private static let searchConnections = 256
  /// How long the index's clients have to read their last replies when the agent stops.
  private static let searchStopTime = Duration.seconds(2)

  struct NoHome: Error, CustomStringConvertible {
    var description: String { "neither HOME nor XDG_DATA_HOME is set" }
  }

  let server: VarlinkServer
  private let listener: SearchListener

  /// - Parameter passed: The sockets on which systemd listens for this agent.
  /// - Throws: ``SearchListener/InUse``, ``NoHome``, or `SystemError` if there is no place for the socket.
  init(_ environment: ProcessEnvironment, passed: [Int32]) throws {
    // Nothing could be kept.
    guard (environment.directory("HOME") ?? environment.directory("XDG_DATA_HOME")) != nil else { throw NoHome() }
    listener = try SearchListener(passed: passed, environment)
    server = VarlinkServer(
      product: Product(vendor: "Baton", product: "baton agent", version: Version.current, url: ""),
      limits: ServerLimits(
        messageLength: Limits.agentMessageLength,
        messageDepth: Limits.varlinkDepth,
        connections: Share(
          total: Self.searchConnections,
          perUser: Self.searchConnections,
          forOthers: 0,
          forRoot: 0
        ),
        sendQueueLength: Limits.controlSendQueueLength
      )
    )
  }

  func start() {
    for descriptor in listener.descriptors { server.listen(owning: descriptor) }
  }

  func stop() { stop {} }

  func stop(_ completion: @escaping @Loop () -> Void) {
    server.close(by: Loop.now + Self.searchStopTime) { [self] in
      listener.remove()
      completion()
    }
  }

  func applicationsChanged() {}
}
