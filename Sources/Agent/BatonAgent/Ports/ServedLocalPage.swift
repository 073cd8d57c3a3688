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
  private let permission: @Loop (UInt16) -> ForwardingFailure?
  private let onOver: @Loop (ServedLocalPage) -> Void
  private var stream: ProgramStream?
  private var tunnel: PortTunnel?
  private var connections: [ObjectIdentifier: ServerConnection] = [:]
  private var idle: EventLoop.Timer?

  /// - Parameters:
  ///   - stream: The value of the event `streamRequested`.
  ///   - permission: Returns why a port may not be used; nil if it may.
  ///   - onOver: Called once, unless ``close()`` is called before, and not before this returns.
  /// - Throws: If no daemon can be called.
  init(
    _ page: LocalPageActivity,
    accepting stream: String,
    team: String,
    device: String,
    socket: String?,
    permission: @escaping @Loop (UInt16) -> ForwardingFailure?,
    onOver: @escaping @Loop (ServedLocalPage) -> Void
  ) throws(ControlError) {
    (self.page, self.team, self.device) = (page, team, device)
    (self.permission, self.onOver) = (permission, onOver)
    idle = EventLoop.Timer { [weak self] in self?.end() }
    self.stream = try ProgramStream(.accepting(stream), path: socket) { [weak self] in self?.handle($0) }
  }

  var count: Int { connections.count }

  func close() {
    idle = nil
    for connection in connections.values { connection.close() }
    connections = [:]
    tunnel?.close()
    tunnel = nil
    stream?.close()
    stream = nil
  }

  private func handle(_ event: ProgramStream.Event) {
    switch event {
    case .began(let socket):
      guard let tunnel = try? PortTunnel(socket, isOrigin: true) else { return end() }
      self.tunnel = tunnel
      tunnel.onOpen = { [weak self] in self?.open($0, port: $1) }
      tunnel.onEnd = { [weak self] in self?.end() }
      rest()
    case .ended, .failed: end()
    }
  }

  private func end() {
    guard stream != nil else { return }
    close()
    onOver(self)
  }

  /// Without connections, the time until the end begins again.
  private func rest() { idle?.set(connections.isEmpty ? Loop.now + LocalPageLimits.originIdleTime : nil) }

  private func open(_ connection: TunnelConnection, port: UInt16) {
    guard page.ports.contains(port) else { return connection.reset(.refused) }
    // The user is asked only about a server of theirs.
    if case .failure(let failure) = ServerConnection.addresses(page.address.loopback, port) {
      return connection.reset(failure)
    }
    if let failure = permission(port) { return connection.reset(failure) }
    let server = ServerConnection(connection, page.address.loopback, port: port) { [weak self] in
      self?.connections[ObjectIdentifier($0)] = nil
      self?.rest()
    }
    connections[ObjectIdentifier(server)] = server
    rest()
  }
}
