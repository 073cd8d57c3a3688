// SPDX-License-Identifier: Apache-2.0

import Activity

/// What is mounted where, as proc_pid_mountinfo(5) says it. A directory has a name in each mount that shows it.
package struct MountTable: Sendable {
  private struct Mount {
    /// The number of the file system.
    let device: String
    /// The directory of the file system that is shown.
    let root: String
    /// Where it is shown.
    let point: String
  }

  private let mounts: [Mount]

  /// - Parameter text: The content of `/proc/self/mountinfo`. Lines that cannot be read are left out.
  package init(_ text: [UInt8]) {
    mounts = text.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard fields.count > 5, let device = String(validating: fields[2], as: UTF8.self),
        let root = Self.path(fields[3]), let point = Self.path(fields[4])
      else { return nil }
      return Mount(device: device, root: root, point: point)
    }
  }

  /// The names of a directory in all mounts. Some can be hidden by what is mounted above them.
  ///
  /// - Parameter path: Absolute, without links.
  package func names(of path: String) -> [String] {
    mounts.flatMap { mount -> [String] in
      guard let rest = PathComponents.path(path, below: mount.point) else { return [] }
      let place = Self.path(mount.root, rest)
      return mounts.compactMap { other in
        guard other.device.hasBytes(of: mount.device) else { return nil }
        return PathComponents.path(place, below: other.root).map { Self.path(other.point, $0) }
      }
    }
  }

  private static func path(_ directory: String, _ rest: String) -> String {
    rest.isEmpty ? directory : directory.hasBytes(of: "/") ? "/\(rest)" : "\(directory)/\(rest)"
  }

  /// Reads a path, in which a space is `\040`.
  private static func path(_ field: ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var rest = field
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      guard let number = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8) else { return nil }
      bytes.append(number)
      rest = rest.dropFirst(3)
    }
    return String(validating: bytes, as: UTF8.self).flatMap { $0.starts(withBytesOf: "/") ? $0 : nil }
  }
}
