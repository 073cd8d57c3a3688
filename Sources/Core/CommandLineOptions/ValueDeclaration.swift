// SPDX-License-Identifier: Apache-2.0

/// The value of an option or an operand.
package struct ValueDeclaration: Sendable {
  /// The value's name in the help.
  package let placeholder: String
  /// What shells complete.
  package let kind: Kind
  package let limit: LengthLimit

  /// What a value stands for.
  package enum Kind: Equatable, Sendable {
    /// Nothing that can be completed.
    case text
    case file, host, url
    /// One of these words.
    case choice([String])
    /// The ID of an offer, and the type of an activity.
    case offer, activityType
    /// The ID of a team, and the address of a peer that the user added.
    case team, peerAddress
    /// Another machine of a team, and a device that was admitted to a team.
    case machine, device
  }
}

/// A value is not of the kind that the option takes.
package struct InvalidValue: Error {
  /// Returns a sentence about the option: "'--wait' must be a time such as 30s."
  let explanation: @Sendable (_ option: String) -> String

  package init(_ explanation: @escaping @Sendable (_ option: String) -> String) { self.explanation = explanation }
}
