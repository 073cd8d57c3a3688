// SPDX-License-Identifier: Apache-2.0

import Activity

/// The file that lists a user's muted machines: one per line, its full Device ID and, for people, its name. Other lines
/// belong to the user and are left alone.
package enum MutedList {
  /// The maximum length of a machine's name in the file that names the muted machines, in bytes.
  static let mutedNameLength = 128

  package static func devices(_ text: String) -> Set<DeviceID> {
    Set(
      text.splitScalars(where: VisibleText.endsLine).compactMap { line in
        line.splitScalars(where: \.properties.isWhitespace).first.flatMap { DeviceID(text: String($0)) }
      }
    )
  }

  /// The line for a machine, with its newline.
  package static func line(_ device: DeviceID, name: String) -> String {
    "\(device.text) \(Printable.text(name, limit: Self.mutedNameLength))\n"
  }
}
