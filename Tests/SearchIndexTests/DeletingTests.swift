// SPDX-License-Identifier: Apache-2.0

import BatonAgent
import Search
import TestSupport
import Testing

/// What is deleted with an item, or with a domain.
@Suite(.isolated) struct DeletingTests {
  private let fixture = Fixture()

  /// Puts an activity that shows the item "page", and one that does so weakly, but not the item.
  private func putActivities() throws {
    let strong = try activity("strong", "Whale strongly") { $0.relatedIdentifier = "page" }
    let weak = try activity("weak", "Whale weakly") { ($0.relatedIdentifier, $0.isWeaklyRelated) = ("page", true) }
    let other = try activity("other", "Whale") { $0.domainIdentifier = "pages" }
    try fixture.index().put([strong, weak, other], application: "app", now: 1000)
    try fixture.index().put([strong], application: "another", now: 1000)
  }

  private func titles() throws -> [String] { try fixture.search("whale").sorted() }

  @Test(arguments: [Selection.items(["page"]), .allItems])
  func anActivityIsDeletedWithAnItemThatWasNeverThere(_ selection: Selection) throws {
    try putActivities()
    #expect(try titles() == ["Whale", "Whale strongly", "Whale strongly", "Whale weakly"])
    try fixture.index().delete(selection, application: "app", index: "named")
    #expect(try titles().count == 4)
    #expect(try fixture.index().delete(selection, application: "app") == 1)
    #expect(try titles() == ["Whale", "Whale strongly", "Whale weakly"])
  }

  @Test(arguments: [nil, "named"])
  func anActivityOfAWeakRelationStaysWithoutItsItem(_ name: String?) throws {
    try putActivities()
    try fixture.index().put([item("page")], application: "app", index: name, now: 1000)
    #expect(try fixture.index().delete(.items(["page"]), application: "app", index: name) == 2)
    #expect(try titles() == ["Whale", "Whale strongly", "Whale weakly"])
  }

  @Test func aPersonForgetsAnItemWithoutAnActivityOfAWeakRelation() throws {
    try putActivities()
    try fixture.index().put([item("page", "The page")], application: "app", now: 1000)
    let words = try #require(SearchWords("page"))
    let found = try #require(try fixture.reader().search(words, limit: 1, now: 1000).first)
    var forgotten = ForgottenEntries()
    forgotten.entry = EntryReference(found.reference)
    #expect(try fixture.index().forget(forgotten) == 2)
    #expect(try titles() == ["Whale", "Whale strongly", "Whale weakly"])
  }

  @Test func activitiesAreDeletedByTheirDomain() throws {
    let domains = ["pages", "pages.1", "pages2"]
    let entries = try domains.map { domain in try activity(domain, "Whale \(domain)") { $0.domainIdentifier = domain } }
    try fixture.index().put(entries, application: "app", now: 1000)
    #expect(try fixture.index().delete(.domains(["pages"]), application: "app") == 2)
    #expect(try titles() == ["Whale pages2"])
    #expect(try fixture.index().delete(.domains(["pages2"]), application: "another") == 0)
    #expect(try fixture.index().delete(.domains(["pages2"]), application: "app", index: "named") == 0)
    #expect(try fixture.index().delete(.domains(["pages2"]), application: "app") == 1)
  }
}
