// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Desktop
import EventLoop
import Glibc
import VarlinkClient

/// The servers of one site of another machine that are shown here: their ports on this machine's loopback addresses,
/// the connections of browsers, and the streams of the pages, which share them.
@Loop
final class ContinuedServers {
  private let device: String
  private let machine: String
  private var names: LocalPageNames
  private let onOver: @Loop () -> Void
  /// The newest last.
  private var pages: [ContinuedLocalPage] = []
  private var listeners: [Listener] = []
  private var connections: [ObjectIdentifier: BrowserConnection] = [:]
  private var idle: EventLoop.Timer?

  /// Where a page is on this machine.
  struct Place {
    let address: String
    /// Those of its other ports that have another number here, or none. Only its scripts know them.
    let movedPorts: [UInt16]
  }

  /// How often another port is tried if the one that the kernel gave is taken on the other loopback address.
  private static let attempts = 16

  /// - Parameters:
  ///   - host: The name under which browsers reach `localhost` or an address of the other machine, the site.
  ///   - onOver: Called once, unless ``close()`` is called before, and not before a method returns.
  init(device: String, host: String, site: String, onOver: @escaping @Loop () -> Void) {
    (self.device, self.onOver) = (device, onOver)
    machine = Printable.text(device)
    names = LocalPageNames(host: host, originHost: site, ports: [:])
    idle = EventLoop.Timer { [weak self] in self?.idled() }
  }

  /// The number of streams.
  var count: Int { pages.count { $0.isOpen || $0.isBeginning } }

  /// Whether there is neither a port nor a page.
  var isEmpty: Bool { listeners.isEmpty && !pages.contains(where: \.isBeginning) }

  /// Whether a port of this machine stands for one of the other.
  func listens(at port: UInt16) -> Bool { names.ports.values.contains(port) }

  var listed: ControlForwardedPage {
    ControlForwardedPage(
      origin: false,
      device: device,
      ports: names.ports.sorted { $0.key < $1.key }.map {
        ForwardedPort(port: $0.key, address: "http://\(names.host):\($0.value)")
      },
      connections: connections.count
    )
  }

  func close() {
    idle = nil
    for listener in listeners { listener.close() }
    listeners = []
    for connection in connections.values { connection.close(aborts: true) }
    connections = [:]
    for page in pages { page.close() }
    pages = []
  }

  // MARK: Pages

  /// Returns where a page is here, if streams that are open reach its ports.
  func place(of page: LocalPageActivity) -> Place? {
    let reached = Set(pages.filter(\.isOpen).flatMap(\.page.ports)).intersection(names.ports.keys)
    guard reached.isSuperset(of: page.ports) else { return nil }
    rest()
    return present(page)
  }

  private func present(_ page: LocalPageActivity) -> Place {
    let moved = page.ports.dropFirst().filter { names.ports[$0] != $0 }
    return Place(address: names.toHere(page.address.url), movedPorts: moved)
  }

  /// Opens a stream for a page, and the ports that are missing.
  ///
  /// - Parameter completion: Called once with the place to show, unless ``close()`` is called before. Not called
  ///   before this returns.
  /// - Throws: If no daemon can be called.
  func open(
    _ page: LocalPageActivity,
    _ id: ActivityID,
    socket: String?,
    completion: @escaping @Loop (Result<Place, ControlFailure>) -> Void
  ) throws(ControlError) {
    // The ports stay for the stream that comes.
    pages.removeAll { !$0.isOpen && !$0.isBeginning }
    let opened = try ContinuedLocalPage(page, opening: id, socket: socket) { [weak self] failure in
      guard let self else { return }
      if let failure { return failed(failure, completion) }
      for port in page.ports where names.ports[port] == nil { names.ports[port] = listen(for: port) }
      guard names.ports[page.address.port] != nil else { return failed(ControlFailure(.limitReached), completion) }
      rest()
      completion(.success(present(page)))
    }
    pages.append(opened)
  }

  private func failed(_ failure: ControlFailure, _ completion: @Loop (Result<Place, ControlFailure>) -> Void) {
    completion(.failure(failure))
    if isEmpty { end() }
  }

  /// Without connections, the time until the end begins again.
  private func rest() { idle?.set(connections.isEmpty ? Loop.now + LocalPageLimits.idleTime : nil) }

  private func idled() { if pages.contains(where: \.isBeginning) { rest() } else { end() } }

  private func end() {
    guard idle != nil else { return }
    close()
    onOver()
  }

  /// Of the pages that have the port, the newest that can be reached. If there is none, the newest says why.
  private func open(_ port: UInt16) -> Result<TunnelConnection, ForwardingFailure> {
    let all = pages.filter { $0.page.ports.contains(port) }
    guard let page = all.last(where: \.isOpen) ?? all.last else { return .failure(.away) }
    return page.open(port)
  }

  // MARK: Ports

  /// - Returns: The port here: the same if it is free.
  private func listen(for originPort: UInt16) -> UInt16? {
    guard names.ports.count < LocalPageLimits.listeners else { return nil }
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
      self?.open(port) ?? .failure(.away)
    }
    let connection = BrowserConnection(owning: descriptor, page, originPort: originPort, port: port) { [weak self] in
      self?.connections[ObjectIdentifier($0)] = nil
      self?.rest()
    }
    connections[ObjectIdentifier(connection)] = connection
    rest()
  }
}
