// SPDX-License-Identifier: Apache-2.0

import Activity

/// The subjects on which the devices of a team speak. The servers know no more than these names.
package enum RendezvousSubject: Equatable, Sendable {
  /// To all, from the device of this name.
  case toAll(from: String)
  /// To one, from another.
  case toOne(String, from: String)

  /// A name is as long as 16 bytes in base 32.
  package static let nameLength = 26

  /// Nil if it is none of ours.
  package init?(_ text: String) {
    let words = text.split(atScalar: ".", omittingEmptySubsequences: false).map(String.init)
    guard words.first == "b", words.dropFirst(2).allSatisfy({ $0.utf8.count == Self.nameLength }) else { return nil }
    switch (words.count, words.dropFirst().first) {
    case (3, "adv"): self = .toAll(from: words[2])
    case (4, "to"): self = .toOne(words[2], from: words[3])
    default: return nil
    }
  }

  package var text: String {
    switch self {
    case .toAll(let sender): "b.adv.\(sender)"
    case .toOne(let receiver, let sender): "b.to.\(receiver).\(sender)"
    }
  }

  /// What a device of this name may publish, and hear.
  package static func rights(_ name: String) -> NATSToken.Rights {
    .user(publish: ["b.adv.\(name)", "b.to.*.\(name)"], subscribe: subscriptions(name))
  }

  package static func subscriptions(_ name: String) -> [String] { ["b.adv.*", "b.to.\(name).*"] }

  /// Who sent it.
  package var sender: String {
    switch self {
    case .toAll(let sender), .toOne(_, let sender): sender
    }
  }
}
