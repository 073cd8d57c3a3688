import Activity
import Testing

@testable import Discovery

struct SmallPartsTests {
  @Test func pausesDoubleUpToTheirLimit() {
    var backoff = Backoff(.milliseconds(50)...Duration.milliseconds(300))
    #expect((0..<5).map { _ in backoff.next() } == [50, 100, 200, 300, 300].map { .milliseconds($0) })
    backoff.reset()
    #expect(backoff.next() == .milliseconds(50))
  }

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
