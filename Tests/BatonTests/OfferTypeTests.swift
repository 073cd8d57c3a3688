// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Testing

@testable import Baton

struct OfferTypeTests {
  private func arrivingType(hasWebPage: Bool, _ types: Set<String>) throws -> String? {
    let device = try #require(DeviceID(bytes: Array(repeating: 1, count: DeviceID.byteCount)))
    let offer = ControlOffer(
      id: .random(),
      activityType: "a.b",
      title: nil,
      supportsContinuationStreams: false,
      hasWebPage: hasWebPage,
      device: "laptop",
      deviceID: device,
      team: "T",
      source: .session
    )
    return try #require(UserActivityOffer(offer)).arrivingType(types)
  }

  @Test func pagesAreForAppsThatTakePagesAndOthersForTheirTypes() throws {
    let web = NSUserActivityTypeBrowsingWeb
    #expect(try arrivingType(hasWebPage: true, ["a.b"]) == "a.b")
    #expect(try arrivingType(hasWebPage: true, ["a.b", web]) == "a.b")
    #expect(try arrivingType(hasWebPage: true, ["a.c", web]) == web)
    #expect(try arrivingType(hasWebPage: false, ["a.c", web]) == nil)
    #expect(try arrivingType(hasWebPage: true, ["a.c"]) == nil)
  }
}
