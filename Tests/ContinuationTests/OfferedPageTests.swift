// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

/// What becomes of pages that are others on each machine, and of offers that become others.
struct OfferedPageTests {
  private let desktop = Names.desktop
  private let local = "http://localhost:3000/reset?token=7"

  private func page(_ number: UInt64, _ url: String) throws -> ActivityRecord {
    var record = try ActivityRecord(id: Names.id(number), activityType: ActivityRecord.webPageType)
    record.webpageURL = url
    return record
  }

  private func offers(_ effects: [ContinuationCore.Effect]) -> [ActivityRecord] {
    effects.compactMap { if case .send(.offer(let offer), _) = $0 { offer.activity } else { nil } }
  }

  @Test func aPageOfThisMachineIsNotOffered() throws {
    var machine = Machine()
    machine.connect(desktop)
    let record = try page(1, local)
    let effects = machine.handle(.becameCurrent(record, team: nil, client: c1, user: 1000))
    #expect(effects == [.fail(c1, .urlInvalid)])
    machine.publish(try page(2, "https://example.org/"))
    #expect(machine.handle(.updated(try page(2, local), client: c2, user: 1000)) == [.fail(c2, .urlInvalid)])
  }

  /// Its app continues it without the page.
  @Test func anActivityWithSuchAPageIsOfferedWithoutIt() throws {
    var machine = Machine()
    machine.connect(desktop)
    let offered = offers(
      machine.handle(.becameCurrent(Names.rich(1) { $0.webpageURL = local }, team: nil, client: c1, user: 1000))
    )
    #expect(offered.map(\.hasWebPage) == [false] && offered.map(\.webpageHost) == [nil])
  }

  @Test func aPageOfThisMachineDoesNotArrive() throws {
    var machine = Machine()
    machine.connect(desktop)
    machine.offer(Names.record(1), from: desktop)
    _ = machine.handle(.continueRequested(Names.id(1), client: c1, user: 1000))
    let payload = Payload(request: 1, activity: Names.rich(1) { $0.webpageURL = local })
    let effects = machine.handle(.received(.payload(payload), from: desktop))
    let delivered = effects.compactMap { if case .deliver(_, let record, _, _) = $0 { record } else { nil } }
    #expect(delivered.map(\.id) == [Names.id(1)] && delivered.map(\.webpageURL) == [nil])
  }

  /// A person may be looking at it as it was.
  @Test func anOfferKeepsItsType() throws {
    var machine = Machine()
    machine.connect(desktop)
    machine.offer(Names.record(1), from: desktop)
    machine.offer(try ActivityRecord(id: Names.id(1), activityType: "io.baton.files"), from: desktop)
    #expect(machine.continuation.offers(for: 1000).map(\.activity) == [Names.record(1)])
  }
}
