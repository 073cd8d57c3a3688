// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Discovery

struct SmallPartsTests {
  @Test func theNewestOfOurNamesAreRemembered() {
    var names = OwnInstances()
    for number in 0..<OwnInstances.ownInstances { names.insert("\(number)") }
    names.insert("0")
    #expect(names.contains("1"))
    names.insert("new")
    #expect(!names.contains("1"))
    #expect(names.contains("0") && names.contains("2") && names.contains("new"))
  }

  @Test func namesOfInstancesAreEscaped() {
    #expect(ServiceName.join("a.b\\c") == #"a\.b\\c._baton._tcp.local"#)
    #expect(ServiceName.join("") == nil)
    #expect(ServiceName.join(String(repeating: "[", count: 63)) != nil)
    #expect(ServiceName.join(String(repeating: "[", count: 64)) == nil)
  }

  @Test func instancesAreCountedForEachNetwork() {
    var counter = InstanceCounter()
    func sighting(_ instance: String, _ interface: Int32, _ ipVersion: Int32 = 0) -> Sighting {
      Sighting(instance: instance, interface: interface, ipVersion: ipVersion)
    }
    for number in 1..<Limits.cachedInstances {
      for seen in [sighting("\(number)", 2), sighting("\(number)", 3), sighting("\(number)", 2, 1)] {
        counter.handle(.appeared(seen))
      }
    }
    #expect(!counter.isCrowded)
    counter.handle(.appeared(sighting("one more", 3)))
    #expect(counter.isCrowded)
    counter.handle(.disappeared(sighting("never seen", 7)))
    #expect(counter.isCrowded)
    counter.handle(.disappeared(sighting("1", 3)))
    #expect(!counter.isCrowded)
  }
}
