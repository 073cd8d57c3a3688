import Activity
import ControlClient
import ControlInterface

extension ExitStatus {
  init(_ reason: Reason) {
    self =
      switch reason {
      case .activityNotFound, .activityWithdrawn, .activityExpired, .nothingOffered, .applicationNotFound,
        .browserNotFound, .entryNotFound, .transferNotFound, .filesUnavailable, .streamNotFound, .peerNotFound,
        .operatorNotFound:
        .notFound
      case .activityChanged, .alreadyContinued, .superseded, .activityTypeInvalid, .titleTooLong, .urlInvalid,
        .userInfoInvalid,
        .userInfoTooLarge, .persistentIdentifierInvalid, .streamsNotSupported, .streamLimitReached, .certificateMissing,
        .certificateInvalid,
        .certificateExpired, .certificateRevoked, .clockSkewed, .otherTeam, .notTLS, .versionMismatch,
        .tooManyConnections, .teamLeft, .notPermitted, .limitReached, .screenLocked, .asleep, .notEligible,
        .expressionInvalid:
        .refused
      case .appTimedOut, .peerUnreachable, .peerTimedOut, .handshakeTimedOut, .duplicateSession, .sessionIdle,
        .multicastBlocked, .portClosed, .rendezvousUnreachable, .rendezvousRefused:
        .peerUnreachable
      case .streamReset, .streamInterrupted:
        .streamBroken
      case .shuttingDown, .daemonUnreachable, .indexUnavailable:
        .daemonUnreachable
      case .teamNotFound, .teamAmbiguous, .teamNameInvalid, .teamLimitReached, .alreadyMember, .notAdministrator,
        .deviceAmbiguous, .nameTaken,
        .invitationInvalid, .invitationUnknown, .invitationForeign, .invitationExpired, .invitationUsed,
        .invitationLimitReached, .inviterNotFound, .addressInvalid, .requestInvalid, .approvalInvalid,
        .backupInvalid, .passphraseTooShort, .passphraseWrong, .passphraseNeeded, .teamRenewed, .operatorAmbiguous,
        .rendezvousExists:
        .team
      case .launchFailed, .launchTimedOut, .protocolViolation, .busUnavailable, .discoveryUnavailable,
        .interfaceExcluded, .storageFailed,
        .internalFailure:
        .failure
      }
  }

  init(_ error: ControlError) {
    self =
      switch error {
      case .notRunning, .searchNotRunning, .notPermitted, .foreignServer, .timedOut, .disconnected: .daemonUnreachable
      case .failed(let failure): ExitStatus(failure.reason)
      case .tooLong: .usage
      case .protocolViolation, .refused, .system: .failure
      }
  }
}
