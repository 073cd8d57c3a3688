// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Testing

/// What a click says that it is for.
struct ShownOfferTests {
  private let shown = ShownOffer(activityType: "a.b", title: "T", webpageHost: "example.org")

  @Test func itIsAMemberOfOpenOffer() {
    checkCoding(
      OpenOffer.Parameters(id: Samples.id, shown: shown),
      #"{"id":"\#(Samples.idText)","shown":{"activityType":"a.b","title":"T","webpageHost":"example.org"}}"#
    )
  }

  @Test func eachOfItsMembersCountsToTheByte() throws {
    func record(_ type: String, _ title: String?, _ host: String?) throws -> ActivityRecord {
      var record = try ActivityRecord(id: Samples.id, activityType: type)
      (record.title, record.webpageHost) = (title, host)
      return record
    }
    #expect(shown.isOf(try record("a.b", "T", "example.org")))
    for (type, title, host) in [
      ("a.c", "T", "example.org"), ("a.b", "T\u{FE0F}", "example.org"), ("a.b", nil, "example.org"), ("a.b", "T", nil),
      ("a.b", "T", "example.com"),
    ] as [(String, String?, String?)] { #expect(!shown.isOf(try record(type, title, host))) }
    let accented = ShownOffer(activityType: "a.b", title: "\u{E9}", webpageHost: nil)
    #expect(!accented.isOf(try record("a.b", "e\u{301}", nil)))
  }
}
