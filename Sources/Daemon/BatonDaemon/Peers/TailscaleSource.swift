// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import Handoff
import Systemd

/// Asks the tailscaled of this machine where the other machines of its user are, now and then. It asks nobody else.
@Loop
final class TailscaleSource {
  /// The time from asking tailscaled to asking it again, and the time until it has answered.
  nonisolated static let tailscaleInterval = Duration.seconds(60)
  nonisolated static let tailscaleReplyTime = Duration.seconds(5)
  /// How many bytes of the answer are read at a time.
  private static let tailscaleReadLength = 64 * 1024

  /// Where tailscaled serves its local API. Only root can make this directory.
  static let path = "/run/tailscale/tailscaled.sock"
  private static let request = Array(
    "GET /localapi/v0/status HTTP/1.0\r\nHost: local-tailscaled.sock\r\nConnection: close\r\n\r\n".utf8
  )

  private let path: String
  private let log: Log
  private let report: @Loop ([SocketAddress]) -> Void
  private var connection: Channel?
  private var received: [UInt8] = []
  private var next: Timer?
  private var deadline: Timer?
  /// Whether the last attempt failed, which the log says once.
  private var hasFailed = false

  /// - Parameter report: Called with each answer: the addresses where the machines are. There are none if tailscaled
  ///   does not answer.
  init(path: String = TailscaleSource.path, log: Log, report: @escaping @Loop ([SocketAddress]) -> Void) {
    self.path = path
    self.log = log
    self.report = report
    next = Timer { [weak self] in self?.ask() }
    deadline = Timer { [weak self] in self?.fail("no answer in time") }
  }

  isolated deinit { connection?.close() }

  /// Asks now, and then at regular intervals.
  func ask() {
    next?.set(Loop.now + Self.tailscaleInterval)
    deadline?.set(Loop.now + Self.tailscaleReplyTime)
    connection?.close()
    received = []
    do throws(SystemError) {
      let connection = Channel(owning: try Sockets.connect(path: path), pieceLength: Self.tailscaleReadLength)
      self.connection = connection
      connection.onBytes = { [weak self] in self?.receive($0) }
      connection.onEnd = { [weak self] in self?.ended($0) }
      connection.isReading = true
      connection.write(Self.request)
    } catch {
      fail("\(error)")
    }
  }

  private func receive(_ bytes: UnsafeRawBufferPointer) {
    guard received.count + bytes.count <= Limits.tailscaleReplyLength else { return fail("the answer is too long") }
    received += bytes
  }

  private func ended(_ error: SystemError?) {
    if let error { fail("\(SystemError("read \(path)", error.code))") } else { finish() }
  }

  private func finish() {
    guard let reply = HTTPReply(received) else { return fail("the answer isn't HTTP") }
    guard reply.status == 200 else { return fail("status \(reply.status)") }
    guard let status = TailscaleStatus(reply.body) else { return fail("the answer isn't a valid status") }
    end()
    if hasFailed { log.notice("tailscaled is answering again") }
    hasFailed = false
    let port = Configuration.defaultPort
    report(status.addresses.compactMap { SocketAddress(numericHost: $0, port: port) }.filter(Self.isTailscale))
  }

  private func fail(_ error: String) {
    end()
    if !hasFailed { log.warning("Can't query tailscaled", ["error": error]) }
    hasFailed = true
    report([])
  }

  private func end() {
    deadline?.set(nil)
    connection?.close()
    connection = nil
    received = []
  }

  /// Whether Tailscale gives such addresses to machines: those in 100.64.0.0/10 and fd7a:115c:a1e0::/48.
  static func isTailscale(_ address: SocketAddress) -> Bool {
    if address.isIPv6 { return address.bytes.starts(with: [0xFD, 0x7A, 0x11, 0x5C, 0xA1, 0xE0]) }
    return address.bytes.starts(with: [100]) && address.bytes.dropFirst().first.map { $0 & 0xC0 } == 64
  }
}
