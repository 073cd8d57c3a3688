// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import JSONCoding

@testable import Varlink
@testable import VarlinkClient

/// What a program gets from a daemon, which may be any program: replies to a call of one of the methods, in pieces.
enum VarlinkClientFuzzer: Fuzzer {
  static var seeds: [[UInt8]] {
    let replies = [
      #"{"parameters":{"offers":[{"activityType":"a.b","device":"laptop","deviceID":"\#(device)","id":"\#(id)","source":"session","supportsContinuationStreams":false,"team":"T"}]}}"#,
      #"{"error":"io.baton.Handoff.Failed","parameters":{"message":"It is gone.","reason":"offerGone"}}"#,
      #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"id"}}"#,
      #"{"continues":true,"parameters":{"event":"current","id":"\#(id)"}}"#,
      #"{"parameters":{"teams":[{"administrator":true,"deviceID":"\#(device)","expires":2000000000.0,"fingerprint":"00","id":"0000000000","name":"Demo"}]}}"#,
      #"{"parameters":{"stream":"s"}}"#, #"{"parameters":{"code":"c","expires":2000000000.0}}"#,
      GetStatusReply.text,
    ]
    return replies.flatMap { reply in [0, 5, 10, 16, 19, 21].map { [$0, 2, 60, 9] + Array(reply.utf8) + [0] } }
  }

  private static let id = "00112233-4455-6677-8899-aabbccddeeff"
  private static let device = String(repeating: "0", count: 52)

  private enum GetStatusReply {
    static let text = Reply(
      GetStatus.Reply(
        device: "laptop",
        version: "0.1.0",
        port: 22866,
        discovery: .connecting,
        teams: [],
        current: ControlActivity(activityType: "a.b"),
        withheld: .screenLocked,
        sessions: 1,
        streams: 2,
        counters: Counters()
      ).members
    ).bytes.reduce(into: "") { $0.unicodeScalars.append(Unicode.Scalar($1)) }
  }

  static let words = ControlMethods.words

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    let method = choices.pick(ControlMethods.all)
    var lengths = Choices(choices.bytes())
    let bytes = choices.remaining()
    let replies = replies(in: lengths.pieces(of: bytes))
    same(replies, self.replies(in: [bytes[...]]), "Other pieces make other replies")
    for reply in replies { try check(reply, method) }
  }

  private static func replies(in pieces: [ArraySlice<UInt8>]) -> [Reply] {
    var decoder = MessageDecoder(limit: 8192)
    var replies: [Reply] = []
    do {
      for piece in pieces {
        decoder.receive(piece)
        while let message = try decoder.next() {
          replies.append(try Reply(message: message, depth: Limits.varlinkDepth))
        }
      }
    } catch {}
    return replies
  }

  private static func check<M: Method>(_ reply: Reply, _: M.Type) throws {
    same(try Reply(message: reply.bytes, depth: Limits.varlinkDepth), reply)
    _ = VarlinkError(reply)
    do throws(ControlError) {
      let value = try reply.decoded(as: M.self)
      same(try? M.Reply(replyParameters: value.members), value)
    } catch {
      hold(!error.description.isEmpty, "An error without a word")
    }
  }
}
