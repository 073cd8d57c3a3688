import Activity

/// The file in which a user's muted machines are: one in each line, its Device ID in full and, for people, its name. What is no
/// such line is a person's own, and left alone.
package enum MutedList {
  package static func devices(_ text: String) -> Set<DeviceID> {
    Set(
      text.split(whereSeparator: \.isNewline).compactMap { line in
        line.split(whereSeparator: \.isWhitespace).first.flatMap { DeviceID(text: String($0)) }
      }
    )
  }

  /// The line of a machine, with its end.
  package static func line(_ device: DeviceID, name: String) -> String {
    "\(device.text) \(Printable.text(name, limit: Limits.mutedNameLength))\n"
  }
}
