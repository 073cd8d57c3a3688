// swift-format-ignore-file
// Scripts/make-interfaces made this from Documentation/reference/io.baton.Handoff.varlink. Edit that file.

/// Why something was refused, ended or is not offered. The wire, the control interface, the exit statuses of `baton`
/// and the documentation share this one list. A published name keeps its meaning.
package enum Reason: String, CaseIterable, Error, Hashable, Sendable {
  case activityNotFound
  case activityWithdrawn
  case activityExpired
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
  case entryNotFound
  case expressionInvalid
  case indexUnavailable
  case transferNotFound
  case filesUnavailable
  case streamsNotSupported
  case streamNotFound
  case streamReset
  case streamInterrupted
  case streamLimitReached
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
  case teamLeft
  case tooManyConnections
  case rendezvousUnreachable
  case rendezvousRefused
  case operatorNotFound
  case operatorAmbiguous
  case rendezvousExists
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

  /// What kind of failure it is, as the exit statuses of `baton` tell.
  package enum Kind: CaseIterable, Sendable {
    case notFound, refused, peerUnreachable, failure, daemonUnreachable, streamBroken, team
  }

  package var kind: Kind {
    switch self {
    case .activityNotFound, .activityWithdrawn, .activityExpired, .nothingOffered, .applicationNotFound, .browserNotFound, .entryNotFound, .transferNotFound, .filesUnavailable, .streamNotFound, .peerNotFound, .operatorNotFound: .notFound
    case .activityChanged, .alreadyContinued, .superseded, .activityTypeInvalid, .titleTooLong, .urlInvalid, .userInfoInvalid, .userInfoTooLarge, .persistentIdentifierInvalid, .expressionInvalid, .streamsNotSupported, .streamLimitReached, .certificateMissing, .certificateInvalid, .certificateExpired, .certificateRevoked, .clockSkewed, .otherTeam, .notTLS, .versionMismatch, .teamLeft, .tooManyConnections, .notPermitted, .limitReached, .screenLocked, .asleep, .notEligible: .refused
    case .appTimedOut, .peerUnreachable, .peerTimedOut, .handshakeTimedOut, .duplicateSession, .sessionIdle, .rendezvousUnreachable, .rendezvousRefused, .multicastBlocked, .portClosed: .peerUnreachable
    case .launchFailed, .launchTimedOut, .protocolViolation, .busUnavailable, .discoveryUnavailable, .interfaceExcluded, .storageFailed, .internalFailure: .failure
    case .indexUnavailable, .shuttingDown, .daemonUnreachable: .daemonUnreachable
    case .streamReset, .streamInterrupted: .streamBroken
    case .operatorAmbiguous, .rendezvousExists, .teamNotFound, .teamAmbiguous, .teamNameInvalid, .teamLimitReached, .alreadyMember, .notAdministrator, .deviceAmbiguous, .nameTaken, .invitationInvalid, .invitationUnknown, .invitationForeign, .invitationExpired, .invitationUsed, .invitationLimitReached, .inviterNotFound, .addressInvalid, .requestInvalid, .approvalInvalid, .backupInvalid, .passphraseTooShort, .passphraseWrong, .passphraseNeeded, .teamRenewed: .team
    }
  }

  /// What happened and, if you can do something about it, what.
  package var explanation: String {
    switch self {
    case .activityNotFound: "There is no such activity; `baton list` shows what is offered."
    case .activityWithdrawn: "The activity is no longer offered; make it current again on its machine."
    case .activityExpired: "The activity has expired."
    case .activityChanged: "The offer is no longer the one that was shown; look at it again."
    case .alreadyContinued: "The activity was already continued, perhaps on another machine."
    case .appTimedOut: "The app on the other machine did not answer in time; try again, and check whether it hangs."
    case .superseded: "A newer activity or continuation took its place."
    case .nothingOffered: "No other machine offers a matching activity; `baton peers` shows which machines are connected."
    case .applicationNotFound: "No app here takes activities of this type for this user; start or install one, or use `baton continue`."
    case .browserNotFound: "No app here takes activities of this type, and web pages need xdg-open to be shown; install xdg-utils."
    case .launchFailed: "The app for the activity could not be started; the log of `baton agent` says why."
    case .launchTimedOut: "The app was started, but did not take the activity in time; open the activity again when the app is running."
    case .activityTypeInvalid: "An activity type is a reverse domain name such as org.example.reading: labels of letters, digits, '-' and '_', separated by dots, \(Limits.activityTypeLength) bytes at most."
    case .titleTooLong: "A title has at most \(Limits.titleLength) bytes and no control characters."
    case .urlInvalid: "A web page's URL starts with http:// or https://, has at most \(Limits.urlLength) bytes, and is not of localhost."
    case .userInfoInvalid: "The userInfo contains a value that its encoding does not allow; see Documentation/reference/ControlInterface.md."
    case .userInfoTooLarge: "The userInfo is larger than \(Limits.userInfoLength) bytes; send larger state through a continuation stream."
    case .persistentIdentifierInvalid: "A persistent identifier has at most \(Limits.persistentIdentifierLength) bytes and no control characters."
    case .entryNotFound: "The search index has no such entry; `baton search` shows what it has."
    case .expressionInvalid: "The search expression is not one of CSSearchQuery."
    case .indexUnavailable: "The search index cannot be used at the moment; the log of `baton agent` says why."
    case .transferNotFound: "There is no such transfer; `baton transfers` lists them."
    case .filesUnavailable: "None of the files is there, or can be read."
    case .streamsNotSupported: "The activity does not support continuation streams; its app decides."
    case .streamNotFound: "There is no such continuation stream."
    case .streamReset: "The app on the other side gave up the stream before its end; find out why."
    case .streamInterrupted: "The connection to the other machine was lost during the stream; open it again when the machine is back."
    case .streamLimitReached: "Too many continuation streams are open; close some, or try again later."
    case .peerNotFound: "No machine of the team is known by that name; `baton peers` shows the known ones."
    case .peerUnreachable: "The other machine cannot be reached; is it on, and on the same network?"
    case .peerTimedOut: "The other machine did not answer in time and may be asleep or overloaded; try again."
    case .handshakeTimedOut: "The other side did not finish its handshake in time."
    case .certificateMissing: "The other side presented no certificate."
    case .certificateInvalid: "The team's key did not sign the other side's certificate for a device; have it leave the team and join again."
    case .certificateExpired: "A certificate has expired or is not valid yet; check both clocks."
    case .certificateRevoked: "The other device, or this one, was removed from the team; to return, leave the team and join it with a new code."
    case .clockSkewed: "The clocks of the two machines differ too much; set both."
    case .otherTeam: "The other side is not in this team."
    case .notTLS: "The other side does not speak TLS 1.3 as Baton does."
    case .versionMismatch: "The two machines run incompatible versions of Baton; upgrade the older one."
    case .protocolViolation: "The other side violated the protocol."
    case .duplicateSession: "Another connection to the same machine is kept instead."
    case .sessionIdle: "The connection was closed because others were needed more."
    case .shuttingDown: "batond is stopping, here or on the other machine; try again when it is running."
    case .teamLeft: "The other machine has left the team; to have it back, let it join with a new code."
    case .tooManyConnections: "Too many connections are open; close some, or try again later."
    case .rendezvousUnreachable: "The server where the team meets cannot be reached; does it run?"
    case .rendezvousRefused: "The server where the team meets does not let this machine in; connect it with an administrator's machine."
    case .operatorNotFound: "You have made no servers for that organization here; `baton rendezvous create --organization` makes them."
    case .operatorAmbiguous: "You have servers for several organizations; name one with --organization."
    case .rendezvousExists: "There are servers already. --replace replaces them; machines that are not connected with this one keep looking for the others there."
    case .teamNotFound: "You are in no such team on this machine; `baton team list` shows your teams. To make one, run `baton team create NAME`; to join one, `baton team join`."
    case .teamAmbiguous: "Several of this user's teams match; name one by its ID, which `baton team list` shows."
    case .teamNameInvalid: "A team's name has 1 to \(Limits.teamNameLength) bytes and no control characters."
    case .teamLimitReached: "You, or all users of this machine together, are in too many teams; leave one with `baton team leave`."
    case .alreadyMember: "This machine is already in that team."
    case .notAdministrator: "Only a machine with the team's key can do that: the one that created the team, or one that was promoted."
    case .deviceAmbiguous: "Several devices of the team match; give more of the ID, which `baton team devices` shows."
    case .nameTaken: "The name belonged to another machine; name one by its ID, or accept the new one with `baton peer accept`."
    case .invitationInvalid: "That is not an invitation code; check it for typing errors."
    case .invitationUnknown: "The team has not given out this code; ask for a new one with `baton team invite`."
    case .invitationForeign: "The machine that was reached has given out no code for that team lately; check its address, or get another code."
    case .invitationExpired: "The code has expired; ask for a new one with `baton team invite`."
    case .invitationUsed: "The code has already admitted a machine; ask for a new one with `baton team invite`."
    case .invitationLimitReached: "Too many invitations of this team are open; wait until some have expired."
    case .inviterNotFound: "No machine was found that could have given out the code; is it on the same network? Otherwise give its address with --address."
    case .addressInvalid: "An address is HOST, HOST:PORT or [IPV6]:PORT."
    case .requestInvalid: "That is not a request from `baton team request` or `baton rendezvous request`."
    case .approvalInvalid: "That is not an answer to a request of this machine or team; take it to where the request was made."
    case .backupInvalid: "That is not a backup from `baton team backup`, or it is damaged; use another copy."
    case .passphraseTooShort: "A passphrase has at least \(Limits.passphraseCharacters) characters, because anyone who finds the file can keep guessing."
    case .passphraseWrong: "The passphrase is wrong; nothing was changed."
    case .passphraseNeeded: "The team's key is locked with a passphrase; `baton team unlock` on the administrator's machine unlocks it for \(Limits.unlockTime.components.seconds / 60) minutes."
    case .teamRenewed: "The team was replaced on this machine with `baton team renew`; you cannot enter the old one again."
    case .notPermitted: "This user is not allowed to do that; do it as the user who owns the activity or team, or as root."
    case .limitReached: "A limit of this machine was reached."
    case .screenLocked: "All of the user's screens on that machine are locked; unlock one, or set WithholdWhenLocked=no in batond.conf."
    case .asleep: "The machine is going to sleep; the activity is offered again when it wakes."
    case .notEligible: "The app keeps its activity on this machine."
    case .daemonUnreachable: "batond cannot be reached; `systemctl status batond` shows whether it is running."
    case .busUnavailable: "The system's D-Bus cannot be used; is it running, and is batond allowed to use it?"
    case .discoveryUnavailable: "Avahi cannot be reached; is avahi-daemon running?"
    case .interfaceExcluded: "No network interface of this machine is in use; connect one, or name it in batond.conf."
    case .multicastBlocked: "Multicast DNS does not get through; allow UDP port 5353."
    case .portClosed: "Other machines cannot connect to this one; open batond's TCP port in its firewall."
    case .storageFailed: "The state directory cannot be read or written; the journal says why."
    case .internalFailure: "Something failed inside the daemon; the journal says what."
    }
  }
}
