import Activity

/// A certificate or key in PEM.
package enum PEM: BoundedText {
  package static let lengths = 1...Limits.certificateLength
}

/// The name of a device, which may be empty.
package enum DeviceName: BoundedText {
  package static let lengths = 0...Limits.deviceNameLength
}
