// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import JSONCoding
import Varlink

/// A Varlink call and its reply, each written and read, without the sockets.
final class CallPath<M: Method>: Path {
  private let parameters: M.Parameters
  private let reply: M.Reply
  private let mode: Call.Mode
  private var fromClient = MessageDecoder(limit: messageLength)
  private var fromServer = MessageDecoder(limit: messageLength)

  init(_ parameters: M.Parameters, _ reply: M.Reply, mode: Call.Mode = .single) {
    (self.parameters, self.reply, self.mode) = (parameters, reply, mode)
  }

  func repeatOnce() throws {
    Self.carry(Call(method: M.name, parameters: parameters.members, mode: mode).bytes, to: &fromClient)
    guard let message = try fromClient.next() else { throw Broken("There is no call") }
    let call = try Call(message: message, depth: messageDepth)
    guard try M.Parameters(parameters: call.parameters) == parameters else { throw Broken("The call has changed") }

    Self.carry(Reply(reply.members, continues: mode == .more).bytes, to: &fromServer)
    guard let message = try fromServer.next() else { throw Broken("There is no reply") }
    let answer = try Reply(message: message, depth: messageDepth)
    guard try M.Reply(replyParameters: answer.parameters) == reply else { throw Broken("The reply has changed") }
  }

  private static func carry(_ message: [UInt8], to decoder: inout MessageDecoder) {
    (message + [0]).withUnsafeBytes { decoder.receive($0) }
  }
}

private let messageLength = 1 << 20
private let messageDepth = Limits.messageDepth

extension CallPath where M == BecomeCurrent {
  /// An activity becomes current.
  static func publish() throws -> CallPath {
    let id = ActivityID(randomBytes: (1, 2))
    var activity = ControlActivity(id: id, activityType: "org.example.reading")
    activity.title = "Notes on the harmony of the spheres"
    activity.userInfo = ["page": 7, "chapter": "Of the circle", "scale": 1.5]
    activity.webpageURL = "https://example.org/books/harmony?page=7"
    activity.targetContentIdentifier = "notes"
    activity.needsSave = true
    activity.supportsContinuationStreams = true
    let reply = BecomeCurrent.Reply(id: id, event: .current)
    return CallPath(BecomeCurrent.Parameters(activity: activity), reply, mode: .more)
  }
}

extension CallPath where M == ListOffers {
  /// Four other machines offer something.
  static func list() throws -> CallPath {
    let offers = try (0..<4).map { number in
      guard let device = DeviceID(bytes: Array(repeating: UInt8(number), count: DeviceID.byteCount)) else {
        throw Broken("There is no device")
      }
      return ControlOffer(
        id: ActivityID(randomBytes: (1, UInt64(number))),
        activityType: "org.example.reading",
        title: "Notes on the harmony of the spheres",
        supportsContinuationStreams: true,
        hasWebPage: true,
        webpageHost: "example.org",
        hasApplication: true,
        device: "laptop \(number)",
        deviceID: device,
        team: "K7Q2M9XW4T",
        source: .session,
        generation: number
      )
    }
    return CallPath(ListOffers.Parameters(), ListOffers.Reply(offers: offers), mode: .more)
  }
}
