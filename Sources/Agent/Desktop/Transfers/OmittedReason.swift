// SPDX-License-Identifier: Apache-2.0

import Activity
import Localization

/// Why a file, folder or link of a transfer did not arrive, although the others did.
package enum OmittedReason: UInt8, CaseIterable, Sendable {
  /// It was written while it was read, several times in a row.
  case changed = 1
  /// It was there when the transfer began, and is no longer.
  case vanished = 2
  /// The origin's user may not read it, or the disk fails.
  case unreadable = 3
  /// A link that leads out of what is sent.
  case leadsOutside = 4
  /// A device, a pipe or a socket.
  case special = 5
  /// The receiver's file system does not take the name.
  case nameNotPossible = 6
  /// The path is longer or deeper than a transfer allows.
  case pathTooLong = 7

  /// The name in JSON.
  package var name: String {
    switch self {
    case .changed: "changed"
    case .vanished: "vanished"
    case .unreadable: "unreadable"
    case .leadsOutside: "leadsOutside"
    case .special: "special"
    case .nameNotPossible: "nameNotPossible"
    case .pathTooLong: "pathTooLong"
    }
  }

  package init?(name: String) {
    guard let reason = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = reason
  }

  /// A sentence for people, which follows the path.
  package var explanation: String {
    switch self {
    case .changed: localized("it changed while it was being sent")
    case .vanished: localized("it was removed while it was being sent")
    case .unreadable: localized("it can't be read")
    case .leadsOutside: localized("the symlink points out of the folder")
    case .special: localized("it's neither a file nor a folder")
    case .nameNotPossible: localized("the receiving machine's file system doesn't allow this name or link")
    case .pathTooLong: localized("the path is too long")
    }
  }
}

/// Something that did not arrive.
package struct Omission: Hashable, Sendable {
  package let path: TransferPath
  package let reason: OmittedReason

  package init(_ path: TransferPath, _ reason: OmittedReason) { (self.path, self.reason) = (path, reason) }
}
