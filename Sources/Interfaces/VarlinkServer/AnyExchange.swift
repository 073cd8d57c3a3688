// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import JSONCoding
import Varlink

/// A call that a client made. A handler answers it immediately, or later, as long as it keeps this object.
@Loop
package class AnyExchange {
  private enum State {
    case open
    case upgrading
    case finished
    case clientGone
  }

  /// The caller, as the kernel reports it.
  package let user: uid_t
  /// How the caller wants to be answered.
  package let mode: Call.Mode

  private let method: String
  let connection: ClientConnection
  private var state = State.open
  private var closedHandler: (@Loop () -> Void)?
  private var readHandler: (@Loop () -> Void)?

  init(_ call: Call, _ connection: ClientConnection) {
    user = connection.user
    mode = call.mode
    method = call.method
    self.connection = connection
    connection.begin(self)
  }

  isolated deinit {
    // If the object is released on another thread, this runs after the connection has lost sight of the exchange.
    guard state == .open, !connection.isClosed else { return }
    // A handler may only forget a call whose reply nobody awaits.
    assert(mode == .oneway, "\(method) was not answered")
    if mode != .oneway { connection.send(VarlinkError.methodNotImplemented(method).reply) }
    connection.finish()
  }

  /// Whether the last reply or an error was sent, or the client disconnected. Nothing more can be sent then.
  package var isFinished: Bool { state != .open }

  /// Whether the client has not read everything that it was sent.
  package var isBehind: Bool { connection.hasOutput }

  /// Calls a handler once, when the client has read everything that it was sent: immediately, or later if it is behind.
  /// A waiting handler is dropped if another one is set, or if the client disconnects.
  package func whenRead(_ handler: @escaping @Loop () -> Void) {
    guard isBehind else { return handler() }
    if state == .open { readHandler = handler }
  }

  /// Whether the client has closed its connection, even if that was not reported yet.
  package var hasClientLeft: Bool { state == .clientGone || connection.hasHungUp }

  /// Called once if the client disconnects before the last reply, but never from within a call that the handler makes
  /// here. A client that only shuts down its sending direction has not disconnected.
  package var onClosed: (@Loop () -> Void)? {
    get { closedHandler }
    set {
      closedHandler = newValue
      if state == .clientGone { Task { @Loop in self.callClosedHandler() } }
    }
  }

  /// Ends the exchange with an error of org.varlink.service.
  package func fail(_ error: VarlinkError) { finish(error.reply) }

  /// Ends the exchange with an error.
  ///
  /// - Parameter name: The name with its interface: `org.example.a.Failed`.
  package func fail(_ name: String, _ parameters: [String: JSON] = [:]) { finish(Reply(error: name, parameters)) }

  /// Sends the last reply. Does nothing if the exchange is already finished.
  final func finish(_ reply: Reply) {
    guard state == .open else { return }
    state = .finished
    closedHandler = nil
    readHandler = nil
    if mode != .oneway { connection.send(reply) }
    connection.finish()
  }

  final func upgrade(_ reply: Reply, then completion: @escaping @Loop (Int32, [UInt8]) -> Void) {
    guard state == .open else { return }
    state = .upgrading
    connection.send(reply)
    connection.upgrade(self) { [self] descriptor, rest in
      state = .finished
      closedHandler = nil
      completion(descriptor, rest)
    }
  }

  final func clientHasRead() {
    let handler = readHandler
    readHandler = nil
    handler?()
  }

  final func clientWentAway() {
    guard state == .open || state == .upgrading else { return }
    state = .clientGone
    readHandler = nil
    callClosedHandler()
  }

  private func callClosedHandler() {
    let handler = closedHandler
    closedHandler = nil
    handler?()
  }
}
