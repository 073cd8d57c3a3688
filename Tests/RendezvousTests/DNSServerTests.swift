import TestSupport
import Testing

@testable import Rendezvous

/// What real servers make of the messages, and what is made of their responses.
@Suite(.isolated) struct DNSServerTests {
  private static let day: Int64 = 24 * 60 * 60

  private func record(_ byte: UInt8, _ count: Int = 400) throws -> TXTRecord {
    try #require(TXTRecord(sealed: [UInt8](repeating: byte, count: count)))
  }

  @Test(arguments: DNSServer.Kind.allCases)
  func recordsOfSeveralDevicesAreAddedReplacedAndDeleted(_ kind: DNSServer.Kind) throws {
    let server = try DNSServer(kind)
    #expect(try server.texts() == [])
    let (first, second, third) = (try record(1), try record(2), try record(3))
    #expect(try server.update(add: [first]) == .success(DNSAnswer()))
    #expect(try server.update(add: [second]) == .success(DNSAnswer()))
    let answer = try server.exchange(.query(DNSSamples.devices)).get()
    #expect(answer.count == 2 && Set(answer.records) == [first, second])
    #expect(
      Set(answer.records.map(\.sealed)) == [[UInt8](repeating: 1, count: 400), [UInt8](repeating: 2, count: 400)]
    )
    // The same again, and what no longer exists, do no harm.
    for _ in 0..<2 { #expect(try server.update(delete: [first], add: [third]) == .success(DNSAnswer())) }
    #expect(Set(try server.exchange(.query(DNSSamples.devices)).get().records) == [second, third])
    #expect(try server.update(delete: [second, third]) == .success(DNSAnswer()))
    #expect(try server.texts() == [])
  }

  @Test(arguments: DNSServer.Kind.allCases)
  func moreRecordsThanFitIntoDatagramsAreReadAndDeleted(_ kind: DNSServer.Kind) throws {
    let server = try DNSServer(kind)
    let records = try (0..<64).map { try record($0, 675) }
    for start in stride(from: 0, to: 64, by: 16) {
      #expect(try server.update(add: Array(records[start..<start + 16])) == .success(DNSAnswer()))
    }
    let answer = try server.exchange(.query(DNSSamples.devices)).get()
    #expect(answer.count == 64 && Set(answer.records) == Set(records))
    #expect(records.reduce(0) { $0 + $1.bytes.count } == 64 * 900)
    #expect(try server.update(delete: Array(records.dropFirst()), add: [record(0)]) == .success(DNSAnswer()))
    #expect(try server.exchange(.query(DNSSamples.devices)).get().count == 2)
  }

  @Test(arguments: DNSServer.Kind.allCases)
  func noMoreRecordsThanTheLimitAreNoted(_ kind: DNSServer.Kind) throws {
    let server = try DNSServer(kind)
    #expect(try server.update(add: try (0..<70).map { try record($0, 100) }) == .success(DNSAnswer()))
    let answer = try server.exchange(.query(DNSSamples.devices)).get()
    #expect(answer.count == 70 && Set(answer.records).count == 64)
  }

  @Test(arguments: DNSServer.Kind.allCases)
  func anyBytesAndLengthsAreTheSameAfterwards(_ kind: DNSServer.Kind) throws {
    let server = try DNSServer(kind)
    let texts = [[], [0], [UInt8](0...255), [UInt8](repeating: 0x5C, count: 255), [UInt8](repeating: 0x22, count: 510)]
    let records = texts.map { TXTRecord($0) }
    #expect(try server.update(add: records) == .success(DNSAnswer()))
    #expect(try server.texts() == texts.sorted { $0.lexicographicallyPrecedes($1) })
    #expect(try server.update(delete: records) == .success(DNSAnswer()))
    #expect(try server.texts() == [])
  }

  @Test(arguments: DNSServer.Kind.allCases)
  func whoHasNotTheKeyIsToldSo(_ kind: DNSServer.Kind) throws {
    let server = try DNSServer(kind)
    for key in [server.key(secret: [1, 2, 3]), server.key("other.key")] {
      #expect(try server.update(add: [record(1)], key: key) == .failure(.wrongKey))
      #expect(try server.exchange(.query(DNSSamples.devices), key: key) == .failure(.wrongKey))
    }
    #expect(try server.texts() == [])
  }

  @Test(arguments: DNSServer.Kind.allCases)
  func otherNamesAreRefused(_ kind: DNSServer.Kind) throws {
    let server = try DNSServer(kind)
    let name = DNSSamples.name("www.home.test")
    // Knot DNS says BADKEY of a key that it knows, too.
    #expect(try server.update(name, add: [record(1)]) == .failure(kind == .knot ? .wrongKey : .refused))
    let (other, own) = (DNSSamples.name("other.test"), DNSSamples.name("_devices.other.test"))
    #expect(try server.update(own, zone: other, add: [record(1)]) == .failure(.notAuthoritative))
    #expect(try server.exchange(.query(own)) == .failure(.refused))
    // Outside of the zone (NOTZONE).
    #expect(try server.update(own, add: [record(1)]) == .failure(kind == .knot ? .wrongKey : .other(rcode: 10)))
    #expect(try server.texts() == [])
  }

  @Test(arguments: DNSServer.Kind.allCases, [day, -day])
  func aWrongClockIsMeasured(_ kind: DNSServer.Kind, _ late: Int64) throws {
    let server = try DNSServer(kind)
    for result in [
      try server.update(add: [record(1)], late: late), try server.exchange(.query(DNSSamples.devices), late: late),
    ] {
      guard case .failure(.wrongClock(let ahead)) = result else {
        Issue.record("\(result)")
        continue
      }
      #expect(abs(ahead - late) <= 60)
    }
    #expect(try server.texts() == [])
  }
}
