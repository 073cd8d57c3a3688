import Activity
import JSONCoding

/// The type `Copy`: something that can be pasted.
package struct ControlCopy: Structure {
  /// The media types in which it can be had, the best first.
  package let types: [String]
  /// The length in the first type, in bytes. Nil if it is not known.
  package let size: Int?
  /// Seconds since 1970-01-01 00:00:00 UTC, by the clock of the machine where it was copied.
  package let copied: Double?
  /// The name of the other machine. Nil for this one.
  package let device: String?
  package let deviceID: DeviceID?
  package let team: String?

  package init(_ info: CopyInfo, device: String? = nil, deviceID: DeviceID? = nil, team: String? = nil) {
    types = info.types.map(\.description)
    (size, copied) = (info.size, info.copied)
    (self.device, self.deviceID, self.team) = (device, deviceID, team)
  }
}
