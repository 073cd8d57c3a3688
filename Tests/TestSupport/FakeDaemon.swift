// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Foundation
import JSONCoding
import Varlink
import VarlinkServer

/// A Varlink server with the daemon's interface, or another one, whose answers the test provides.
@Loop
package final class FakeDaemon {
  package let path: String
  private let directory: String?
  private let server: VarlinkServer

  /// Creates a fake daemon with a socket in its own directory.
  package convenience init(_ interface: InterfaceDescription = .handoff) throws {
    let directory = try DaemonFixture.makeDirectory()
    try self.init(path: "\(directory)/baton.sock", removing: directory, interface)
  }

  /// - Parameter directory: The directory to remove when this object is released; nil for none.
  package init(path: String, removing directory: String? = nil, _ interface: InterfaceDescription = .handoff) throws {
    self.path = path
    self.directory = directory
    server = VarlinkServer(
      product: Product(vendor: "", product: "", version: "", url: ""),
      limits: ServerLimits(
        messageLength: Limits.varlinkMessageLength,
        messageDepth: Limits.varlinkDepth,
        connections: Share(total: 16, perUser: 16, forOthers: 0, forRoot: 0),
        sendQueueLength: Limits.controlSendQueueLength
      )
    )
    server.add(interface)
    server.listen(owning: try Sockets.listen(path: path, mode: 0o600))
  }

  isolated deinit { if let directory { try? FileManager.default.removeItem(atPath: directory) } }

  package func on<M: Varlink.Method>(_ method: M.Type, _ handler: @escaping @Loop (M.Parameters, Exchange<M>) -> Void) {
    server.on(method, handler)
  }

  /// Gives the same answer to each call of a method.
  package func reply<M: Varlink.Method>(to method: M.Type, _ reply: M.Reply) {
    on(method) { _, exchange in exchange.reply(reply) }
  }

  package func fail<M: Varlink.Method>(_ method: M.Type, _ failure: ControlFailure) {
    on(method) { _, exchange in exchange.fail("\(M.interface).Failed", failure.members) }
  }

  /// The status of a daemon that is in no team and has no sessions.
  package nonisolated static func status(_ counters: Counters = Counters()) -> GetStatus.Reply {
    GetStatus.Reply(
      device: "laptop",
      version: "0.1.0",
      port: 1,
      discovery: .running,
      teams: [],
      current: nil,
      sessions: 0,
      streams: 0,
      counters: counters
    )
  }

  package func offer(_ offers: [ControlOffer]) { reply(to: ListOffers.self, ListOffers.Reply(offers: offers)) }

  package func close(_ completion: @escaping @Loop () -> Void = {}) {
    server.close(by: Loop.now, completion: completion)
  }
}

extension AnyExchange {
  /// Leaves the call unanswered until its client goes away.
  package func stayOpen(then: @escaping @Loop () -> Void = {}) {
    onClosed = { withExtendedLifetime(self) { then() } }
  }
}

/// What the handlers of a fake daemon saw.
@Loop
package final class Record<T> {
  package private(set) var values: [T] = []

  package init() {}

  package func append(_ value: T) { values.append(value) }
}
