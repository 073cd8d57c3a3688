// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// Scripts/make-interfaces made this from Documentation/reference/io.baton.Handoff.varlink. Edit that file.

import Localization

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

  /// What happened, and what to do about it, in the user's language.
  package var explanation: String { explanation { Localization.localized($0) } }

  /// The same in English, as the daemon sends it.
  package var englishExplanation: String { explanation { $0.text($0.format) } }

  private func explanation(_ localized: (Message) -> String) -> String {
    switch self {
    case .activityNotFound: localized("No such activity. Run `baton list` to see what's available.")
    case .activityWithdrawn: localized("That activity is no longer available. Go back to it on the other machine to offer it again.")
    case .activityExpired: localized("The activity has expired. Go back to it on the other machine to offer it again.")
    case .activityChanged: localized("The offer has changed since it was shown. Check the new offer, then continue it.")
    case .alreadyContinued: localized("The activity has already been continued, perhaps on another machine. Check your other machines. To hand it off again, go back to it on the first machine.")
    case .appTimedOut: localized("The app on the other machine didn't answer in time. Try again, and check whether that app is still responding.")
    case .superseded: localized("A newer activity or request has replaced this one. This is normal, because each user offers one activity at a time.")
    case .nothingOffered: localized("No other machine offers a matching activity. Run `baton machines` to see which machines are online.")
    case .applicationNotFound: localized("Nothing here can open this activity. Install or start an app for it, or pick it up in a terminal with `baton continue`.")
    case .browserNotFound: localized("No app here handles this activity, and its web page can't be opened without xdg-open. Install xdg-utils.")
    case .launchFailed: localized("The app for this activity couldn't be started. Run `journalctl --user -u baton-agent` to see why.")
    case .launchTimedOut: localized("The app was started, but didn't pick up the activity in time. Open the activity again once the app is running.")
    case .activityTypeInvalid: localized("That isn't a valid activity type. Use a reverse domain name such as org.example.reading: labels of letters, digits, '-' and '_', separated by dots, at most \(Limits.activityTypeLength) bytes.")
    case .titleTooLong: localized("The title is longer than \(Limits.titleLength) bytes or contains control characters. Shorten it, or remove those characters.")
    case .urlInvalid: localized("That URL can't be opened on another machine. Use one that starts with http:// or https://, is at most \(Limits.urlLength) bytes long, and isn't on localhost.")
    case .userInfoInvalid: localized("The userInfo contains a value that its encoding doesn't allow. See \"userInfo\" in Documentation/reference/ControlInterface.md.")
    case .userInfoTooLarge: localized("The userInfo is larger than \(Limits.userInfoLength) bytes. Send larger state over a continuation stream.")
    case .persistentIdentifierInvalid: localized("The persistent identifier is longer than \(Limits.persistentIdentifierLength) bytes or contains control characters. Use a shorter one, such as a UUID or a hash.")
    case .entryNotFound: localized("The search index doesn't contain that entry. Run `baton search` to see what it contains.")
    case .expressionInvalid: localized("That isn't a valid CSSearchQuery expression. Check its syntax.")
    case .indexUnavailable: localized("The search index can't be used right now. Run `journalctl --user -u baton-agent` to see why.")
    case .transferNotFound: localized("No such transfer. Run `baton transfers` to list them.")
    case .filesUnavailable: localized("None of those files exist, or they can't be read. Check their names and permissions.")
    case .streamsNotSupported: localized("The activity doesn't support continuation streams. Only its app can change that.")
    case .streamNotFound: localized("No such continuation stream. Open a new one.")
    case .streamReset: localized("The app on the other machine closed the stream early. Try again.")
    case .streamInterrupted: localized("The connection to the other machine was lost during the stream. Try again when the machine is back online.")
    case .streamLimitReached: localized("Too many continuation streams are open. Close some, or try again later.")
    case .peerNotFound: localized("Your teams have no machine with that name. Run `baton machines` to list them.")
    case .peerUnreachable: localized("Can't reach the other machine. Check that it's switched on and on the same network.")
    case .peerTimedOut: localized("The other machine didn't answer in time. It may be asleep or overloaded, so try again.")
    case .handshakeTimedOut: localized("The other machine didn't complete the connection in time. Try again. If it keeps happening, check whether another program is using that port.")
    case .certificateMissing: localized("The other machine didn't present a certificate. You don't need to do anything, because it isn't in your team.")
    case .certificateInvalid: localized("The other machine's certificate wasn't issued with the team's key. On that machine, leave the team and join it again.")
    case .certificateExpired: localized("A certificate has expired or isn't valid yet. Check the clocks of both machines.")
    case .certificateRevoked: localized("The other machine, or this one, was removed from the team. To return, leave the team and join it with a new code.")
    case .clockSkewed: localized("The clocks of the two machines differ too much. Set both with `sudo timedatectl set-ntp true`.")
    case .otherTeam: localized("The other machine isn't in this team. You don't need to do anything, because machines of different teams can share a network.")
    case .notTLS: localized("The other side doesn't use Baton's protocol (TLS 1.3). Check the port: another program may be using it.")
    case .versionMismatch: localized("The two machines run incompatible versions of Baton. Upgrade the older one.")
    case .protocolViolation: localized("The other machine violated the protocol. Upgrade Baton on both machines.")
    case .duplicateSession: localized("A different connection to the same machine is being used instead. You don't need to do anything, because one connection is enough.")
    case .sessionIdle: localized("The connection was closed to make room for busier ones. You don't need to do anything, because it reopens when it's needed.")
    case .shuttingDown: localized("batond is stopping, here or on the other machine. Try again when it's running.")
    case .teamLeft: localized("The other machine has left the team. To bring it back, let it join with a new code.")
    case .tooManyConnections: localized("Too many connections are open. Close some, or try again later.")
    case .rendezvousUnreachable: localized("Can't reach the team's server. Check that it's running.")
    case .rendezvousRefused: localized("The team's server rejected this machine. Connect this machine to an admin machine, which will renew its access.")
    case .operatorNotFound: localized("You haven't set up servers for that organization on this machine. To do so, run `baton rendezvous create --organization`.")
    case .operatorAmbiguous: localized("You've set up servers for more than one organization. Specify one with --organization.")
    case .rendezvousExists: localized("Servers already exist. Use --replace to switch to new ones; machines that aren't connected to this one now will keep using the old ones until they are.")
    case .teamNotFound: localized("You aren't in any such team on this machine. Run `baton team list` to see your teams, `baton team create NAME` to create one, or `baton team join` to join one.")
    case .teamAmbiguous: localized("More than one of your teams matches. Specify one by its ID, as shown by `baton team list`.")
    case .teamNameInvalid: localized("That isn't a valid team name. Use 1 to \(Limits.teamNameLength) bytes, without control characters.")
    case .teamLimitReached: localized("You, or all users of this machine together, are in too many teams. Leave one with `baton team leave`.")
    case .alreadyMember: localized("This machine is already in that team. You don't need to join again.")
    case .notAdministrator: localized("Only an admin machine can do that. Run the command on the machine that created the team, or on one that was promoted.")
    case .deviceAmbiguous: localized("More than one machine in the team matches. Enter more of the ID, as shown by `baton team machines`.")
    case .nameTaken: localized("That name belonged to a different machine. Specify a machine by its ID, or accept the new one with `baton machine accept`.")
    case .invitationInvalid: localized("That isn't an invitation code. Check it for typos.")
    case .invitationUnknown: localized("The team hasn't issued this code. Get a new one with `baton team invite`.")
    case .invitationForeign: localized("The machine at that address hasn't issued a code for this team recently. Check the address, or get a new code.")
    case .invitationExpired: localized("The code has expired. Get a new one with `baton team invite`.")
    case .invitationUsed: localized("The code has already been used. Get a new one with `baton team invite`.")
    case .invitationLimitReached: localized("Too many invitations to this team are open. Wait until some have expired.")
    case .inviterNotFound: localized("Couldn't find the machine that issued the code. Check that it's on the same network, or specify its address with --address.")
    case .addressInvalid: localized("That isn't a valid address. Use HOST, HOST:PORT or [IPV6]:PORT.")
    case .requestInvalid: localized("That isn't a request from `baton team request` or `baton rendezvous request`. Use the file exactly as the command wrote it.")
    case .approvalInvalid: localized("This approval isn't for a request from this machine or its team. Use it on the machine that made the request.")
    case .backupInvalid: localized("That isn't a backup from `baton team backup`, or it's damaged. Use another copy.")
    case .passphraseTooShort: localized("The passphrase is too short. Use at least \(Limits.passphraseCharacters) characters, because anyone who finds the file can keep guessing.")
    case .passphraseWrong: localized("The passphrase is wrong, so nothing was changed. Try again.")
    case .passphraseNeeded: localized("The team's key is locked with a passphrase. Run `baton team unlock` on the admin machine to unlock it for \(Limits.unlockTime.components.seconds / 60) minutes.")
    case .teamRenewed: localized("The team was replaced on this machine with `baton team renew`. Use the new team, because you can't join the old one again.")
    case .notPermitted: localized("This user isn't allowed to do that. Do it as the user who owns the activity or the team, or as root.")
    case .limitReached: localized("This machine has reached a limit, for example on the number of activities, pending requests or machines in a team. Close or remove some, then try again.")
    case .screenLocked: localized("All of the user's sessions on that machine are locked. Unlock one, or set WithholdWhenLocked=no in batond.conf.")
    case .asleep: localized("The machine is going to sleep. Wake it to offer the activity again.")
    case .notEligible: localized("The app doesn't share this activity with other machines. Only the app can change that.")
    case .daemonUnreachable: localized("Can't connect to batond. Run `systemctl status batond` to see whether it's running.")
    case .busUnavailable: localized("Can't use the system's D-Bus. Check that it's running, and that batond is allowed to use it.")
    case .discoveryUnavailable: localized("Can't reach Avahi. Check that avahi-daemon is running.")
    case .interfaceExcluded: localized("No network interface of this machine is in use. Connect one, or add it to Interfaces= in batond.conf.")
    case .multicastBlocked: localized("Multicast DNS doesn't get through. Allow UDP port 5353 on both machines.")
    case .portClosed: localized("Other machines can't connect to this one. Open batond's TCP port in its firewall.")
    case .storageFailed: localized("Can't read or write the state directory. Run `sudo journalctl -u batond` to see why.")
    case .internalFailure: localized("Something failed inside batond. Run `sudo journalctl -u batond` to see why.")
    }
  }
}
