import SeededGenerator
import Testing

@testable import Rendezvous

struct DNSResponseTests {
  private let response = Array(DNSSamples.queryResponseFrame.dropFirst(2))

  private var request: TSIG {
    var signature = TSIG(key: DNSSamples.key.name, time: DNSSamples.time, id: DNSSamples.queryID)
    signature.mac = DNSSamples.key.sign(DNSSamples.query.bytes(id: DNSSamples.queryID), signature).mac
    return signature
  }

  private func outcome(
    _ bytes: [UInt8],
    _ message: DNSMessage = DNSSamples.query,
    _ request: TSIG? = nil,
    _ key: TSIGKey = DNSSamples.key
  ) -> Result<DNSAnswer, DNSFailure> {
    Result { () throws(DNSFailure) -> DNSAnswer in
      try DNSResponse(bytes, to: message).answer(to: message, key: key, request: request ?? self.request)
    }
  }

  /// A response to the query, with a signature that covers it.
  private func signed(
    flags: UInt16,
    records: [(name: [UInt8], type: UInt16, data: [UInt8])] = [],
    key: TSIGKey = DNSSamples.key,
    change: (inout TSIG) -> Void = { _ in }
  ) -> [UInt8] {
    var signature = TSIG(key: key.name, time: DNSSamples.time, id: DNSSamples.queryID)
    change(&signature)
    return key.sign(plain(flags: flags, records: records), signature, request: request.mac).bytes
  }

  private func plain(flags: UInt16, records: [(name: [UInt8], type: UInt16, data: [UInt8])] = []) -> [UInt8] {
    var bytes = DNSSamples.query.bytes(id: DNSSamples.queryID)
    bytes.replaceSubrange(2..<4, with: [UInt8(flags >> 8), UInt8(flags & 0xFF)])
    bytes.replaceSubrange(6..<8, with: [UInt8(records.count >> 8), UInt8(records.count & 0xFF)])
    for (name, type, data) in records {
      bytes += name
      bytes.append(number: type)
      bytes += [0, 1, 0, 0, 0, 60]
      bytes.append(counted: data)
    }
    return bytes
  }

  /// An error with a signature that states an error and has no MAC.
  private func unsigned(flags: UInt16, error: UInt16, key: DNSName = DNSSamples.key.name) -> [UInt8] {
    var signature = TSIG(key: key, time: 0, id: DNSSamples.queryID)
    signature.error = error
    var bytes = plain(flags: flags)
    bytes.replaceSubrange(10..<12, with: [0, 1])
    return bytes + signature.record
  }

  @Test func responsesOfOtherProgramsAreAuthentic() throws {
    let answer = try outcome(response).get()
    #expect(answer.records == [TXTRecord(Array("new".utf8))] && answer.count == 1)
    var signature = TSIG(key: DNSSamples.key.name, time: DNSSamples.time, id: DNSSamples.updateID)
    signature.mac = DNSSamples.updateMAC
    #expect(outcome(DNSSamples.updateResponse, DNSSamples.update, signature) == .success(DNSAnswer()))
  }

  @Test func aChangedOrShortenedResponseIsNotBelieved() {
    for index in response.indices {
      var changed = response
      for bit in 0..<8 {
        changed[index] = response[index] ^ 1 << bit
        if case .success(let answer) = outcome(changed) {
          // Capital letters in the key's name, and the signature's class and TTL, are not signed, and mean nothing.
          #expect(answer.records == [TXTRecord(Array("new".utf8))])
        }
      }
      #expect(throws: DNSFailure.self) { try outcome(Array(response[..<index])).get() }
    }
    #expect(outcome(response + [0]) == .failure(.malformed("something follows the response")))
    #expect(outcome(response, key: DNSSamples.key(secret: [1])) == .failure(.notAuthentic))
    // The response to another request of the same second.
    var other = request
    other.mac[31] ^= 1
    #expect(outcome(response, DNSSamples.query, other) == .failure(.notAuthentic))
  }

  private func outcome(_ bytes: [UInt8], key: TSIGKey) -> Result<DNSAnswer, DNSFailure> {
    outcome(bytes, DNSSamples.query, request, key)
  }

  @Test func randomBytesAreMalformed() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      var bytes = (0..<Int.random(in: 0...300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(throws: DNSFailure.self) { try outcome(bytes).get() }
      // Behind a true header and question.
      bytes = response.prefix(38) + bytes
      #expect(throws: DNSFailure.self) { try outcome(bytes).get() }
      // With another MAC.
      bytes =
        response.dropLast(38) + (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) } + response.suffix(6)
      #expect(outcome(bytes) == .failure(.notAuthentic))
    }
  }

  @Test func otherTypesNamesAndSectionsDoNotCount() throws {
    let text = TXTRecord([65])
    let pointer: [UInt8] = [0xC0, 12]
    let bytes = signed(
      flags: 0x8400,
      records: [
        (pointer, 5, [1, 65, 0]), (pointer, 16, text.data), (DNSSamples.zone.wire, 16, text.data),
        ("\u{8}_DEVICES\u{4}Home\u{4}tesT\0".utf8.map(\.self), 16, [0, 1, 66]),
      ]
    )
    let answer = try outcome(bytes).get()
    #expect(answer.records.map(\.bytes) == [[65], [66]] && answer.count == 2)
    #expect(
      outcome(signed(flags: 0x8400, records: [(pointer, 16, [])])) == .failure(.malformed("a TXT record is too short"))
    )
  }

  @Test func noMoreThanTheLimitIsNoted() throws {
    let record: (name: [UInt8], type: UInt16, data: [UInt8]) = ([0xC0, 12], 16, [0])
    let answer = try outcome(signed(flags: 0x8400, records: Array(repeating: record, count: 4000))).get()
    #expect(answer.records.count == 64 && answer.count == 4000)
  }

  @Test func theNameNeedNotExist() {
    #expect(outcome(signed(flags: 0x8403)) == .success(DNSAnswer()))
    #expect(outcome(plain(flags: 0x8403)) == .failure(.notAuthentic))
  }

  @Test func errorsHaveNames() {
    #expect(outcome(signed(flags: 0x8005)) == .failure(.refused))
    #expect(outcome(signed(flags: 0x8009)) == .failure(.notAuthoritative))
    #expect(outcome(signed(flags: 0x8000)) == .failure(.notAuthoritative))
    #expect(outcome(signed(flags: 0x8002)) == .failure(.other(rcode: 2)))
    #expect(outcome(signed(flags: 0x8009) { $0.error = 22 }) == .failure(.other(rcode: 22)))
    #expect(outcome(signed(flags: 0x8600)) == .failure(.malformed("the response is truncated")))
    #expect(outcome(signed(flags: 0x0400)) == .failure(.malformed("it is not a response")))
    #expect(outcome(signed(flags: 0xAC00)) == .failure(.malformed("it is not a response")))
  }

  @Test func anErrorNeedsNoSignatureAndASuccessDoes() {
    #expect(outcome(plain(flags: 0x8400)) == .failure(.notAuthentic))
    #expect(outcome(unsigned(flags: 0x8400, error: 0)) == .failure(.notAuthentic))
    #expect(outcome(plain(flags: 0x8005)) == .failure(.refused))
    #expect(outcome(plain(flags: 0x8009)) == .failure(.notAuthoritative))
    for error: UInt16 in [16, 17] {
      #expect(outcome(unsigned(flags: 0x8009, error: error)) == .failure(.wrongKey))
      #expect(outcome(unsigned(flags: 0x8009, error: error, key: DNSSamples.zone)) == .failure(.wrongKey))
      #expect(outcome(unsigned(flags: 0x8400, error: error)) == .failure(.notAuthentic))
    }
    // With a header only.
    #expect(outcome([0x2D, 0xDD, 0x80, 1, 0, 0, 0, 0, 0, 0, 0, 0]) == .failure(.other(rcode: 1)))
    #expect(outcome([0x2D, 0xDD, 0x84, 0, 0, 0, 0, 0, 0, 0, 0, 0]) == .failure(.malformed("no question")))
    // Who has not the key cannot say so with a MAC.
    #expect(outcome(signed(flags: 0x8005, key: DNSSamples.key(secret: [1]))) == .failure(.notAuthentic))
  }

  @Test func aWrongClockMustBeSigned() {
    let time = UInt64(DNSSamples.time)
    func later(by seconds: Int64) -> (inout TSIG) -> Void {
      { signature in
        signature.error = 18
        var bytes: [UInt8] = []
        bytes.append(number: UInt64(Int64(time) + seconds))
        signature.other = Array(bytes.suffix(6))
      }
    }
    for ahead: Int64 in [-86_400, 301, 86_400] {
      #expect(outcome(signed(flags: 0x8009, change: later(by: ahead))) == .failure(.wrongClock(ahead: ahead)))
    }
    #expect(outcome(unsigned(flags: 0x8009, error: 18)) == .failure(.notAuthentic))
    #expect(outcome(signed(flags: 0x8009) { $0.error = 18 }) == .failure(.malformed("BADTIME without a time")))
    for ahead: Int64 in [-300, 300] {
      #expect(outcome(signed(flags: 0x8400) { $0 = self.signature(ahead) }) == .success(DNSAnswer()))
    }
    for ahead: Int64 in [-301, 301] {
      #expect(outcome(signed(flags: 0x8400) { $0 = self.signature(ahead) }) == .failure(.wrongClock(ahead: ahead)))
    }
  }

  private func signature(_ ahead: Int64) -> TSIG {
    TSIG(key: DNSSamples.key.name, time: DNSSamples.time + ahead, id: DNSSamples.queryID)
  }

  @Test func signaturesAreLastAndOnlyOnce() {
    let signature = Array(response.suffix(11 + 10 + 61))
    var twice = response + signature
    twice[11] += 1
    #expect(outcome(twice) == .failure(.malformed("the signature is not the last record")))
    var elsewhere = plain(flags: 0x8400) + signature
    elsewhere[7] = 1
    #expect(outcome(elsewhere) == .failure(.malformed("the signature is in another section")))
  }
}
