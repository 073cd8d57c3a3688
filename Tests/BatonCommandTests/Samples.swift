// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Testing

func sampleOffer(
  _ number: UInt64 = 1,
  type: String = "org.example.files",
  title: String? = "Notes",
  device: String = "laptop",
  stream: Bool = false,
  source: ControlOffer.Source = .session,
  generation: Int? = nil,
  isSent: Bool = false
) throws -> ControlOffer {
  ControlOffer(
    id: ActivityID(randomBytes: (number << 32, 0)),
    activityType: type,
    title: title,
    supportsContinuationStreams: stream,
    device: device,
    deviceID: try #require(DeviceID(text: String(repeating: "0", count: 52))),
    team: "K7Q2M9XW4T",
    source: source,
    generation: generation,
    isSent: isSent
  )
}

/// - Parameter byte: What its ID consists of.
func sampleTeam(_ byte: UInt8 = 0) throws -> ControlTeam {
  ControlTeam(
    id: try #require(TeamID(bytes: Array(repeating: byte, count: TeamID.byteCount))),
    name: "Demo",
    administrator: true,
    deviceID: try #require(DeviceID(text: String(repeating: "0", count: 52))),
    expires: 4e9
  )
}
