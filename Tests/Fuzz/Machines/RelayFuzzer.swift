// SPDX-License-Identifier: Apache-2.0

import Activity

@testable import Handoff

/// A relay that says anything at any time, and what people type for its address.
enum RelayFuzzer: Fuzzer {
  private static let id = RelayID.text([UInt8](1...32))

  static let seeds =
    [
      message(4, number(0) + opaque(Array("success".utf8))) + message(0, [])
        + message(6, opaque([UInt8](1...32)) + opaque([1, 2, 3]) + opaque([192, 0, 2, 1]) + number(22067) + number(1)),
      message(4, number(1) + opaque(Array("not found".utf8))), message(7, []),
    ]
    + ["relay://relay.example.org:22067/?id=\(id)&pingInterval=1m0s", "[2001:db8::1]:1", "NAS:443"].map {
      Array($0.utf8)
    }

  static let words = [
    "relay://", "/?id=", "&id=", id, "[::1]:", "\u{9E}", "0.0.0.0", "65536",
  ]

  static let length = 4096

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input.reversed())
    let pieces = choices.pieces(of: input)
    same(messages(pieces), messages([input[...]]))
    meet(.host, pieces)
    meet(.guest(hostID: [UInt8](1...32)), pieces)
    join(pieces, input)
    check(String(decoding: input, as: UTF8.self))
  }

  /// Nil if they are malformed.
  private static func messages(_ pieces: [ArraySlice<UInt8>]) -> [RelayMessage]? {
    var (decoder, messages) = (RelayDecoder(), [RelayMessage]())
    for piece in pieces {
      decoder.append(piece)
      do { while let message = try decoder.next() { messages.append(message) } } catch { return nil }
      hold(decoder.rest.count < 12 + Limits.relayMessageLength, "\(decoder.rest.count) bytes wait")
    }
    return messages
  }

  private static func meet(_ role: RelayMeeting.Role, _ pieces: [ArraySlice<UInt8>]) {
    var now = ContinuousClock.now
    var meeting = RelayMeeting(role, at: now)
    var (isJoined, isInvited, isOver) = (false, false, false)
    for piece in pieces {
      for event in [RelayMeeting.Event.secured, .received(Array(piece)), .wake] {
        for effect in meeting.handle(event, at: now) {
          hold(!isOver || effect == .wake(at: nil), "something follows the end")
          switch effect {
          case .joined:
            hold(!isJoined && role == .host, "it joins twice, or as a guest")
            isJoined = true
          case .invited(let key):
            hold(!isInvited && isJoined == (role == .host), "it is invited twice, or too soon")
            hold((1...RelayMessage.relayFieldLength).contains(key.count), "a key of \(key.count) bytes")
            isInvited = true
            isOver = role != .host
          case .end: isOver = true
          case .send, .rest, .wake: break
          }
        }
      }
      now += .milliseconds(Int(piece.count) * 20)
    }
    _ = meeting.handle(.wake, at: now + RelayMeeting.relayMeetingTime)
    hold(isInvited || meeting.handle(.closed, at: now).isEmpty, "it waits for ever")
  }

  private static func join(_ pieces: [ArraySlice<UInt8>], _ input: [UInt8]) {
    let now = ContinuousClock.now
    var (joining, read, isOver) = (RelayJoining(key: [1], at: now), 0, false)
    _ = joining.handle(.connected, at: now)
    for piece in pieces {
      read += piece.count
      for effect in joining.handle(.received(Array(piece)), at: now) {
        hold(!isOver || effect == .wake(at: nil), "something follows the end")
        switch effect {
        case .joined(let rest):
          isOver = true
          let answer = 12 + input[8..<12].reduce(0) { $0 << 8 | Int($1) }
          same(rest, Array(input[answer..<read]), "the other machine's bytes")
        case .end: isOver = true
        case .send, .wake: break
        }
      }
    }
  }

  private static func check(_ text: String) {
    if let id = RelayID.parse(text) {
      same(RelayID.parse(RelayID.text(id)), id)
      hold(id.count == RelayID.byteCount, "an ID of \(id.count) bytes")
    }
    guard let address = try? RelayAddress(text) else { return }
    hold(address.port > 0 && !address.host.isEmpty && address.host.utf8.count <= 253, "\(address)")
    same(try? RelayAddress(address.text), address, "it has two forms")
  }

  private static func number(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func opaque(_ bytes: [UInt8]) -> [UInt8] {
    number(UInt32(bytes.count)) + bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  private static func message(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
    number(RelayMessage.magic) + number(type) + number(UInt32(body.count)) + body
  }
}
