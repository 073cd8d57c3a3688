// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import JSONCoding
import Testing

@Suite struct OriginTests {
  @Test func whatAUserContinuesHasAnOrigin() {
    let reply = Continue.Reply(activity: Samples.activity, device: "laptop", origin: .local)
    checkCoding(reply, #"{"activity":\#(Samples.activityText),"device":"laptop","origin":"local"}"#)
    checkMembers(of: reply, optional: ["origin"])
  }

  @Test func whatDoesNotSayWhereItComesFromIsForeign() {
    let unknown = Continue.Reply(activity: Samples.activity, device: "laptop", origin: .unknown)
    checkCoding(unknown, #"{"activity":\#(Samples.activityText),"device":"laptop"}"#)
    for text in ["", "Local", "local ", "lo\u{301}cal", "local\u{200D}", "5"] {
      let json: JSON = ["activity": Samples.activity.json, "device": "laptop", "origin": .string(text)]
      #expect(Continue.Reply(json: json)?.origin == .unknown)
    }
  }

  @Test func aDeviceIsNamedByItsID() throws {
    let device = try #require(DeviceID(bytes: [UInt8](repeating: 7, count: 32)))
    let reply = Continue.Reply(activity: Samples.activity, device: "laptop", origin: .device(device))
    checkCoding(reply, #"{"activity":\#(Samples.activityText),"device":"laptop","origin":"\#(device.text)"}"#)
    #expect(Origin(device: nil) == .local && Origin(device: device.text) == .device(device))
    #expect(Origin(device: "") == .unknown && Origin(device: "laptop") == .unknown)
  }
}
