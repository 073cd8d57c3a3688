// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import JSONCoding
import Search
import Testing
import UniformTypeIdentifiers

@testable import Baton
@testable import CoreSpotlight

struct AttributeSetTests {
  private func attributes() -> CSSearchableItemAttributeSet {
    let set = CSSearchableItemAttributeSet(contentType: .text)
    set.title = "Moby-Dick"
    set.contentDescription = "Call me Ishmael"
    set.keywords = ["whale", "Ahab"]
    set.thumbnailData = Data([1, 2, 3])
    set.rating = 5
    set.contentCreationDate = Date(timeIntervalSinceReferenceDate: 7)
    set.url = URL(string: "https://example.org/moby")
    set.authorNames = ["Herman Melville"]
    return set
  }

  @Test func everyAttributeIsReadAsItWasSet() throws {
    let set = attributes()
    #expect(set.title == "Moby-Dick" && set.contentType == "public.text")
    #expect(set.keywords == ["whale", "Ahab"] && set.authorNames == ["Herman Melville"])
    #expect(set.rating == 5 && set.contentCreationDate == Date(timeIntervalSinceReferenceDate: 7))
    #expect(set.url == URL(string: "https://example.org/moby"))
    set.title = nil
    set.rating = nil
    #expect(set.title == nil && set.rating == nil && set.city == nil)
    let key = try #require(CSCustomAttributeKey(keyName: "org_example_mood"))
    set.setValue("calm", forCustomKey: key)
    #expect(set.value(forCustomKey: key) as? String == "calm")
  }

  @Test func attributesOfOtherThingsAreReadAsTheyWereSet() throws {
    let set = CSSearchableItemAttributeSet()
    #expect(set.contentType == nil && set.values.isEmpty && set.actionIdentifiers.isEmpty)
    set.containerTitle = "Moby-Dick"
    set.containerDisplayName = "The whale"
    set.containerIdentifier = "book-7"
    set.containerOrder = 42
    set.information = "A novel"
    set.darkThumbnailURL = URL(fileURLWithPath: "/dark.png")
    set.actionIdentifiers = ["read"]
    set.providerDataTypeIdentifiers = [kUTTypeEmailMessage]
    set.providerFileTypeIdentifiers = [kUTTypeCompositeContent]
    set.providerInPlaceFileTypeIdentifiers = [kUTTypePDF]
    let item = CSSearchableItem(uniqueIdentifier: "a", domainIdentifier: nil, attributeSet: set)
    let again = CSSearchableItem(try #require(SavedEntry(json: item.entry.json))).attributeSet
    #expect(again.values == set.values && again.values.count == 10)
    #expect(again.containerTitle == "Moby-Dick" && again.containerDisplayName == "The whale")
    #expect(again.containerIdentifier == "book-7" && again.containerOrder == 42 && again.information == "A novel")
    #expect(again.darkThumbnailURL == URL(fileURLWithPath: "/dark.png") && again.actionIdentifiers == ["read"])
    #expect(again.providerDataTypeIdentifiers == ["public.email-message"])
    #expect(again.providerFileTypeIdentifiers == ["public.composite-content"])
    #expect(again.providerInPlaceFileTypeIdentifiers == ["com.adobe.pdf"])
  }

  @Test func aCopyIsNotChangedWithTheOriginal() throws {
    let set = attributes()
    let copy = try #require(set.copy() as? CSSearchableItemAttributeSet)
    set.title = "Typee"
    #expect(copy.title == "Moby-Dick" && copy.thumbnailData == Data([1, 2, 3]))
  }

  @Test func anActivityKeepsACopyAndIsFoundByIt() throws {
    let activity = NSUserActivity(activityType: "org.example.reading")
    activity.isEligibleForSearch = true
    #expect(activity.contentAttributeSet == nil)
    let set = attributes()
    set.relatedUniqueIdentifier = "book-7"
    set.domainIdentifier = "novels"
    activity.contentAttributeSet = set
    set.title = "Typee"
    #expect(activity.contentAttributeSet?.title == "Moby-Dick")
    activity.contentAttributeSet?.title = "Omoo"
    activity.keywords = ["Ahab", "sea"]
    let entry = try #require(activity.core.donation())
    #expect(entry.title == "Omoo" && entry.contentDescription == "Call me Ishmael")
    #expect(entry.keywords == ["Ahab", "sea", "whale"] && entry.relatedIdentifier == "book-7")
    #expect(entry.domainIdentifier == "novels")
    activity.title = "Its own"
    #expect(activity.core.donation()?.title == "Its own")
    activity.contentAttributeSet = nil
    #expect(activity.core.donation()?.keywords == ["Ahab", "sea"])
  }

  @Test func aWeakRelationIsWeakUnlessThereIsAStrongOne() throws {
    let activity = NSUserActivity(activityType: "org.example.reading")
    activity.isEligibleForSearch = true
    let set = attributes()
    set.weakRelatedUniqueIdentifier = "book-7"
    activity.contentAttributeSet = set
    let weak = try #require(activity.core.donation())
    #expect(weak.relatedIdentifier == "book-7" && weak.isWeaklyRelated)
    set.relatedUniqueIdentifier = "book-8"
    activity.contentAttributeSet = set
    let strong = try #require(activity.core.donation())
    #expect(strong.relatedIdentifier == "book-8" && !strong.isWeaklyRelated)
  }

  @Test func anItemSurvivesTheIndex() throws {
    let item = CSSearchableItem(uniqueIdentifier: "book-7", domainIdentifier: "books.moby", attributeSet: attributes())
    item.expirationDate = Date(timeIntervalSince1970: 2_000_000_000)
    let entry = try #require(SavedEntry(json: item.entry.json))
    let again = CSSearchableItem(entry)
    #expect(again.uniqueIdentifier == "book-7" && again.domainIdentifier == "books.moby")
    #expect(again.expirationDate == item.expirationDate)
    #expect(
      again.attributeSet.values == item.attributeSet.values.merging(["domainIdentifier": .string("books.moby")]) { $1 }
    )
    #expect(again.attributeSet.thumbnailData == Data([1, 2, 3]))
  }

  @Test func itemsArePackedIntoMessagesInOrder() throws {
    let entries = (0..<1000).map { number in
      var entry = SavedEntry(identifier: "item \(number)")
      entry.textContent = String(repeating: "a", count: number)
      return entry
    }
    let (messages, refused) = EntryPacking.messages(entries)
    #expect(refused == nil)
    #expect(messages.flatMap(\.self) == entries && messages.count > 1)
    for message in messages {
      #expect(message.count <= 256 && message.map { $0.json.bytes.count + 1 }.reduce(0, +) <= 57 * 1024)
    }
    #expect(EntryPacking.lists((0..<1000).map { "\($0)" }).flatMap(\.self).count == 1000)
  }

  @Test func anItemThatCannotBeSavedKeepsNoOtherOut() {
    let names = ["a", "", "b", String(repeating: "x", count: 2000), "c"]
    let (messages, refused) = EntryPacking.messages(names.map { SavedEntry(identifier: $0) })
    #expect(messages.flatMap(\.self).map(\.identifier) == ["a", "b", "c"])
    #expect(refused?.code == .invalidItemError)
    #expect(refused?.message.contains("without an identifier") == true)
    #expect(refused?.message.contains("item xxx") == true)
    let many = EntryPacking.messages((0..<50).map { _ in SavedEntry(identifier: "") }).refused
    #expect(many?.message.contains("40 others") == true)
  }
}
