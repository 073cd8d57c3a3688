/// Why something was refused, ended or is not offered. The wire, the control interface, the exit statuses of `baton`
/// and the documentation share this one list. A published name keeps its meaning.
package enum Reason: String, CaseIterable, Error, Hashable, Sendable {
  /// The key of a reason's name in the `userInfo` of the errors that apps get.
  package static let errorKey = "BatonReason"

  // Activities and their continuation.
  case activityNotFound
  case activityWithdrawn
  case activityExpired
  /// The offer is no longer what the person was shown.
  case activityChanged
  case alreadyContinued
  case appTimedOut
  case superseded
  case nothingOffered
  case applicationNotFound
  case browserNotFound
  case launchFailed
  case launchTimedOut
  case activityTypeInvalid
  case titleTooLong
  case urlInvalid
  case userInfoInvalid
  case userInfoTooLarge
  case persistentIdentifierInvalid

  // Searching.
  case entryNotFound
  case expressionInvalid
  case indexUnavailable
  /// There is no such transfer, or it is in another state.
  case transferNotFound
  /// Nothing of what is to be sent is there, or can be read.
  case filesUnavailable

  // Streams.
  case streamsNotSupported
  case streamNotFound
  case streamReset
  case streamInterrupted
  case streamLimitReached

  // Peers.
  case peerNotFound
  case peerUnreachable
  case peerTimedOut
  case handshakeTimedOut
  case certificateMissing
  case certificateInvalid
  case certificateExpired
  case certificateRevoked
  case clockSkewed
  case otherTeam
  case notTLS
  case versionMismatch
  case protocolViolation
  case duplicateSession
  case sessionIdle
  case shuttingDown
  /// The other machine has left the team.
  case teamLeft
  case tooManyConnections

  // Servers where teams meet.
  case rendezvousUnreachable
  case rendezvousRefused
  case operatorNotFound
  case operatorAmbiguous
  case rendezvousExists

  // Teams.
  case teamNotFound
  case teamAmbiguous
  case teamNameInvalid
  case teamLimitReached
  case alreadyMember
  case notAdministrator
  case deviceAmbiguous
  case nameTaken
  case invitationInvalid
  case invitationUnknown
  case invitationForeign
  case invitationExpired
  case invitationUsed
  case invitationLimitReached
  case inviterNotFound
  case addressInvalid
  case requestInvalid
  case approvalInvalid
  case backupInvalid
  case passphraseTooShort
  case passphraseWrong
  case passphraseNeeded
  case teamRenewed

  // This machine.
  case notPermitted
  case limitReached
  case screenLocked
  case asleep
  case notEligible
  case daemonUnreachable
  case busUnavailable
  case discoveryUnavailable
  case interfaceExcluded
  case multicastBlocked
  case portClosed
  case storageFailed
  case internalFailure
}
