// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Desktop

struct CopyTableTests {
  private let first = CopyTable.Key(activity: .random(), deviceID: DeviceID(bytes: Array(repeating: 1, count: 32))!)
  private let second = CopyTable.Key(activity: .random(), deviceID: DeviceID(bytes: Array(repeating: 2, count: 32))!)

  @Test func theNewestIsFirst() {
    var table = CopyTable()
    #expect(table.all == [])
    table.offersChanged(to: [first])
    table.copied()
    #expect(table.all == [.own, .offered(first)])
    table.offersChanged(to: [second, first])
    #expect(table.all == [.offered(second), .own, .offered(first)])
    table.copied()
    #expect(table.all.first == .own)
    table.cleared()
    #expect(table.all == [.offered(second), .offered(first)])
  }

  @Test func whatIsListedTogetherIsInTheOrderOfTheList() {
    var table = CopyTable()
    table.offersChanged(to: [second, first])
    #expect(table.all == [.offered(second), .offered(first)])
  }

  @Test func anOfferThatComesBackIsNotNewer() {
    var table = CopyTable()
    table.offersChanged(to: [first])
    table.copied()
    table.offersChanged(to: [])
    #expect(table.all == [.own])
    table.offersChanged(to: [first])
    #expect(table.all == [.own, .offered(first)])
  }

  @Test func onlySomeThatAreGoneAreRemembered() {
    var table = CopyTable()
    for _ in 0..<200 { table.offersChanged(to: [CopyTable.Key(activity: .random(), deviceID: first.deviceID)]) }
    #expect(table.all.count == 1)
    #expect(table.remembered <= CopyTable.knownCopies + 1)
  }
}
