// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import MessageSamples

/// All messages of a peer: the type and the payload.
enum MessageFuzzer: Fuzzer {
  /// One of each type, and some with other members.
  static let samples: [Message] =
    Sample.all.map(\.message) + [
      .session(.hello(Hello(minimum: 1, maximum: 1, device: "d", epoch: 1, revocations: 2, port: 22866))),
      .session(.hello(Hello(minimum: 1, maximum: 1, device: "d", epoch: 1, revocations: 0, addresses: addresses))),
      .handoff(.offer(Offer(activity: Sample.offered, counter: 3, isSent: true))),
      .stream(.open(Open(stream: 3, activity: Sample.id))), .team(.promoted(Promoted(reason: .storageFailed))),
      .team(.renewed(Renewed(certificate: FuzzTeam.text("device.pem")))),
      .team(.promote(Promote(certificate: FuzzTeam.text("ca.pem"), authorityKey: FuzzTeam.text("ca.key")))),
    ]

  private static let addresses = ["192.0.2.1", "2001:db8::1"]

  static var seeds: [[UInt8]] { samples.map { Array($0.frame.dropFirst(FrameHeader.length - 1)) } }

  static let words = [
    "minimum", "maximum", "device", "epoch", "revocations", "revocationDigest", "streamEpoch", "port", "time",
    "version",
    "reason", "number", "activity", "counter", "request", "delivered", "stream", "limit", "received", "finished",
    "length",
    "list", "discoveryKey", "message", "18446744073709551615", "userInfo", "activityType",
    "isSent",
  ]

  static func run(_ input: [UInt8]) throws {
    guard let type = input.first else { return }
    let message: Message?
    do throws(Reason) { message = try Message(type: type, payload: input.dropFirst()) } catch {
      return same(error, .protocolViolation)
    }
    guard let message else { return hold(type >= FrameHeader.firstIgnorableType, "Type \(type) is ignored") }
    hold(samples.contains { $0.frame[3] == type }, "Type \(type) is understood, and there is no sample")
    try check(message)
  }

  /// Checks that the message fits in a frame, and that decoding the frame returns an equal message.
  static func check(_ message: Message) throws {
    var decoder = FrameDecoder()
    decoder.receive(message.frame)
    guard let frame = try decoder.next() else { fatalError("\(message) makes no frame") }
    same(decoder.pendingCount, 0)
    same(try Message(type: frame.type, payload: frame.payload), message)
  }
}
