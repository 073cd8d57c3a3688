import Varlink

extension InterfaceDescription {
  /// `io.baton.Handoff`: the same bytes as Documentation/io.baton.Handoff.varlink, which a test compares; change both.
  package static let handoff = InterfaceDescription(
    name: "io.baton.Handoff",
    text: #"""
      # Handoff between the machines of a team, as this machine's daemon offers it to local programs.
      # ControlInterface.md explains each method; it is the same text for every client, ours and others.
      interface io.baton.Handoff

      # What somebody is doing. Absent members have their default: nothing, or false.
      type Activity (
        # A UUID. When publishing it may be left out: the daemon makes one.
        id: ?string,
        # A reverse domain name: org.example.reading
        activityType: string,
        title: ?string,
        # At most 3,072 bytes in the encoding of ControlInterface.md, "userInfo".
        userInfo: ?object,
        webpageURL: ?string,
        referrerURL: ?string,
        targetContentIdentifier: ?string,
        # Seconds since 1970-01-01 00:00:00 UTC
        expirationDate: ?float,
        # The app wants to be asked (willSave) when another machine fetches the activity.
        needsSave: ?bool,
        supportsContinuationStreams: ?bool,
        # False for one that is current and not for other machines
        isEligibleForHandoff: ?bool
      )

      # Another machine's current activity, as it is known before it is fetched.
      type Offer (
        id: string,
        activityType: string,
        title: ?string,
        supportsContinuationStreams: bool,
        # It has a page to show where no app takes the type, and whose page that is: its host, in small letters
        hasWebPage: ?bool,
        webpageHost: ?string,
        # A running program of the user takes the type.
        hasApplication: ?bool,
        # Name and ID of the device that offers it
        device: string,
        deviceID: string,
        # Team ID as people see it
        team: string,
        # session: told over an authenticated connection. advert: read from multicast.
        source: (session, advert)
      )

      type Peer (
        device: string,
        deviceID: string,
        team: string,
        state: (connected, connecting, unreachable),
        # Where it was reached last: HOST:PORT
        address: ?string,
        # Why it is not connected
        reason: ?Reason
      )

      # An address that a user named, and what came of dialling it.
      type StaticPeer (
        # HOST:PORT
        address: string,
        team: string,
        # thisMachine: the address is one of this machine's own.
        state: (connected, connecting, unreachable, thisMachine),
        # The device that answered there last
        device: ?string,
        # Why it is not connected
        reason: ?Reason
      )

      type Team (
        # 10 base-32 digits for people
        id: string,
        # SHA-256 of the key of the team, 64 hexadecimal digits
        fingerprint: string,
        name: string,
        # This machine can admit others.
        administrator: bool,
        # This machine's ID in the team
        deviceID: string,
        # Seconds since 1970-01-01 00:00:00 UTC at which this machine's certificate expires
        expires: float,
        # The team's key on this machine has a passphrase.
        passphrase: ?bool
      )

      type UnusableTeam (
        # Absent where that cannot be read either
        name: ?string,
        # The file that is at fault, and why, for people
        fault: string
      )

      # A device that this machine or another administrator has admitted to a team.
      type Device (
        # What it called itself; empty where it came with files and was not met since
        name: string,
        deviceID: string,
        # Serial number of its newest certificate, in hexadecimal digits
        serial: string,
        # Seconds since 1970-01-01 00:00:00 UTC
        admitted: float,
        # Absent where it was not removed
        revoked: ?float,
        # It has the team's key, too.
        administrator: ?bool
      )

      # Why something was refused, ended or is not offered. Documentation/Reasons.md explains each.
      type Reason (
        activityNotFound,
        activityWithdrawn,
        activityExpired,
        alreadyContinued,
        appTimedOut,
        superseded,
        nothingOffered,
        applicationNotFound,
        browserNotFound,
        launchFailed,
        launchTimedOut,
        activityTypeInvalid,
        titleTooLong,
        urlInvalid,
        userInfoInvalid,
        userInfoTooLarge,
        streamsNotSupported,
        streamNotFound,
        streamReset,
        streamInterrupted,
        streamLimitReached,
        peerNotFound,
        peerUnreachable,
        peerTimedOut,
        handshakeTimedOut,
        certificateMissing,
        certificateInvalid,
        certificateExpired,
        certificateRevoked,
        clockSkewed,
        otherTeam,
        notTLS,
        versionMismatch,
        protocolViolation,
        duplicateSession,
        sessionIdle,
        shuttingDown,
        tooManyConnections,
        teamNotFound,
        teamAmbiguous,
        teamNameInvalid,
        teamLimitReached,
        alreadyMember,
        notAdministrator,
        deviceAmbiguous,
        invitationInvalid,
        invitationUnknown,
        invitationForeign,
        invitationExpired,
        invitationUsed,
        invitationLimitReached,
        inviterNotFound,
        addressInvalid,
        requestInvalid,
        approvalInvalid,
        backupInvalid,
        passphraseTooShort,
        passphraseWrong,
        passphraseNeeded,
        teamRenewed,
        notPermitted,
        limitReached,
        screenLocked,
        asleep,
        notEligible,
        daemonUnreachable,
        busUnavailable,
        discoveryUnavailable,
        interfaceExcluded,
        multicastBlocked,
        portClosed,
        storageFailed,
        internalFailure
      )

      # How often what has happened since the daemon started: in the caller's teams; for root, on the whole
      # machine. Maps count by reason; what did not occur is absent from them.
      type Counters (
        sessionsBegun: int,
        sessionsEnded: [string]int,
        # Connections of other machines
        connectionsRefused: [string]int,
        # Attempts to reach other machines
        dialsFailed: [string]int,
        offersSent: int,
        offersReceived: int,
        # Activities of this machine that others continued / fetches that got none
        activitiesHandedOver: int,
        handOversRefused: [string]int,
        # Activities of other machines that were continued here / that did not come
        activitiesContinued: int,
        continuationsFailed: [string]int,
        streamsBegun: int,
        streamsCompleted: int,
        streamsBroken: [string]int,
        # Streams that went on over another session
        streamsResumed: int,
        streamBytesSent: int,
        streamBytesReceived: int,
        # New and changed ones
        advertsPublished: int,
        avahiReconnects: int,
        controlCalls: int,
        controlFailures: int
      )

      # Makes an activity the current one of the calling user, and keeps it alive: it is withdrawn when this connection
      # closes. Must be called with `more`. The first reply has the event `current`.
      #   current          It is offered now, or as soon as nothing withholds it (GetStatus).
      #   resigned         Another activity of the user, or nothing, is current now; `reason` says why.
      #   willSave         Another machine fetches it and needsSave was set: answer with UpdateActivity within 1 s.
      #   continued        It was continued on `device`, and is not offered any more.
      #   streamRequested  The machine that continued it wants a stream: answer with AcceptStream within 15 s.
      # `team` limits the offer to one team (its ID); otherwise all teams of the user see it.
      method BecomeCurrent(activity: Activity, team: ?string) -> (
        id: string,
        event: (current, resigned, willSave, continued, streamRequested),
        reason: ?Reason,
        device: ?string,
        stream: ?string
      )

      # Replaces the state of an activity that this user published; `activity.id` names it.
      method UpdateActivity(activity: Activity) -> ()

      # The activity is not current any more; it still exists, and streams of a continuation go on.
      method ResignCurrent(id: string) -> ()

      # What the other machines offer, the newest first. With `more`: the state now, then the whole state again at each change.
      method ListOffers(activityType: ?string, team: ?string) -> (offers: []Offer)

      # Takes an offer over: fetches the activity, and tells its origin. Where several devices offer it, `deviceID` says which is
      # meant; without it, it is the one that offered it first.
      method Continue(id: string, deviceID: ?string) -> (activity: Activity, device: string)

      # Says which activity types a program continues, for as long as the connection lasts. Must be called with `more`. The first
      # reply has the event `registered`; each `continueRequested` asks the program to call Continue with `id` and `deviceID`.
      method RegisterApplication(activityTypes: []string) -> (
        event: (registered, continueRequested),
        id: ?string,
        deviceID: ?string,
        activityType: ?string
      )

      # Lets an app continue the offer: the program that registered its type last, or one that the user's launcher starts. It
      # takes at most 20 s. `activationToken` is what lets an app that is started take the focus: the value of
      # XDG_ACTIVATION_TOKEN.
      method OpenOffer(id: string, deviceID: ?string, activationToken: ?string) -> ()

      # Makes the caller the program that starts the user's apps, for as long as the connection lasts; of several the newest
      # counts. Must be called with `more`. `activityTypes` are those that it has apps for; with `isIncomplete` there may be apps
      # for others. The first reply has the event `registered`; each `launchRequested` is an offer that the user opens and no
      # running program takes: answer with ReportLaunch.
      method RegisterLauncher(activityTypes: []string, isIncomplete: ?bool) -> (
        event: (registered, launchRequested),
        # Names the request
        launch: ?string,
        # The offer, whose it is, its type, and its Team ID as people see it
        id: ?string,
        deviceID: ?string,
        activityType: ?string,
        team: ?string,
        hasWebPage: ?bool,
        webpageHost: ?string,
        activationToken: ?string
      )

      # What became of a launchRequested event.
      #   launching  An app was started, which will register the type, or continue the offer.
      #   continued  The launcher has continued the offer itself.
      #   failed     Nothing takes it; `reason` says why.
      method ReportLaunch(launch: string, state: (launching, continued, failed), reason: ?Reason) -> ()

      # Opens a stream to the app whose activity this connection's user continued. Must be called with `upgrade`: after the
      # reply the connection is the stream's bytes, in both directions; shutting down writing ends one direction. With `awaits`
      # the program calls AwaitStream next, within 10 s: should it end before, the stream has broken.
      method OpenStream(activity: string, awaits: ?bool) -> (stream: string)

      # Accepts the stream of a streamRequested event. Must be called with `upgrade`, as OpenStream.
      method AcceptStream(stream: string, awaits: ?bool) -> (stream: string)

      # Waits until a stream is over. `reason` is absent where both directions were whole, and both apps have read everything:
      # the end of a socket alone does not tell a stream that broke from one that ended.
      method AwaitStream(stream: string) -> (reason: ?Reason)

      # The other machines of the user's teams that are known. With `more`: again at each change.
      method ListPeers() -> (peers: []Peer)

      # Names an address, HOST or HOST:PORT, at which a machine of the team is dialled where discovery does not find it. It is kept
      # until it is removed. `team` may be left out where the user has one team.
      method AddPeer(address: string, team: ?string) -> (peer: StaticPeer)

      # Undoes AddPeer, for all teams of the user where none is named; a session that is there stays.
      method RemovePeer(address: string, team: ?string) -> ()

      method ListStaticPeers() -> (peers: []StaticPeer)

      method GetStatus() -> (
        device: string,
        version: string,
        # Where peers reach this machine
        port: int,
        discovery: (running, connecting, disabled),
        teams: []Team,
        # The caller's current activity
        current: ?Activity,
        # Why it is held and not offered for now
        withheld: ?Reason,
        sessions: int,
        streams: int,
        counters: Counters
      )

      # The counters, and the present state, as text for Prometheus (exposition format 0.0.4).
      method GetMetrics() -> (text: string)

      # Walks the way from Avahi to an app's payload, and says of each part whether it is as it should be. Must be called with
      # `more`: one reply for each check, as it ends. `peer` is a machine's name, its Device ID or the first digits of it, or
      # HOST[:PORT]; without it every machine of the user's teams is looked at. It takes at most 20 s.
      method Diagnose(peer: ?string) -> (
        check: (daemon, team, certificate, bus, avahi, interfaces, multicast, port, peer, clock, continuation, application, offer),
        # failed: something is wrong, `reason` says what. skipped: could not be looked at. note: nothing is broken.
        outcome: (passed, failed, skipped, note),
        reason: ?Reason,
        # What was seen, for people
        detail: string,
        # What to do, for people
        advice: ?string
      )

      # With a passphrase the team's key is sealed.
      method CreateTeam(name: string, passphrase: ?string) -> (team: Team)

      # Makes a code that admits one machine within 15 minutes. `team` may be left out where the user has one team.
      method InviteDevice(team: ?string) -> (code: string, expires: float)

      # Joins with a code, over the network. Without an address the machine that gave it out is looked for; with one, it is
      # dialled there from then on. `replaces` is the ID of a team that the code's team is to replace (RenewTeam).
      method JoinTeam(code: string, address: ?string, replaces: ?string) -> (team: Team)

      # The offline way: a request made here is approved on the team's machine, and the approval imported here.
      method RequestMembership() -> (request: string)
      method ApproveRequest(request: string, team: ?string) -> (approval: string, team: Team)
      method ImportApproval(approval: string) -> (team: Team)

      # `unusable`: those whose files are on this machine and cannot be used; absent where there are none.
      method ListTeams() -> (teams: []Team, unusable: ?[]UnusableTeam)

      # The devices that were admitted to a team, the oldest first, those that were removed among them.
      method ListDevices(team: ?string) -> (devices: []Device)

      # Removes a device from a team for good: no machine of the team takes it any more, as soon as it hears of it. `device` is
      # its name or the begin of its ID, at least 4 digits. `already`: it was removed before, and nothing changed.
      method RevokeDevice(device: string, team: ?string) -> (device: Device, already: bool)

      # Gives a device of the team, which must be connected, the team's key: it can admit and remove then, as this machine.
      method PromoteDevice(device: string, team: ?string) -> (device: Device)

      # Makes a team with a key of its own in the place of one, which the caller leaves; root takes all its users along. Machines
      # of the old team enter it with JoinTeam, `replaces` and the code, which is good for an hour and for all of them.
      method RenewTeam(team: ?string, passphrase: ?string) -> (team: Team, replaced: string, code: string, expires: float)

      # Opens the team's key for 15 minutes where it has a passphrase: InviteDevice, ApproveRequest, RevokeDevice, PromoteDevice
      # and SetPassphrase fail with passphraseNeeded otherwise. SetPassphrase without one takes it away.
      method UnlockTeam(team: ?string, passphrase: string) -> (team: Team)
      method SetPassphrase(team: ?string, passphrase: ?string) -> (team: Team)

      # What makes this machine this device of the team, sealed with a passphrase: keep both apart. For the only user here whose
      # team it is, and for root. `team` may be left out where the user has one team.
      method BackUpTeam(team: ?string, passphrase: string) -> (backup: string, team: Team)

      # Brings a team back from a backup: it is the caller's; where root calls, those users' whose it was. With `checkOnly` nothing
      # is changed. `device` is the name of the machine that made the backup, and `made` when, in seconds since 1970-01-01 00:00:00 UTC.
      method RestoreTeam(backup: string, passphrase: string, checkOnly: ?bool) -> (team: Team, device: string, made: float)

      # Forgets the team, its keys and its peers on this machine.
      method LeaveTeam(team: string) -> ()

      # Everything of this interface that fails, fails with this error: a reason from the list, and one sentence for people.
      error Failed (reason: Reason, message: string)

      """#
  )
}
