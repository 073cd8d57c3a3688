import Activity

@testable import Rendezvous

/// What a DNS server, or anyone between, answers to a query and to an update.
enum DNSFuzzer: Fuzzer {
  private static let mac = [UInt8](repeating: 7, count: TSIG.macLength)
  private static let id: UInt16 = 0x0102
  private static let time: Int64 = 0x6B09_C789

  private static func name(_ text: String) -> DNSName {
    guard let name = DNSName(text) else { fatalError("\(text) is no name") }
    return name
  }

  /// Every MAC is the same, so that libFuzzer can make signed responses.
  private static let key = TSIGKey(name("key.test")) { _ in mac }
  private static let devices = name("_devices.home.test")
  private static let messages = [
    DNSMessage.query(devices),
    .update(zone: name("home.test"), name: devices, deletions: [], additions: [TXTRecord([1])], timeToLive: 60),
  ]

  private static func response(to message: DNSMessage, flags: UInt16, records: [[UInt8]], error: UInt16 = 0) -> [UInt8]
  {
    var bytes: [UInt8] = []
    let counts = [1, UInt16(records.count), 0, 0]
    for field in [id, flags | message.opcode << 11] + counts { bytes.append(number: field) }
    bytes += message.question.name.wire
    for field in [message.question.type, 1] { bytes.append(number: field) }
    for record in records {
      bytes += [0xC0, 12, 0, 16, 0, 1, 0, 0, 0, 60]
      bytes.append(counted: record)
    }
    var signature = TSIG(key: key.name, time: time, id: id)
    signature.error = error
    if error == TSIG.Code.badTime { signature.other = [0, 0, 0x6B, 0, 0, 0] }
    return key.sign(bytes, signature).bytes
  }

  static var seeds: [[UInt8]] {
    messages.flatMap { message in
      [
        response(to: message, flags: 0x8400, records: [[3, 65, 66, 67], [1, 65, 0]]),
        // One more than is noted.
        response(to: message, flags: 0x8400, records: Array(repeating: [0], count: Limits.dnsRecords + 1)),
        response(to: message, flags: 0x8005, records: []),
        response(to: message, flags: 0x8009, records: [], error: 18),
        response(to: message, flags: 0x8009, records: [], error: 17),
      ]
    }
  }

  static let words = [
    "\u{8}_devices\u{4}home\u{4}test\0", "\u{3}key\u{4}test\0", "\u{B}hmac-sha256\0", "\0\u{FA}\0\u{FF}\0\0\0\0",
    "\0\u{10}\0\u{1}\0\0\0\u{3C}",
  ]

  static let length = 4096

  private static func outcome(_ message: DNSMessage, _ pieces: [[UInt8]]) -> Result<DNSAnswer, DNSFailure>? {
    let now = ContinuousClock.now
    guard var exchange = DNSExchange(message, key: key, id: id, time: time, at: now) else {
      fatalError("It is too long")
    }
    var result: Result<DNSAnswer, DNSFailure>?
    for piece in pieces {
      for case .done(let done) in exchange.handle(.received(piece), at: now) {
        hold(result == nil, "it is done twice")
        result = done
      }
    }
    return result
  }

  static func run(_ input: [UInt8]) throws {
    var framed: [UInt8] = []
    framed.append(counted: input)
    var choices = Choices(input.reversed())
    let pieces = choices.pieces(of: framed).map(Array.init)
    for message in messages {
      guard let result = outcome(message, [framed]) else { fatalError("A whole response is not enough") }
      same(outcome(message, pieces), result)
      guard case .success(let answer) = result else { continue }
      hold(input.firstRange(of: mac) != nil, "nobody has signed it")
      hold(answer.records.count == min(answer.count, Limits.dnsRecords), "other numbers of records")
      hold(answer.records.reduce(0) { $0 + $1.data.count + 12 } <= input.count, "more bytes than there are")
      if case .update = message { hold(answer == DNSAnswer(), "an update is answered with records") }
      for record in answer.records {
        same(TXTRecord(data: record.data[...]), record)
        same(TXTRecord(record.bytes).bytes, record.bytes)
        if let sealed = record.sealed { same(TXTRecord(sealed: sealed)?.bytes, record.bytes) }
      }
    }
    // What people type as a name.
    let text = String(decoding: input.prefix(300), as: UTF8.self)
    guard let name = DNSName(text) else { return }
    var reader = DNSReader(name.wire)
    same(try reader.name(), name)
    hold(reader.isAtEnd && name.wire.count <= DNSName.length, "another length")
  }
}
