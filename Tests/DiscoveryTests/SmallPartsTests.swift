import Activity
import Testing

@testable import Discovery

struct SmallPartsTests {
  @Test func theNewestOfOurNamesAreRemembered() {
    var names = OwnInstances()
    for number in 0..<Limits.ownInstances { names.insert("\(number)") }
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
    #expect(counter.maximum == 0)
    for seen in [sighting("a", 2), sighting("b", 2), sighting("a", 3), sighting("a", 2, 1)] {
      counter.handle(.appeared(seen))
    }
    #expect(counter.maximum == 2)
    counter.handle(.disappeared(sighting("a", 2)))
    counter.handle(.disappeared(sighting("b", 2)))
    #expect(counter.maximum == 1)
    counter.handle(.disappeared(sighting("never seen", 7)))
    #expect(counter.maximum == 1)
  }
}
