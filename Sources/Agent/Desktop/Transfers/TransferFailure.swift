// SPDX-License-Identifier: Apache-2.0

/// Why a transfer ended without its files.
package enum TransferFailure: String, CaseIterable, Error, Sendable {
  /// The receiver's user did not want it, or a rule says so.
  case declined
  /// The origin's user took it back.
  case withdrawn
  /// The receiver's user stopped it.
  case canceled
  /// The receiver's disk has too little space, or the user can store no more there.
  case diskFull
  /// The receiver accepts nothing from this machine.
  case notAllowed
  /// It is larger than the receiver allows.
  case tooLarge
  /// The machine, or all machines, have sent as much in the last 24 hours as the receiver allows.
  case quotaExceeded
  /// It is much more than, or something else than, what its receiver has accepted.
  case notAsOffered
  /// It has more files than a transfer may have.
  case tooManyFiles
  /// Other transfers take all the room that the receiver gives this machine, or all machines.
  case noRoom
  /// The receiver's folder cannot be written to, or has gone.
  case folderUnavailable
  /// Nothing that was to be sent is there, or can be read.
  case nothingToSend
  /// It waited too long for the other machine, or for its user.
  case expired
  /// The other machine is no longer in the team.
  case machineRemoved
  /// The other side does not speak the protocol, or speaks another version.
  case protocolViolation

  /// What becomes of the transfer if its origin offers it once more.
  package enum NextOffer: Equatable, Sendable {
    /// The origin is told again.
    case isRefused
    /// As for any other offer, the user or a rule decides.
    case isNew
    /// What the user wanted is tried again.
    case isTried
  }

  package var nextOffer: NextOffer {
    switch self {
    case .declined, .canceled, .notAllowed: .isRefused
    case .withdrawn, .expired, .machineRemoved, .nothingToSend, .notAsOffered: .isNew
    case .tooLarge, .quotaExceeded, .diskFull, .tooManyFiles, .noRoom, .folderUnavailable, .protocolViolation: .isTried
    }
  }
}
