// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// Where something came from. Whatever opens, finds or shows something is told, without a default: what programs of the
/// user have made on this machine may name its files, and what others have made only describes theirs.
package enum Origin: Hashable, Sendable {
  /// A program of the user on this machine.
  case local
  /// Another machine of a team.
  case device(DeviceID)
  /// Another machine; nobody knows which.
  case unknown

  /// - Parameter device: The text of a Device ID; nil for this machine.
  package init(device: String?) {
    self = device.map { text in DeviceID(text: text).map(Origin.device) ?? .unknown } ?? .local
  }

  /// The other machine, if it is known.
  package var device: DeviceID? { if case .device(let id) = self { id } else { nil } }
}

/// The member `origin` of messages: `local`, or a Device ID. Without it, it is foreign.
package enum OriginCoding: MemberCoding {
  private static let local = "local"

  package static func decode(_ json: JSON?) -> Origin? {
    guard let json else { return .unknown }
    guard let text = json.string else { return nil }
    return text.utf8.elementsEqual(local.utf8) ? .local : Origin(device: text)
  }

  package static func encode(_ value: Origin) -> JSON? {
    switch value {
    case .local: .string(local)
    case .device(let device): .string(device.text)
    case .unknown: .none
    }
  }
}
