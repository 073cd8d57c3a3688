// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Hosts
import Testing

@testable import BatonCommand

/// Whose files an activity names.
@Suite struct OriginDocumentsTests {
  @Test func onlyWhatWasMadeHereNamesFilesOfThisMachine() throws {
    let device = try #require(DeviceID(bytes: [UInt8](repeating: 7, count: 32)))
    // A file that is on every machine.
    let reference = DocumentReference(path: "/etc/passwd")
    for origin in [Origin.local, .unknown, .device(device)] {
      let continued = ContinuedActivity(
        id: .random(),
        activity: ControlActivity(activityType: "a.b"),
        device: "laptop",
        origin: origin
      )
      let documents = OriginDocuments(continued, socket: "/nonexistent/baton.sock")
      let found = documents.find(reference, Output(isJSON: false))
      if origin == .local {
        #expect(found == .found(path: "/etc/passwd", how: "on this machine"))
      } else if case .found = found {
        Issue.record("\(origin): \(found)")
      }
    }
  }
}
