// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import Handoff
import TLS

/// A connection to a server that is no device of a team. It begins plain, and may change to TLS.
@Loop
final class ServerConnection {
  /// How many bytes may wait for a server before the connection ends.
  private static let rendezvousQueueLength = 256 << 10

  enum Event {
    /// TCP stands.
    case connected
    case received([UInt8])
    /// TLS stands, and the server has proved what it is.
    case secured
    /// The last event.
    case ended(ServerFailure)
  }

  let server: ServerAddress
  /// Where the server was reached.
  private(set) var address: SocketAddress?
  private var onEvent: (@Loop (Event) -> Void)?
  private var dialer: Dialer?
  private var channel: Channel?
  private var tls: TLSClient?
  private var isSecured = false
  /// Ends a rest.
  private var rest: Timer?

  private static let batch = 16 * 1024

  /// - Parameters:
  ///   - user: Whose turn the look-up of the host takes.
  ///   - onEvent: Not called before this returns.
  init(to server: ServerAddress, for user: UserID, onEvent: @escaping @Loop (Event) -> Void) {
    self.server = server
    self.onEvent = onEvent
    AddressParser.resolve(host: server.host, port: server.port, for: user, isAwaited: false) { [weak self] addresses in
      guard let self, self.onEvent != nil else { return }
      guard !addresses.isEmpty else { return self.end(.nameNotFound) }
      self.dial(addresses)
    }
  }

  isolated deinit { close() }

  private func dial(_ addresses: [SocketAddress]) {
    dialer = Dialer(addresses) { [weak self] descriptor, address in
      guard let self else {
        if let descriptor { Sockets.close(descriptor) }
        return
      }
      self.dialer = nil
      guard let descriptor else { return self.end(.unreachable) }
      self.address = address
      self.begin(descriptor)
    }
  }

  private func begin(_ descriptor: Int32) {
    Sockets.configurePeerConnection(descriptor)
    let channel = Channel(owning: descriptor, pieceLength: Self.batch)
    self.channel = channel
    channel.onBytes = { [weak self] in self?.received($0) }
    channel.onEnd = { [weak self] _ in self?.end(.session(.closed)) }
    channel.onDrained = { [weak self] in self?.flush() }
    onEvent?(.connected)
    if self.channel === channel { channel.isReading = true }
  }

  /// Changes to TLS.
  ///
  /// - Parameter pins: The hashes of the public keys that the server may have; none if the system's authorities decide.
  func secure(pins: [[UInt8]]) { secure(pins.isEmpty ? .authorities() : .publicKeys(pins)) }

  /// - Parameters:
  ///   - protocols: Names for ALPN.
  ///   - identity: What this side shows.
  func secure(_ trust: ServerTrust, protocols: [String] = [], identity: ThrowawayCertificate? = nil) {
    do throws(TLSClient.Failure) {
      tls = try TLSClient(trust, host: server.host, protocols: protocols, identity: identity)
    } catch {
      return endSoon(ServerFailure(error))
    }
    flush()
  }

  /// Sends bytes, or queues them.
  func send(_ bytes: [UInt8]) {
    guard let channel else { return }
    if let tls {
      do throws(TLSClient.Failure) { try tls.write(bytes) } catch { return endSoon(ServerFailure(error)) }
    } else {
      channel.append(bytes)
    }
    flush()
  }

  /// Reads nothing before an instant.
  func rest(until instant: ContinuousClock.Instant) {
    guard let channel else { return }
    channel.isReading = false
    rest = rest ?? Timer { [weak self] in self?.channel?.isReading = true }
    rest?.set(instant)
  }

  /// Gives the connection away. It must be plain.
  ///
  /// - Returns: Its descriptor, which the caller owns. Nil if there is no descriptor left.
  func release() -> Int32? {
    guard let channel, tls == nil else { return nil }
    let descriptor = fcntl(channel.descriptor, F_DUPFD_CLOEXEC, 3)
    close()
    return descriptor < 0 ? nil : descriptor
  }

  /// Closes it, without an event.
  func close() {
    onEvent = nil
    dialer?.cancel()
    dialer = nil
    if let tls {
      tls.close()
      flush()
    }
    channel?.close()
    channel = nil
    rest = nil
  }

  // MARK: -

  private func received(_ bytes: UnsafeRawBufferPointer) {
    guard let tls else {
      onEvent?(.received(Array(bytes)))
      return
    }
    do throws(TLSClient.Failure) {
      try tls.receive(bytes)
      flush()
      if tls.isEstablished, !isSecured {
        isSecured = true
        onEvent?(.secured)
      }
      while channel != nil {
        let plain = try tls.read()
        guard !plain.isEmpty else { break }
        onEvent?(.received(plain))
      }
      if tls.isEnded { end(.session(.closed)) }
    } catch {
      flush()
      end(ServerFailure(error))
    }
  }

  private func flush() {
    guard let channel else { return }
    tls?.withOutput { bytes in
      channel.append(bytes)
      return bytes.count
    }
    channel.flush()
    if channel.isBroken { return endSoon(.session(.closed)) }
    if channel.waitingCount > Self.rendezvousQueueLength { endSoon(.stalled) }
  }

  /// Ends it in the next turn of the loop, because the owner may be sending something.
  private func endSoon(_ failure: ServerFailure) {
    Task { @Loop [weak self] in self?.end(failure) }
  }

  private func end(_ failure: ServerFailure) {
    let onEvent = onEvent
    close()
    onEvent?(.ended(failure))
  }
}
