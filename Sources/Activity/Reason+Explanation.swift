extension Reason {
  /// One sentence for people: what is so and, where something can be done, what.
  package var explanation: String {
    switch self {
    case .activityNotFound: "There is no such activity; `baton list` shows what is offered."
    case .activityWithdrawn: "The activity is no longer offered; make it current again on its machine."
    case .activityExpired: "The activity has expired."
    case .alreadyContinued: "The activity was continued already, perhaps on another machine."
    case .appTimedOut: "The app on the other machine did not answer in time; try again, and see whether it hangs."
    case .superseded: "A newer activity or continuation took its place."
    case .nothingOffered:
      "No other machine offers an activity that fits; `baton peers` shows which machines are connected."
    case .applicationNotFound:
      "No app here takes activities of this type for this user; start or install one, or use `baton continue`."
    case .browserNotFound:
      "No app here takes activities of this type, and xdg-open, which shows web pages, is not installed; install xdg-utils."
    case .launchFailed: "The app that takes the activity could not be started; the log of `baton agent` says why."
    case .launchTimedOut:
      "The app that was started for the activity has not asked for it in time; open it again when the app is there."
    case .activityTypeInvalid:
      "An activity type is a reverse domain name such as org.example.reading: letters, digits, '-' and '_' in labels with dots between them, at most \(Limits.activityTypeLength) bytes."
    case .titleTooLong: "A title is at most \(Limits.titleLength) bytes long and has no control characters."
    case .urlInvalid: "A web page's URL starts with http:// or https:// and is at most \(Limits.urlLength) bytes long."
    case .userInfoInvalid:
      "The userInfo holds a value that the encoding of Documentation/ControlInterface.md does not allow."
    case .userInfoTooLarge:
      "The userInfo is larger than \(Limits.userInfoLength) bytes; send larger state through a continuation stream."
    case .streamsNotSupported: "The activity does not support continuation streams; its app decides."
    case .streamNotFound: "There is no such continuation stream."
    case .streamReset: "The app on the other side gave the stream up before its end; see why it ended."
    case .streamInterrupted:
      "The connection to the other machine was lost in the middle of the stream; open it again when the machine is back."
    case .streamLimitReached: "Too many continuation streams are open; end some, or try again later."
    case .peerNotFound: "No machine of the team by that name is known; `baton peers` shows which are."
    case .peerUnreachable: "The other machine cannot be reached; is it on, and on the same network?"
    case .peerTimedOut: "The other machine did not answer in time; it may be asleep or overloaded, try again."
    case .handshakeTimedOut: "The other side did not finish its handshake in time."
    case .certificateMissing: "The other side showed no certificate."
    case .certificateInvalid:
      "The other side's certificate is not one that the team's key signed for a device; let it leave the team and join again."
    case .certificateExpired: "A certificate has expired or is not valid yet; are both clocks right?"
    case .certificateRevoked:
      "The other device was removed from the team, or this one was; a removed one leaves the team and joins with a new code."
    case .clockSkewed: "The clocks of the two machines differ too much; set both right."
    case .otherTeam: "The other side is not of this team."
    case .notTLS: "The other side does not speak TLS 1.3 as Baton does."
    case .versionMismatch:
      "The two machines run versions of Baton that do not understand each other; upgrade the older."
    case .protocolViolation: "The other side broke the protocol."
    case .duplicateSession: "Another connection to the same machine is kept instead."
    case .sessionIdle: "The connection was not needed for a while."
    case .shuttingDown: "batond is stopping, here or on the other machine; try again when it runs."
    case .tooManyConnections: "Too many connections at once; close some, or try again later."
    case .teamNotFound: "There is no such team on this machine for this user; `baton team list` shows which there are."
    case .teamAmbiguous: "This machine has several teams for this user; name one with --team."
    case .teamNameInvalid: "A team's name is 1 to \(Limits.teamNameLength) bytes long and has no control characters."
    case .teamLimitReached:
      "You are in too many teams on this machine, or all its users together are; leave one with `baton team leave`."
    case .alreadyMember: "This machine is in that team already."
    case .notAdministrator:
      "Only a machine with the team's key can do that: where the team was created, or one that `baton team promote` gave it to."
    case .deviceAmbiguous:
      "Several devices of the team fit; name one by more of its ID, which `baton team devices` shows."
    case .invitationInvalid: "That is not an invitation code; check it for typing errors."
    case .invitationUnknown:
      "The code is not one that the team has given out; ask for a new one with `baton team invite`."
    case .invitationForeign:
      "The machine that was reached has given out no code of that team lately: check its address, or get another code."
    case .invitationExpired: "The code has expired; ask for a new one with `baton team invite`."
    case .invitationUsed: "The code has admitted a machine already; ask for a new one with `baton team invite`."
    case .invitationLimitReached: "Too many invitations of this team are open; wait until some have expired."
    case .inviterNotFound:
      "No machine that could have given out the code was found; is it on the same network? Otherwise name its address with --address."
    case .addressInvalid: "An address is HOST, HOST:PORT or [IPV6]:PORT."
    case .requestInvalid: "That is not a membership request as `baton team request` writes it."
    case .approvalInvalid:
      "That is not an approval for a request of this machine; take it in where the request was made."
    case .backupInvalid:
      "That is not a backup that `baton team backup` wrote, or it was damaged; take another copy of it."
    case .passphraseTooShort:
      "A passphrase has at least \(Limits.passphraseCharacters) characters: who finds the file can guess without end."
    case .passphraseWrong: "The passphrase is another one; nothing was changed."
    case .passphraseNeeded:
      "The team's key has a passphrase and is locked; `baton team unlock` on the administrator's machine opens it for \(Limits.unlockTime.components.seconds / 60) minutes."
    case .teamRenewed:
      "The team was replaced by another one here with `baton team renew`, and is not entered again."
    case .notPermitted: "This user may not do that; do it as the user whose activity or team it is, or as root."
    case .limitReached: "A limit of this machine is reached."
    case .screenLocked:
      "All screens of the user are locked there; unlock one, or set WithholdWhenLocked=no in batond.conf."
    case .asleep: "The machine is going to sleep; it is offered again when it wakes."
    case .notEligible: "The app keeps its activity to this machine."
    case .daemonUnreachable: "The daemon batond cannot be reached; `systemctl status batond` shows whether it runs."
    case .busUnavailable: "The system's D-Bus cannot be used; is it running, and may batond use it?"
    case .discoveryUnavailable: "Avahi cannot be reached; is avahi-daemon running?"
    case .interfaceExcluded: "No network interface of this machine is used; connect one, or name it in batond.conf."
    case .multicastBlocked: "Multicast DNS does not get through; let UDP port 5353 pass."
    case .portClosed: "Other machines cannot connect to this one; open batond's TCP port in its firewall."
    case .storageFailed: "The state directory cannot be read or written; the journal says why."
    case .internalFailure: "Something failed inside the daemon; the journal says what."
    }
  }
}
