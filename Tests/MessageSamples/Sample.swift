// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import JSONCoding

/// One message of each type, as it stands in a frame. The tests of the protocol and the fuzzers share them.
package struct Sample: Sendable {
  package let message: Message
  /// The frame's first four bytes.
  package let header: [UInt8]
  /// The frame's payload.
  package let text: String
  /// The same payload, read by a program that knows nothing of types.
  package var payload: [UInt8] { Array(text.utf8) }

  package init(_ message: Message, _ header: [UInt8], _ text: String) {
    self.message = message
    self.header = header
    self.text = text
  }

  package static let id = ActivityID(randomBytes: (0x0011_2233_4455_6677, 0x8899_AABB_CCDD_EEFF))
  package static let hello = Hello(minimum: 1, maximum: 1, device: "Küche", epoch: 1_700_000_000_000, revocations: 0)

  package static let offered: ActivityRecord = {
    var record = try! ActivityRecord(id: id, activityType: "org.example.reading")
    record.title = "Notes"
    return record
  }()

  package static let whole: ActivityRecord = {
    var record = offered
    record.userInfo = try! UserInfo([.string("page"): .integer(7)])
    record.webpageURL = "https://example.org/"
    return record
  }()

  package static let admitted = Admitted.Device(
    device: DeviceID(text: deviceText)!,
    serial: [1, 2],
    name: "Küche",
    admitted: 1_700_000_000,
    isAdministrator: true
  )

  private static let deviceText = String(repeating: "0", count: 52)
  private static let idText = "00112233-4455-4677-8899-aabbccddeeff"
  private static let offeredText = #"{"activityType":"org.example.reading","id":"\#(idText)","title":"Notes"}"#
  private static let wholeText =
    #"{"activityType":"org.example.reading","id":"\#(idText)","title":"Notes","userInfo":{"page":7},"#
    + #""webpageURL":"https://example.org/"}"#

  package static let all: [Sample] = [
    Sample(
      .session(.hello(hello)),
      [0x00, 0x00, 0x51, 1],
      #"{"device":"Küche","epoch":1700000000000,"maximum":1,"minimum":1,"revocations":0}"#
    ),
    Sample(.session(.accepted(Accepted(version: 1))), [0x00, 0x00, 0x0D, 2], #"{"version":1}"#),
    Sample(
      .session(.refused(Refused(reason: .versionMismatch))),
      [0x00, 0x00, 0x1C, 3],
      #"{"reason":"versionMismatch"}"#
    ),
    Sample(.session(.bye(Bye(reason: .shuttingDown))), [0x00, 0x00, 0x19, 4], #"{"reason":"shuttingDown"}"#),
    Sample(.session(.ping(Ping(number: 1))), [0x00, 0x00, 0x0C, 5], #"{"number":1}"#),
    Sample(.session(.pong(Pong(number: .max))), [0x00, 0x00, 0x1F, 6], #"{"number":18446744073709551615}"#),
    Sample(
      .handoff(.offer(Offer(activity: offered, counter: 3))),
      [0x00, 0x00, 0x7B, 7],
      #"{"activity":\#(offeredText),"counter":3}"#
    ),
    Sample(
      .handoff(.withdraw(Withdraw(activity: id, counter: 4))),
      [0x00, 0x00, 0x3F, 8],
      #"{"activity":"\#(idText)","counter":4}"#
    ),
    Sample(
      .handoff(.fetch(Fetch(request: 7, activity: id))),
      [0x00, 0x00, 0x3F, 9],
      #"{"activity":"\#(idText)","request":7}"#
    ),
    Sample(
      .handoff(.payload(Payload(request: 7, activity: whole))),
      [0x00, 0x00, 0xB5, 10],
      #"{"activity":\#(wholeText),"request":7}"#
    ),
    Sample(
      .handoff(.failure(Failure(request: 7, reason: .alreadyContinued))),
      [0x00, 0x00, 0x29, 11],
      #"{"reason":"alreadyContinued","request":7}"#
    ),
    Sample(
      .handoff(.continued(Continued(activity: id, delivered: true))),
      [0x00, 0x00, 0x44, 12],
      #"{"activity":"\#(idText)","delivered":true}"#
    ),
    Sample(
      .stream(.open(Open(stream: 3, activity: id, limit: nil))),
      [0x00, 0x00, 0x3E, 13],
      #"{"activity":"\#(idText)","stream":3}"#
    ),
    Sample(
      .stream(.opened(Opened(stream: 3, limit: 524_288))),
      [0x00, 0x00, 0x1B, 14],
      #"{"limit":524288,"stream":3}"#
    ),
    Sample(
      .stream(.acknowledge(Acknowledge(stream: .max, progress: .init(received: 131_072, limit: 655_360)))),
      [0x00, 0x00, 0x36, 16],
      #"{"limit":655360,"received":131072,"stream":4294967295}"#
    ),
    Sample(.stream(.finish(Finish(stream: 3, length: 9))), [0x00, 0x00, 0x17, 17], #"{"length":9,"stream":3}"#),
    Sample(
      .stream(.reset(Reset(stream: 3, reason: .streamReset))),
      [0x00, 0x00, 0x23, 18],
      #"{"reason":"streamReset","stream":3}"#
    ),
    Sample(
      .stream(.resume(Resume(stream: 3, progress: .init(received: 9, limit: 524_297)))),
      [0x00, 0x00, 0x28, 19],
      #"{"limit":524297,"received":9,"stream":3}"#
    ),
    Sample(.session(.probe(Probe(number: 3, port: 22866))), [0x00, 0x00, 0x19, 20], #"{"number":3,"port":22866}"#),
    Sample(.session(.probed(Probed(number: 3))), [0x00, 0x00, 0x0C, 21], #"{"number":3}"#),
    Sample(
      .team(.revocations(Revocations(list: [0x30, 0x00, 0xFF], discoveryKey: Array(repeating: 0, count: 32)))),
      [0x00, 0x00, 0x4D, 22],
      #"{"discoveryKey":"\#(String(repeating: "A", count: 43))=","list":"MAD/"}"#
    ),
    Sample(.team(.renew(Renew())), [0x00, 0x00, 0x02, 64], "{}"),
    Sample(.team(.renewed(Renewed(certificate: "C"))), [0x00, 0x00, 0x13, 65], #"{"certificate":"C"}"#),
    Sample(
      .team(.promote(Promote(certificate: "C", authorityKey: "K"))),
      [0x00, 0x00, 0x26, 66],
      #"{"authorityKey":"K","certificate":"C"}"#
    ),
    Sample(.team(.promoted(Promoted())), [0x00, 0x00, 0x02, 67], "{}"),
    Sample(
      .team(.admitted(Admitted(devices: [admitted]))),
      [0x00, 0x00, 0x9A, 68],
      #"{"devices":[{"administrator":true,"admitted":1700000000,"device":"\#(deviceText)","name":"Küche","serial":"AQI="}]}"#
    ),
    Sample(.session(.renamed(Renamed(device: "laptop"))), [0x00, 0x00, 0x13, 72], #"{"device":"laptop"}"#),
    Sample(
      .index(Index(message: ["kind": "changed", "last": 7])),
      [0x00, 0x00, 0x27, 73],
      #"{"message":{"kind":"changed","last":7}}"#
    ),
    Sample(
      .team(.rendezvous(RendezvousAccess(version: 5))),
      [0x00, 0x00, 0x0D, 74],
      #"{"version":5}"#
    ),
    Sample(
      .team(.askRendezvous(AskRendezvous(version: 5, name: nil, expires: 0))),
      [0x00, 0x00, 0x19, 75],
      #"{"expires":0,"version":5}"#
    ),
  ]
}
