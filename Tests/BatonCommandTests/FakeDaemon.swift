import Activity
import ControlInterface
import EventLoop
import Foundation
import JSON
import Varlink
import VarlinkServer

/// A Varlink server with the daemon's interface, whose answers a test gives.
@Loop
final class FakeDaemon {
  let path: String
  private let directory: String
  private let server: VarlinkServer

  init() throws {
    var template = Array("/tmp/baton-command-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp") }
    directory = String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    path = directory + "/baton.sock"
    server = VarlinkServer(
      product: Product(vendor: "", product: "", version: "", url: ""),
      limits: ServerLimits(
        messageLength: Limits.varlinkMessageLength,
        messageDepth: Limits.varlinkDepth,
        connections: 16,
        connectionsPerUser: 16,
        sendQueueLength: Limits.controlSendQueueLength
      )
    )
    server.add(.handoff)
    server.listen(owning: try Sockets.listen(path: path, mode: 0o600))
  }

  isolated deinit { try? FileManager.default.removeItem(atPath: directory) }

  func on<M: Varlink.Method>(_ method: M.Type, _ handler: @escaping @Loop (M.Parameters, Exchange<M>) -> Void) {
    server.on(method, handler)
  }

  /// Answers each call of a method alike.
  func reply<M: Varlink.Method>(to method: M.Type, _ reply: M.Reply) {
    on(method) { _, exchange in exchange.reply(reply) }
  }

  func fail<M: Varlink.Method>(_ method: M.Type, _ failure: ControlFailure) {
    on(method) { _, exchange in exchange.fail(ControlFailure.name, failure.members) }
  }

  func offer(_ offers: [ControlOffer]) { reply(to: ListOffers.self, ListOffers.Reply(offers: offers)) }

  func close() { server.close(by: .now) }
}

extension AnyExchange {
  /// Leaves the call unanswered until its client goes away.
  func stayOpen(then: @escaping @Loop () -> Void = {}) {
    onClosed = { withExtendedLifetime(self) { then() } }
  }
}

/// What the handlers of a fake daemon saw.
@Loop
final class Record<T> {
  private(set) var values: [T] = []

  func append(_ value: T) { values.append(value) }
}
