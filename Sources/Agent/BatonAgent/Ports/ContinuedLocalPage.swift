// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import EventLoop
import Glibc
import VarlinkClient

/// A page of another machine's server that is shown here: its stream, its ports on this machine's loopback addresses,
/// and the connections of browsers.
@Loop
final class ContinuedLocalPage {
  let page: LocalPageActivity
  let deviceID: String
  let device: String
  private let machine: String
  private let host: String
  private let onOver: @Loop (ContinuedLocalPage) -> Void
  private var names: LocalPageNames
  private var stream: ProgramStream?
  private var tunnel: PortTunnel?
  private var listeners: [Listener] = []
  private var connections: [ObjectIdentifier: BrowserConnection] = [:]
  private var idle: EventLoop.Timer?
  private var completion: (@Loop (String?) -> Void)?

  /// How often another port is tried if the one that the kernel gave is taken on the other loopback address.
  private static let attempts = 16

  /// - Parameters:
  ///   - host: The name under which browsers reach it.
  ///   - completion: Called once with the address to show; nil if there is none. Not called before this returns.
  ///   - onOver: Called once, unless ``close()`` is called before, after the completion.
  /// - Throws: If no daemon can be called.
  init(
    _ page: LocalPageActivity,
    opening id: ActivityID,
    deviceID: String,
    device: String,
    host: String,
    socket: String?,
    completion: @escaping @Loop (String?) -> Void,
    onOver: @escaping @Loop (ContinuedLocalPage) -> Void
  ) throws(ControlError) {
    (self.page, self.deviceID, self.device, self.host) = (page, deviceID, device, host)
    (self.completion, self.onOver) = (completion, onOver)
    machine = Printable.text(device)
    names = LocalPageNames(host: host, originHost: page.address.host, ports: [:])
    stream = try ProgramStream(.opening(id), path: socket) { [weak self] in self?.handle($0) }
    idle = EventLoop.Timer { [weak self] in self?.end() }
  }

  var count: Int { connections.count }

  /// The address here by the port there.
  var addresses: [(port: UInt16, address: String)] {
    page.ports.compactMap { port in names.ports[port].map { (port, "http://\(host):\($0)") } }
  }

  func close() {
    completion = nil
    idle = nil
    for listener in listeners { listener.close() }
    listeners = []
    for connection in connections.values { connection.close(aborts: true) }
    connections = [:]
    leave()
  }

  private func leave() {
    let tunnel = tunnel
    self.tunnel = nil
    // Those who wait for the other machine are told.
    tunnel?.end()
    stream?.close()
    stream = nil
  }

  /// Whether the other machine is gone, so that only the ports are left, which say so.
  var isAway: Bool { stream == nil }

  /// Returns the address here of another page of the same servers; nil if that needs more ports, or is not known yet.
  func address(of other: LocalPageActivity) -> String? {
    guard !isAway, other.address.host.hasBytes(of: page.address.host),
      other.ports.allSatisfy({ names.ports[$0] != nil }), let here = names.ports[other.address.port]
    else { return nil }
    idle?.set(connections.isEmpty ? Loop.now + LocalPageLimits.idleTime : nil)
    return "http://\(host):\(here)\(other.address.resource)"
  }

  private func handle(_ event: ProgramStream.Event) {
    switch event {
    case .began(let socket): begin(socket)
    // The ports stay for a moment, and say why.
    case .ended, .failed:
      leave()
      if completion != nil { end() }
    }
  }

  private func begin(_ socket: Int32) {
    guard let tunnel = try? PortTunnel(socket, isOrigin: false) else { return end() }
    self.tunnel = tunnel
    tunnel.onEnd = { [weak self] in self?.leave() }
    for port in page.ports { names.ports[port] = listen(for: port) }
    guard let here = names.ports[page.address.port] else { return end() }
    idle?.set(Loop.now + LocalPageLimits.idleTime)
    let completion = completion
    self.completion = nil
    completion?("http://\(host):\(here)\(page.address.resource)")
  }

  private func end() {
    guard idle != nil else { return }
    let completion = completion
    close()
    completion?(nil)
    onOver(self)
  }

  // MARK: Ports

  /// - Returns: The port here: the same if it is free.
  private func listen(for originPort: UInt16) -> UInt16? {
    for wanted in [originPort] + Array(repeating: 0, count: Self.attempts) {
      guard let sockets = Self.sockets(at: wanted), let port = sockets.first.flatMap(Self.port) else { continue }
      listeners += sockets.map { socket in
        Listener(owning: socket) { [weak self] in self?.accept($0, originPort, port) ?? Sockets.close($0) }
      }
      return port
    }
    return nil
  }

  /// Listens at both loopback addresses, so that no other program gets what is meant for this one.
  private static func sockets(at port: UInt16) -> [Int32]? {
    var sockets: [Int32] = []
    do throws(SystemError) {
      for address in Sockets.loopbacks(port: port) {
        do throws(SystemError) {
          sockets.append(try Sockets.listen(at: address.with(port: sockets.first.flatMap(Self.port) ?? port)))
        } catch  where address.isIPv6 && (error.code == EADDRNOTAVAIL || error.code == EAFNOSUPPORT) {
          continue
        }
      }
      return sockets
    } catch {
      sockets.forEach(Sockets.close)
      return nil
    }
  }

  private static func port(_ socket: Int32) -> UInt16? { Sockets.localAddress(of: socket)?.port }

  private func accept(_ descriptor: Int32, _ originPort: UInt16, _ port: UInt16) {
    // Loopback addresses are shared by all users.
    guard Sockets.isOfThisUser(peerOf: descriptor), connections.count < LocalPageLimits.connections else {
      return Sockets.reset(descriptor)
    }
    let page = BrowserConnection.Page(names: names, machine: machine) { [weak self] port in
      guard let tunnel = self?.tunnel else { return .failure(.away) }
      return tunnel.open(port: port).map { .success($0) } ?? .failure(.tooMany)
    }
    let connection = BrowserConnection(owning: descriptor, page, originPort: originPort, port: port) { [weak self] in
      self?.ended($0)
    }
    connections[ObjectIdentifier(connection)] = connection
    idle?.set(nil)
  }

  private func ended(_ connection: BrowserConnection) {
    connections[ObjectIdentifier(connection)] = nil
    if connections.isEmpty { idle?.set(Loop.now + LocalPageLimits.idleTime) }
  }
}
