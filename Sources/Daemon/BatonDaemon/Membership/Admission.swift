// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import JSONCoding
import Systemd
import TLS
import Teams

/// Answers machines that have an invitation (Protocol.md section 8).
@Loop
final class Admission {
  private let membership: Membership
  private let refusals: RefusalLog
  private let log: Log
  /// The addresses of devices that have just joined, and until when that counts.
  private var admitted: [(address: SocketAddress, end: ContinuousClock.Instant)] = []
  private var visitors: [ObjectIdentifier: Visitor] = [:]

  private struct Visitor {
    let connection: TLSConnection
    /// When the machine must have said what it wants; nil once it has, because the disk has no deadline.
    var deadline: Timer?
  }

  init(_ membership: Membership, refusals: RefusalLog, log: Log) {
    self.membership = membership
    self.refusals = refusals
    self.log = log
  }

  /// - Parameter connection: Established for joining.
  func take(_ connection: TLSConnection) {
    guard visitors.count < Limits.handshakes else {
      connection.abandon()
      refusals.refused(.tooManyConnections, connection.address)
      return
    }
    let id = ObjectIdentifier(connection)
    let deadline = Timer { [weak self] in self?.end(id, .handshakeTimedOut) }
    deadline.set(Loop.now + Limits.acceptTime)
    visitors[id] = Visitor(connection: connection, deadline: deadline)
    connection.handOver { [weak self] event in
      switch event {
      case .frame(let frame): self?.receive(frame, id)
      case .ended(let reason): self?.end(id, reason)
      case .established, .batchEnd, .turnEnd, .violation, .space: break
      }
    }
  }

  /// Whether a device has joined from this address and is about to connect again.
  func wasMet(at address: SocketAddress) -> Bool {
    admitted.contains { $0.address == address.with(port: 0) && $0.end > Loop.now }
  }

  private func receive(_ frame: FrameDecoder.Frame, _ id: ObjectIdentifier) {
    guard let visitor = visitors[id] else { return }
    let connection = visitor.connection
    guard visitor.deadline != nil, frame.type == Join.frameType,
      let json = try? JSON(parsing: frame.payload, depth: Limits.messageDepth), let join = Join(json: json),
      let team = connection.tls.team, let identity = connection.tls.invitation
    else { return end(id, .protocolViolation) }
    visitors[id]?.deadline = nil
    Loop.begin { [self] in await admit(join, identity, to: team, on: connection) }
  }

  /// Answers when everything about the machine is on the disk. If it has gone away until then, it has joined all the
  /// same, and its code is used up.
  private func admit(_ join: Join, _ identity: [UInt8], to team: TeamID, on connection: TLSConnection) async {
    let id = ObjectIdentifier(connection)
    do throws(Reason) {
      let joined = try await membership.redeem(identity, of: team, join)
      if visitors.removeValue(forKey: id) != nil {
        connection.send(json: joined.json, type: Joined.frameType)
        connection.finish()
      }
      if let address = connection.address?.with(port: 0) {
        admitted = admitted.suffix(Limits.handshakes - 1) + [(address, Loop.now + Limits.serverNameTime)]
      }
      log.notice("Admitted a machine to a team", ["device": join.device, "team": team.description])
    } catch {
      if visitors[id] != nil { connection.send(Refused(reason: error).frame) }
      end(id, error)
    }
  }

  private func end(_ id: ObjectIdentifier, _ reason: Reason) {
    guard let visitor = visitors.removeValue(forKey: id) else { return }
    visitor.connection.finish()
    refusals.refused(reason, visitor.connection.address)
  }
}

extension TLSConnection {
  /// Sends a frame of the joining protocol.
  func send(json: JSON, type: UInt8) {
    let payload = json.bytes
    guard payload.count <= Limits.framePayloadLength else { return }
    let word = FrameHeader(payloadLength: payload.count, type: type).word
    send((0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } + payload)
  }
}
