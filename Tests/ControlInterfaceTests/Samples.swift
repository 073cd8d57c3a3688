// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import JSONCoding

/// Values that the tests of this target share.
enum Samples {
  static let idText = "00112233-4455-6677-8899-aabbccddeeff"
  static let deviceText = String(repeating: "0", count: 52)
  static let fingerprint = String(repeating: "00", count: 32)

  static let id = ActivityID(text: idText) ?? ActivityID(randomBytes: (0, 0))

  static func device() throws(Reason) -> DeviceID {
    guard let device = DeviceID(text: deviceText) else { throw .internalFailure }
    return device
  }

  static func team() throws(Reason) -> ControlTeam {
    guard let id = TeamID(bytes: Array(repeating: 0, count: TeamID.byteCount)) else { throw .internalFailure }
    return ControlTeam(id: id, name: "Demo", administrator: true, deviceID: try device(), expires: 2e9)
  }

  static let teamText = """
    {"administrator":true,"deviceID":"\(deviceText)","expires":2000000000.0,"fingerprint":"\(fingerprint)",\
    "id":"0000000000","name":"Demo"}
    """

  static var activity: ControlActivity {
    var activity = ControlActivity(id: id, activityType: "org.example.reading")
    activity.title = "Notes"
    activity.userInfo = ["page": 7]
    activity.webpageURL = "https://example.org/"
    activity.referrerURL = "https://example.net/"
    activity.targetContentIdentifier = "notes"
    activity.persistentIdentifier = "note 7"
    activity.expirationDate = 2e9
    activity.needsSave = true
    activity.supportsContinuationStreams = true
    return activity
  }

  static let activityText = """
    {"activityType":"org.example.reading","expirationDate":2000000000.0,"id":"\(idText)","needsSave":true,\
    "persistentIdentifier":"note 7","referrerURL":"https://example.net/","supportsContinuationStreams":true,"targetContentIdentifier":"notes",\
    "title":"Notes","userInfo":{"page":7},"webpageURL":"https://example.org/"}
    """
}
