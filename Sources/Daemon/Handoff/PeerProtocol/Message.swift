// SPDX-License-Identifier: Apache-2.0

import Activity

/// Everything that two daemons say to each other in a session, except the bytes of streams (Protocol.md section 4).
///
/// Each part of the daemon that receives messages has its own kind, and handles each message of that kind: its switch
/// has no `default` (`Scripts/check-messages`).
package enum Message: Equatable, Sendable {
  case session(SessionMessage)
  case stream(StreamMessage)
  case handoff(HandoffMessage)
  case team(TeamMessage)
  /// The only message about the search index, whose content only agents know.
  case index(Index)

  /// - Returns: Nil for a frame that must be ignored.
  /// - Throws: `Reason.protocolViolation` for an unknown type, or if the payload is not valid for the type.
  package init?(type: UInt8, payload: ArraySlice<UInt8>) throws(Reason) {
    do throws(Reason) {
      if let number = StreamMessage.Number(rawValue: type) {
        self = .stream(try StreamMessage(number, payload))
      } else if let number = SessionMessage.Number(rawValue: type) {
        self = .session(try SessionMessage(number, payload))
      } else if let number = HandoffMessage.Number(rawValue: type) {
        self = .handoff(try HandoffMessage(number, payload))
      } else if let number = TeamMessage.Number(rawValue: type) {
        self = .team(try TeamMessage(number, payload))
      } else if type == Index.type {
        self = .index(try Index(payload: payload))
      } else {
        throw .protocolViolation
      }
    } catch {
      // An unknown extension may use the same number, so ignore a payload that is not ours.
      guard type >= FrameHeader.firstIgnorableType else { throw error }
      return nil
    }
  }

  /// The whole frame.
  package var frame: [UInt8] {
    switch self {
    case .session(let message): message.frame
    case .stream(let message): message.frame
    case .handoff(let message): message.frame
    case .team(let message): message.frame
    case .index(let message): message.frame
    }
  }
}
