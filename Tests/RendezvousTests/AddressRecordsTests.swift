import Activity
import Rendezvous
import Testing

struct AddressRecordsTests {
  private let own, other: DeviceID
  private let new = TXTRecord([0])

  init() throws {
    own = try #require(DeviceID(bytes: [UInt8](repeating: 1, count: DeviceID.byteCount)))
    other = try #require(DeviceID(bytes: [UInt8](repeating: 2, count: DeviceID.byteCount)))
  }

  private func known(_ byte: UInt8, _ device: DeviceID?, expires: Int64 = 200) -> AddressRecords.Known {
    AddressRecords.Known(TXTRecord([byte]), device.map { .init(device: $0, expires: expires) })
  }

  private func deletions(_ known: [AddressRecords.Known], count: Int? = nil) -> [UInt8] {
    AddressRecords.deletions(replacedBy: new, of: own, known: known, count: count ?? known.count, at: 100)
      .map { $0.bytes.first ?? 0 }
  }

  @Test func ownAndExpiredRecordsAreReplaced() {
    #expect(deletions([]) == [])
    let records = [
      known(1, own), known(2, own, expires: 50), known(3, other), known(4, other, expires: 100),
      known(5, other, expires: 101), known(6, nil),
    ]
    #expect(deletions(records) == [1, 2, 4])
    // What is there already is not deleted.
    #expect(deletions([known(0, own, expires: 50), known(1, own)]) == [1])
  }

  @Test func whatNobodyCanReadStaysWhileThereIsRoom() {
    #expect(deletions([known(1, nil), known(2, other)], count: Limits.dnsRecords) == [])
    #expect(deletions([known(1, nil), known(2, other)], count: Limits.dnsRecords + 1) == [1])
  }

  @Test func deletionsFitIntoOneMessage() throws {
    let all = (0..<64).map { AddressRecords.Known(TXTRecord([$0] + [UInt8](repeating: 0, count: 1000)), nil) }
    let some = AddressRecords.deletions(replacedBy: new, of: own, known: all, count: 65, at: 100)
    #expect(some.count == 60)
    let name = try #require(DNSName(Array(repeating: "a", count: 127).joined(separator: ".")))
    let largest = try #require(TXTRecord(sealed: [UInt8](repeating: 0, count: 675)))
    let update = DNSMessage.update(zone: name, name: name, deletions: some, additions: [largest], timeToLive: 1)
    let key = TSIGKey(name) { _ in [UInt8](repeating: 0, count: 32) }
    #expect(DNSExchange(update, key: key, id: 0, time: 0, at: .now) != nil)
  }
}
