import Activity

/// What a DNS server answers to one message.
struct DNSResponse: Equatable {
  /// What a server says of the request (RFC 6895, section 2.3).
  enum Code {
    static let noError = 0
    static let noSuchName = 3
    static let refused = 5
    static let notAuthoritative = 9
  }

  let id: UInt16
  let rcode: Int
  private let isAuthoritative: Bool
  /// The TXT records at the name of a query.
  let answer: DNSAnswer
  let signature: TSIG?
  /// What the signature covers of the message.
  private let signedPart: [UInt8]

  /// Parses a response. It is not yet known whether the server has sent it.
  ///
  /// - Parameters:
  ///   - bytes: At most 64 KiB.
  ///   - message: The request.
  init(_ bytes: [UInt8], to message: DNSMessage) throws(DNSFailure) {
    var reader = DNSReader(bytes)
    id = try reader.uint16()
    let flags = try reader.uint16()
    guard flags & 0x8000 != 0, flags >> 11 & 15 == message.opcode else { throw .malformed("it is not a response") }
    // Over TCP, a response has as much room as there is.
    guard flags & 0x0200 == 0 else { throw .malformed("the response is truncated") }
    isAuthoritative = flags & 0x0400 != 0
    rcode = Int(flags & 15)
    let questions = try reader.uint16()
    let (answers, authorities, additional) = (try reader.uint16(), try reader.uint16(), try reader.uint16())
    guard questions <= 1 else { throw .malformed("several questions") }
    if questions == 1 {
      let question = (try reader.name(), try reader.uint16())
      guard question == message.question, try reader.uint16() == DNSMessage.Code.in else {
        throw .malformed("another question")
      }
    }
    // A server that understood nothing repeats nothing.
    guard questions == 1 || rcode != Code.noError else { throw .malformed("no question") }

    var answer = DNSAnswer()
    var signature: (value: TSIG, start: Int)?
    for (section, count) in [answers, authorities, additional].enumerated() {
      for _ in 0..<count {
        guard signature == nil else { throw .malformed("the signature is not the last record") }
        let start = reader.position
        let name = try reader.name()
        let (type, group) = (try reader.uint16(), try reader.uint16())
        _ = try reader.number(4)
        let data = try reader.counted()
        if type == DNSMessage.Code.tsig {
          guard section == 2 else { throw .malformed("the signature is in another section") }
          signature = (try TSIG(key: name, data: Array(data)), start)
        } else if section == 0, case .query(name) = message, type == DNSMessage.Code.txt, group == DNSMessage.Code.in {
          guard let record = TXTRecord(data: data) else { throw .malformed("a TXT record is too short") }
          answer.note(record)
        }
      }
    }
    guard reader.isAtEnd else { throw .malformed("something follows the response") }
    self.answer = answer
    self.signature = signature?.value
    signedPart = signature.map { Self.signedPart(of: bytes, until: $0.start, records: additional) } ?? []
  }

  /// Returns the answer if the server has signed it, and if it is one.
  ///
  /// A server that does not accept the request's signature cannot sign the response. Anyone could have sent an error
  /// without a signature, so nothing but the failure itself follows from it.
  ///
  /// - Parameter request: The signature of the request.
  func answer(to message: DNSMessage, key: TSIGKey, request: TSIG) throws(DNSFailure) -> DNSAnswer {
    guard let signature, !signature.mac.isEmpty else {
      switch (rcode, signature?.error ?? 0) {
      case (Code.notAuthoritative, TSIG.Code.badKey), (Code.notAuthoritative, TSIG.Code.badSignature): throw .wrongKey
      // It must be signed, because it leads people to change their clock.
      case (_, TSIG.Code.badTime), (Code.noError, _), (Code.noSuchName, _): throw .notAuthentic
      default: throw failure
      }
    }
    guard signature.originalID == id, key.signed(signedPart, signature, request: request.mac) else {
      throw .notAuthentic
    }
    if signature.error == TSIG.Code.badTime {
      guard signature.other.count == 6 else { throw .malformed("BADTIME without a time") }
      throw .wrongClock(ahead: Self.distance(signature.other.reduce(0) { $0 << 8 | UInt64($1) }, request.time))
    }
    // A server that does not look at the time of requests.
    let ahead = Self.distance(signature.time, request.time)
    guard ahead.magnitude <= TSIG.fudge else { throw .wrongClock(ahead: ahead) }
    switch (message, rcode) {
    case (.query, Code.noError), (.query, Code.noSuchName):
      // A server that asks others may have an older answer.
      guard isAuthoritative else { throw .notAuthoritative }
      return answer
    case (.update, Code.noError): return answer
    default: throw failure
    }
  }

  private var failure: DNSFailure {
    switch (rcode, signature?.error ?? 0) {
    case (Code.refused, _): .refused
    case (Code.notAuthoritative, 0): .notAuthoritative
    case (_, 0): .other(rcode: rcode)
    case (_, let error): .other(rcode: Int(error))
    }
  }

  /// Returns how much later one time of 48 bits is than the other.
  private static func distance(_ one: UInt64, _ other: UInt64) -> Int64 {
    Int64(truncatingIfNeeded: one) &- Int64(truncatingIfNeeded: other)
  }

  /// Returns the message as it was before it was signed.
  private static func signedPart(of bytes: [UInt8], until end: Int, records: UInt16) -> [UInt8] {
    var header = Array(bytes.prefix(DNSMessage.headerLength - 2))
    // Checked: the signature is one of them.
    header.append(number: records &- 1)
    return header + bytes[..<end].dropFirst(DNSMessage.headerLength)
  }
}
