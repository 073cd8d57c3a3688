// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import EventLoop
import VarlinkClient

/// A page of a server on this machine that another machine shows: its stream, and its connections to servers.
@Loop
final class ServedLocalPage {
  let page: LocalPageActivity
  let team: String
  let device: String
  private let onBegan: @Loop (ServedLocalPage) -> Void
  private let permission: @Loop (ServedLocalPage, UInt16) -> ForwardingFailure?
  private let onOver: @Loop (ServedLocalPage) -> Void
  private var stream: ProgramStream?
  private var tunnel: PortTunnel?
  private var connections: [ObjectIdentifier: ServerConnection] = [:]
  private var idle: EventLoop.Timer?

  /// - Parameters:
  ///   - stream: The value of the event `streamRequested`.
  ///   - onBegan: Called at most once, when the other machine can ask for connections.
  ///   - permission: Returns why a port may not be used; nil if it may.
  ///   - onOver: Called once, unless ``close(_:)`` is called before, and not before this returns.
  /// - Throws: If no daemon can be called.
  init(
    _ page: LocalPageActivity,
    accepting stream: String,
    team: String,
    device: String,
    socket: String?,
    onBegan: @escaping @Loop (ServedLocalPage) -> Void,
    permission: @escaping @Loop (ServedLocalPage, UInt16) -> ForwardingFailure?,
    onOver: @escaping @Loop (ServedLocalPage) -> Void
  ) throws(ControlError) {
    (self.page, self.team, self.device) = (page, team, device)
    (self.onBegan, self.permission, self.onOver) = (onBegan, permission, onOver)
    idle = EventLoop.Timer { [weak self] in self?.end() }
    self.stream = try ProgramStream(.accepting(stream), path: socket) { [weak self] in self?.handle($0) }
  }

  var count: Int { connections.count }

  /// Those of the page's ports at which a server of this user listens. The user is asked only about them.
  var ports: [UInt16] {
    page.ports.filter { port in
      if case .success = ServerConnection.addresses(page.address.loopback, port) { true } else { false }
    }
  }

  /// - Parameter failure: What the other machine is told.
  func close(_ failure: ForwardingFailure) {
    idle = nil
    for connection in connections.values { connection.close() }
    connections = [:]
    tunnel?.close(failure)
    tunnel = nil
    stream?.close()
    stream = nil
  }

  /// The other machine may use the port no longer.
  func end(_ port: UInt16) {
    for connection in connections.values where connection.port == port { connection.refuse() }
  }

  private func handle(_ event: ProgramStream.Event) {
    switch event {
    case .began(let socket):
      guard let tunnel = try? PortTunnel(socket, isOrigin: true) else { return end() }
      self.tunnel = tunnel
      tunnel.onOpen = { [weak self] in self?.open($0, port: $1) }
      tunnel.onEnd = { [weak self] in self?.end() }
      rest()
      onBegan(self)
    case .ended, .failed: end()
    }
  }

  private func end() {
    guard stream != nil else { return }
    close(.away)
    onOver(self)
  }

  /// Without connections, the time until the end begins again.
  private func rest() { idle?.set(connections.isEmpty ? Loop.now + LocalPageLimits.originIdleTime : nil) }

  private func open(_ connection: TunnelConnection, port: UInt16) {
    // What can't be reached yet is in use as well: somebody is waiting for the user's answer, or for the server.
    rest()
    guard page.ports.contains(port) else { return connection.reset(.refused) }
    if case .failure(let failure) = ServerConnection.addresses(page.address.loopback, port) {
      return connection.reset(failure)
    }
    if let failure = permission(self, port) { return connection.reset(failure) }
    let server = ServerConnection(connection, page.address.loopback, port: port) { [weak self] in
      self?.connections[ObjectIdentifier($0)] = nil
      self?.rest()
    }
    connections[ObjectIdentifier(server)] = server
    rest()
  }
}
