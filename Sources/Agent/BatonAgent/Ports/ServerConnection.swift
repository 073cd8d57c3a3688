// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import EventLoop
import Glibc

/// A connection to a server of this user on this machine, for a page that is shown on another one.
@Loop
final class ServerConnection {
  private let connection: TunnelConnection
  let port: UInt16
  private let onOver: @Loop (ServerConnection) -> Void
  /// Until the server has accepted.
  private var connecting: Readiness?
  private var socket: Int32?
  /// Where the server listens as well, if the present address refuses.
  private var otherAddresses: ArraySlice<SocketAddress> = []
  private var channel: Channel?
  private var timer: EventLoop.Timer?
  /// Bytes for the server that came before it has accepted, and those that it has not taken.
  private var early: [UInt8] = []
  private var untaken = 0
  private var hasEndedEarly = false

  /// How long a server may take to accept.
  private static let connectTime = Duration.seconds(10)

  /// - Parameter onOver: Called once, not before this returns.
  init(
    _ connection: TunnelConnection,
    _ loopback: LocalPageAddress.Loopback,
    port: UInt16,
    onOver: @escaping @Loop (ServerConnection) -> Void
  ) {
    (self.connection, self.port, self.onOver) = (connection, port, onOver)
    connection.onReset = { [weak self] _ in self?.close() }
    connection.onBytes = { [weak self] in self?.early += $0 }
    connection.onEnd = { [weak self] in self?.hasEndedEarly = true }
    timer = EventLoop.Timer { [weak self] in self?.fail(.noServer) }
    switch Self.addresses(loopback, port) {
    case .failure(let failure): failLater(failure)
    case .success(let addresses):
      otherAddresses = addresses[...]
      connect()
    }
  }

  isolated deinit { if let socket { Sockets.close(socket) } }

  /// Finds the user's server among those that listen on a port. A socket at all addresses of IPv6 may or may not accept
  /// those of IPv4, which only connecting shows.
  ///
  /// - Returns: The addresses where it may listen, in the order in which browsers try them. At least one.
  static func addresses(
    _ loopback: LocalPageAddress.Loopback,
    _ port: UInt16
  ) -> Result<[SocketAddress], ForwardingFailure> {
    let all = Sockets.loopbacks(port: port)
    let addresses: [SocketAddress] =
      switch loopback {
      case .any: all.filter(\.isIPv6) + all.filter { !$0.isIPv6 }
      case .ipv4(let bytes): [SocketAddress(bytes: bytes, port: port)].compactMap(\.self)
      case .ipv6: all.filter(\.isIPv6)
      }
    let users = addresses.map { Sockets.listeningUser(at: $0) }
    let own = zip(addresses, users).filter { $0.1 == .this }.map(\.0)
    return own.isEmpty ? .failure(users.contains(.other) ? .otherUser : .noServer) : .success(own)
  }

  /// The user no longer allows it.
  func refuse() { fail(.refused) }

  func close() {
    connecting?.close()
    connecting = nil
    timer = nil
    connection.forget()
    channel?.close()
    channel = nil
    if let socket { Sockets.close(socket) }
    socket = nil
    onOver(self)
  }

  private func connect() {
    guard let address = otherAddresses.popFirst() else { return failLater(.noServer) }
    do throws(SystemError) {
      let socket = try Sockets.connect(to: address)
      self.socket = socket
      let copy = fcntl(socket, F_DUPFD_CLOEXEC, 3)
      guard copy >= 0 else { throw SystemError("fcntl") }
      connecting = Readiness(owning: copy)
      connecting?.onWritable = { [weak self] in self?.connected(to: address) }
      connecting?.isWriting = true
      timer?.set(Loop.now + Self.connectTime)
    } catch { again() }
  }

  /// Tries the next address.
  private func again() {
    if let socket { Sockets.close(socket) }
    socket = nil
    connect()
  }

  private func failLater(_ failure: ForwardingFailure) {
    Task { @Loop [weak self] in self?.fail(failure) }
  }

  private func fail(_ failure: ForwardingFailure) {
    connection.reset(failure)
    close()
  }

  private func connected(to address: SocketAddress) {
    connecting?.close()
    connecting = nil
    timer?.set(nil)
    guard let socket else { return }
    guard Sockets.error(of: socket) == nil else { return again() }
    // Another user's program can have taken the server's place in the meantime.
    guard Sockets.isOfThisUser(peerOf: socket) || Sockets.listeningUser(at: address) == .this else {
      return fail(.otherUser)
    }
    self.socket = nil
    let channel = Channel(owning: socket, pieceLength: PortFrame.payloadLength)
    self.channel = channel
    channel.onBytes = { [weak self] in self?.received($0) }
    channel.onEnd = { [weak self] in self?.ended($0) }
    channel.onDrained = { [weak self] in self?.drained() }
    channel.isReading = true
    connection.onSpace = { [weak channel] in channel?.isReading = true }
    connection.onBytes = { [weak self] in self?.write($0) }
    connection.onEnd = { [weak self] in self?.endWriting() }
    let bytes = early
    early = []
    write(bytes[...])
    if hasEndedEarly { endWriting() }
  }

  private func write(_ bytes: ArraySlice<UInt8>) {
    guard let channel else { return }
    untaken += bytes.count
    channel.write(bytes)
    if channel.waitingCount == 0 { take() }
  }

  private func drained() {
    // A server that takes nothing more can have answered before. The end of what it sends decides.
    take()
    closeIfOver()
  }

  private func take() {
    let count = untaken
    untaken = 0
    connection.take(count)
  }

  private var hasEndedHere = false
  private var hasEndedThere = false

  private func endWriting() {
    hasEndedThere = true
    channel?.finish()
    closeIfOver()
  }

  private func received(_ bytes: UnsafeRawBufferPointer) {
    connection.send(Array(bytes))
    if connection.isFull { channel?.isReading = false }
  }

  private func ended(_ error: SystemError?) {
    guard error == nil || channel?.isBroken == true else { return fail(.broken) }
    hasEndedHere = true
    connection.end()
    closeIfOver()
  }

  private func closeIfOver() {
    guard hasEndedHere, hasEndedThere, channel?.waitingCount == 0 else { return }
    // What the stream has not taken yet goes out without this object.
    timer = nil
    channel?.close()
    channel = nil
    onOver(self)
  }
}
