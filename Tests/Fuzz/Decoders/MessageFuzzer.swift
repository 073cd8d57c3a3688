import Activity
import JSONCoding
import PeerProtocol

/// All messages of a peer: the type and the payload.
enum MessageFuzzer: Fuzzer {
  static var samples: [Message] {
    let id = Names.activity(7)
    var record = try? Names.record(7)
    record?.userInfo = (try? UserInfo([.string("page"): .integer(7)])) ?? .empty
    record?.webpageURL = "https://example.org/"
    let progress = StreamFlow.Progress(received: 9, limit: 524_297)
    var samples: [Message] = [
      .hello(Hello(minimum: 1, maximum: 1, device: "Küche", epoch: 1_700_000_000_000, revocations: 2, port: 22866)),
      .hello(
        Hello(minimum: 1, maximum: 1, device: "d", epoch: 1, revocations: 0, addresses: ["192.0.2.1", "2001:db8::1"])
      ),
      .accepted(Accepted(version: 1)), .refused(Refused(reason: .versionMismatch)),
      .bye(Bye(reason: .shuttingDown)), .ping(Ping(number: 1)), .pong(Pong(number: .max)),
      .withdraw(Withdraw(activity: id, counter: 4)), .fetch(Fetch(request: 7, activity: id)),
      .failure(Failure(request: 7, reason: .alreadyContinued)),
      .continued(PeerProtocol.Continued(activity: id, delivered: true)), .open(Open(stream: 3, activity: id)),
      .opened(Opened(stream: 3, limit: 524_288)), .acknowledge(Acknowledge(stream: .max, progress: progress)),
      .finish(Finish(stream: 3, length: 9)), .reset(Reset(stream: 3, reason: .streamReset)),
      .resume(Resume(stream: 3, progress: progress)), .probe(Probe(number: 3, port: 22866)),
      .probed(Probed(number: 3)),
      .revocations(Revocations(list: [0x30, 0, 0xFF], discoveryKey: Array(repeating: 0, count: 32))),
      .renew(Renew()), .renewed(Renewed(certificate: FuzzTeam.text("device.pem"))),
      .promote(Promote(certificate: FuzzTeam.text("ca.pem"), authorityKey: FuzzTeam.text("ca.key"))),
      .promoted(Promoted(reason: .storageFailed)), .admitted(Admitted(devices: [admitted])),
      .renamed(Renamed(device: "study")), .index(Index(message: ["kind": "pull", "after": 7])),
    ]
    if let record {
      samples += [
        .offer(Offer(activity: record, counter: 3)), .offer(Offer(activity: record, counter: 3, isSent: true)),
        .payload(Payload(request: 7, activity: record)),
      ]
    }
    return samples
  }

  static var seeds: [[UInt8]] { samples.map { Array($0.frame.dropFirst(FrameHeader.length - 1)) } }

  private static let admitted = Admitted.Device(
    device: Names.device(1),
    serial: [1, 2],
    name: "Küche",
    admitted: 1_700_000_000,
    isAdministrator: true
  )

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
