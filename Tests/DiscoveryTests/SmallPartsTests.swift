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
}
