// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@Suite struct RecentTableTests {
  @Test func theOnesThatWereSetLastAreKnown() {
    var table = RecentTable<Int, Int>(limit: 10)
    for key in 0..<1000 {
      table[key] = key
      #expect(table.count <= 10)
      for recent in max(0, key - 4)...key { #expect(table[recent] == recent) }
    }
    #expect(table[0] == nil)
    table[999] = nil
    #expect(table[999] == nil)
  }

  @Test func whatIsSetAgainStays() {
    var table = RecentTable<Int, Int>(limit: 10)
    for key in 1..<1000 {
      table[0] = (table[0] ?? 0) + 1
      table[key] = 0
    }
    #expect(table[0] == 999)
  }
}
