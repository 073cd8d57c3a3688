// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import JSONCoding

/// A stream that one daemon of this machine leaves to the next: everything except the app's socket.
struct SavedStream: Equatable {
  let id: StreamID
  /// The name under which programs ask how the stream ended, and the user whose app has the stream.
  let token: String
  let user: UserID
  /// Whether a program waited for the stream's end, or had said that it would.
  let isAwaited: Bool
  let flow: StreamFlow
  /// The bytes that were sent and not acknowledged, those that were read from the app and not sent, and those that the
  /// app has not taken.
  let replay: [UInt8]
  let early: [UInt8]
  let held: [UInt8]
}

extension SavedStream {
  /// - Parameter isAwaited: Whether a program waits for the stream's end.
  @Loop
  init(
    _ id: StreamID,
    token: String,
    user: UserID,
    isAwaited: Bool,
    _ endpoint: StreamEndpoint,
    _ outgoing: borrowing OutgoingBytes,
    _ incoming: IncomingBytes
  ) {
    (self.id, self.token, self.user, self.isAwaited) = (id, token, user, isAwaited || endpoint.expectsApp)
    flow = endpoint.flow
    replay = outgoing.unacknowledged
    (early, held) = (outgoing.unsent, incoming.unwritten)
  }

  private struct Header: Structure {
    @Coded<TeamDigits> var team: TeamID
    let device: DeviceID
    let number: UInt32
    let token: String
    let user: UserID
    let isAwaited: Bool
    let flow: StreamFlow
    @Coded<Count> var early: Int

    init(_ stream: SavedStream) {
      (device, number) = (stream.id.peer.device, stream.id.number)
      (token, user, isAwaited, flow) = (stream.token, stream.user, stream.isAwaited, stream.flow)
      team = stream.id.peer.team
      early = stream.early.count
    }
  }

  /// A line of JSON, a zero byte, and the bytes of the stream.
  var bytes: [UInt8] { Header(self).json.bytes + [0] + replay + early + held }

  /// Nil if the bytes do not have the form of ``bytes``.
  init?(bytes: [UInt8]) {
    guard let end = bytes.firstIndex(of: 0),
      let json = try? JSON(parsing: bytes[..<end], depth: Limits.messageDepth), let header = Header(json: json)
    else { return nil }
    let content = bytes[(end + 1)...]  // Checked: the index of an existing byte.
    let flow = header.flow
    let replayCount = flow.sentCount - flow.acknowledgedCount  // Checked: the flow has them in this order.
    guard replayCount <= Limits.streamWindowMaximum, flow.heldCount <= Limits.streamWindowMaximum,
      header.early <= Limits.varlinkMessageLength,
      // Checked: all three are limited.
      content.count == Int(replayCount) + header.early + Int(flow.heldCount)
    else { return nil }
    id = StreamID(peer: PeerID(team: header.team, device: header.device), number: header.number)
    (token, user, isAwaited, self.flow) = (header.token, header.user, header.isAwaited, flow)
    replay = Array(content.prefix(Int(replayCount)))
    early = Array(content.dropFirst(Int(replayCount)).prefix(header.early))
    held = Array(content.suffix(Int(flow.heldCount)))
  }
}
