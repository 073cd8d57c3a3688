import Varlink

extension InterfaceDescription {
  /// `io.baton.Handoff`. Scripts/embed-interface made this from Documentation/io.baton.Handoff.varlink.
  /// Edit that file.
  package static let handoff = InterfaceDescription(
    name: "io.baton.Handoff",
    text: #"""
      # Handoff between the machines of a team, as the daemon of this machine offers it to local programs.
      # ControlInterface.md explains each method.
      interface io.baton.Handoff

      # What a user is doing. An absent member has its default: nothing, or false, but true for isEligibleForHandoff.
      type Activity (
        # A UUID. If it is absent when you publish the activity, the daemon creates one.
        id: ?string,
        # A reverse domain name: org.example.reading
        activityType: string,
        title: ?string,
        # At most 3,072 bytes in the encoding of ControlInterface.md, "userInfo".
        userInfo: ?object,
        webpageURL: ?string,
        referrerURL: ?string,
        targetContentIdentifier: ?string,
        # The app's own name for the content: at most 1,024 bytes
        persistentIdentifier: ?string,
        # Seconds since 1970-01-01 00:00:00 UTC
        expirationDate: ?float,
        # Whether the app wants the event willSave when another machine fetches the activity
        needsSave: ?bool,
        supportsContinuationStreams: ?bool,
        # False if the activity is current but not meant for other machines
        isEligibleForHandoff: ?bool
      )

      # Another machine's current activity, or one that it sends to this machine, as it is known before it is fetched.
      type Offer (
        id: string,
        activityType: string,
        title: ?string,
        supportsContinuationStreams: bool,
        # Whether there is a page to show if no app takes the type, and the page's host in lower case
        hasWebPage: ?bool,
        webpageHost: ?string,
        # Whether a running program of the user takes the type
        hasApplication: ?bool,
        # The name and the ID of the device that offers the activity
        device: string,
        deviceID: string,
        # The Team ID as people see it
        team: string,
        # session: received over an authenticated connection. advert: received by multicast, so it is only a hint.
        source: (session, advert),
        # Differs each time the offer appears again after it was withdrawn or taken
        generation: ?int,
        # Whether it is offered to this machine alone, because a person sent it here
        isSent: ?bool,
        # Whether a program of the user has the same here, as far as type, title and host tell, or has just handed it over to
        # that device
        isHere: ?bool
      )

      # What distinguishes an offer for the person who decides about it
      type ShownOffer (
        activityType: string,
        title: ?string,
        webpageHost: ?string
      )

      type Peer (
        # What the device calls itself. If another device of the team had that name first, the first digits of the ID follow.
        device: string,
        deviceID: string,
        team: string,
        state: (connected, connecting, unreachable),
        # The address at which the machine was last reached: HOST:PORT
        address: ?string,
        # Why the machine is not connected
        reason: ?Reason,
        # How the session reaches the machine: over a link, a router, an address learned from a server or a zone, or a relay
        path: ?(link, routed, rendezvous, relay),
        # The time of a round trip, in milliseconds
        roundTrip: ?float,
        # What the device calls itself, if that is not `device`
        claim: ?string,
        # Since when there is no session with the machine, in seconds since 1970-01-01 00:00:00 UTC. Absent if there is one, or
        # if there never was
        awaySince: ?int
      )

      # Where the devices of a team meet if they share no network.
      type Rendezvous (
        team: string,
        name: string,
        # NATS servers, HOST:PORT, and relays, relay://HOST:PORT/?id=ID
        servers: []string,
        relays: []string,
        # The DNS zone that holds addresses
        zone: ?string,
        state: (ready, connecting, waiting, off),
        # The server to which this machine is, or was, connected, and why the connection has failed
        server: ?string,
        problem: ?string,
        # How many other devices of the team are there
        devices: int,
        # When what lets this machine in ends: seconds since 1970-01-01 00:00:00 UTC
        expires: ?float,
        # Whether this machine can make it for other devices, and whether the team runs the servers itself
        isAdministrator: bool,
        runsServers: bool
      )

      # An address that a user added, and the result of dialling it.
      type StaticPeer (
        # HOST:PORT
        address: string,
        team: string,
        # thisMachine: the address is one of this machine's own.
        state: (connected, connecting, unreachable, thisMachine),
        # The name of the device that last answered there
        device: ?string,
        # Why the machine is not connected
        reason: ?Reason
      )

      type Team (
        # 10 base-32 digits for people
        id: string,
        # The SHA-256 hash of the team's key, as 64 hexadecimal digits
        fingerprint: string,
        name: string,
        # Whether this machine can admit others
        administrator: bool,
        # This machine's ID in the team
        deviceID: string,
        # When this machine's certificate expires, in seconds since 1970-01-01 00:00:00 UTC
        expires: float,
        # Whether the team's key on this machine has a passphrase
        passphrase: ?bool
      )

      type UnusableTeam (
        # Absent if the name cannot be read either
        name: ?string,
        # The faulty file and what is wrong with it, for people
        fault: string
      )

      # A device that this machine or another administrator has admitted to a team.
      type Device (
        # The name that the device gave itself; empty if it joined with files and has not connected since
        name: string,
        deviceID: string,
        # The serial number of its newest certificate, in hexadecimal digits
        serial: string,
        # Seconds since 1970-01-01 00:00:00 UTC
        admitted: float,
        # Absent if the device was not removed
        revoked: ?float,
        # Whether the device has the team's key, too
        administrator: ?bool
      )

      # A team for which the caller exchanges its search index.
      type IndexTeam (
        # The Team ID as people see it
        id: string,
        name: string,
        # This machine's ID in the team
        deviceID: string,
        # The IDs of the devices that were removed from the team
        removed: []string
      )

      # A folder that several machines have under one name, each at its own path
      type SharedFolder (
        name: string,
        # Its absolute path on this machine
        path: string
      )

      # Why something was refused, ended or is not offered. Documentation/Reasons.md explains each.
      type Reason (
        activityNotFound,
        activityWithdrawn,
        activityExpired,
        activityChanged,
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
        persistentIdentifierInvalid,
        entryNotFound,
        expressionInvalid,
        indexUnavailable,
        transferNotFound,
        filesUnavailable,
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
        teamLeft,
        tooManyConnections,
        rendezvousUnreachable,
        rendezvousRefused,
        operatorNotFound,
        operatorAmbiguous,
        rendezvousExists,
        teamNotFound,
        teamAmbiguous,
        teamNameInvalid,
        teamLimitReached,
        alreadyMember,
        notAdministrator,
        deviceAmbiguous,
        nameTaken,
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

      # How many times things have happened since the daemon started: in the caller's teams or, for root, on the whole
      # machine. Maps count by reason. Reasons that did not occur are absent.
      type Counters (
        sessionsBegun: int,
        sessionsEnded: [string]int,
        # Connections of other machines
        connectionsRefused: [string]int,
        # Attempts to reach other machines
        dialsFailed: [string]int,
        offersSent: int,
        offersReceived: int,
        # Activities of this machine that others continued
        activitiesHandedOver: int,
        # Fetches by other machines that received no activity
        handOversRefused: [string]int,
        # Activities of other machines that were continued here
        activitiesContinued: int,
        # Activities of other machines that were requested here and did not arrive
        continuationsFailed: [string]int,
        streamsBegun: int,
        streamsCompleted: int,
        streamsBroken: [string]int,
        # Streams that continued over another session
        streamsResumed: int,
        streamBytesSent: int,
        streamBytesReceived: int,
        # New and changed adverts
        advertsPublished: int,
        avahiReconnects: int,
        rendezvousSessions: int,
        rendezvousFailures: int,
        relayedSessions: int,
        controlCalls: int,
        controlFailures: int
      )

      # Makes an activity the calling user's current one. It is withdrawn when this connection closes. Call with `more`. The
      # first reply has the event `current`.
      #   current          The activity is offered now, or as soon as nothing withholds it (GetStatus).
      #   resigned         Another activity of the user, or none, is current now. `reason` says why.
      #   willSave         Another machine fetches the activity, and needsSave was true. Call UpdateActivity within 3 s.
      #   continued        The activity was continued on `device`, and is no longer offered.
      #   streamRequested  The machine that continued the activity wants a stream. Call AcceptStream within 15 s.
      # `team` is the ID of the only team that sees the activity. Without it, all teams of the user see the activity.
      #
      # A title that is too long or has several lines is repaired. An address over 2,048 bytes is left out, and `omitted` of the
      # first reply names the member. If the activity is nothing but that page, the call fails with `urlInvalid`.
      method BecomeCurrent(activity: Activity, team: ?string) -> (
        id: string,
        event: (current, resigned, willSave, continued, streamRequested),
        reason: ?Reason,
        device: ?string,
        stream: ?string,
        omitted: ?[]string
      )

      # Offers an activity to one device, beside the calling user's current activity. It is withdrawn when this connection
      # closes. Call with `more`. The first reply has the event `sent`. The other events are those of BecomeCurrent.
      #   sent             The activity is offered to the device, or will be as soon as there is a session with it.
      #   resigned         The activity is no longer offered. `reason` says why.
      # `deviceID` is the ID of a device of a team of the user. `team` is needed only if the device is in several of them.
      method SendActivity(activity: Activity, deviceID: string, team: ?string) -> (
        id: string,
        event: (sent, resigned, willSave, continued, streamRequested),
        reason: ?Reason,
        device: ?string,
        stream: ?string,
        omitted: ?[]string
      )

      # Replaces the state of an activity that this user published or sent. `activity.id` is its ID. `omitted` is as for
      # BecomeCurrent.
      method UpdateActivity(activity: Activity) -> (omitted: ?[]string)

      # Ends the offer of an activity. The activity, and streams of its continuation, remain.
      method ResignCurrent(id: string) -> ()

      # Lists what the other machines offer, the newest first. With `more`, lists all of it again at each change.
      method ListOffers(activityType: ?string, team: ?string) -> (offers: []Offer)

      # Takes over an offer: fetches the activity, and tells its origin. If several devices offer it, `deviceID` says which one
      # to fetch it from. Without `deviceID`, it is fetched from the device that offered it first. `shown` is as for OpenOffer.
      #
      # `origin` is `local` for what a program of this user on this machine has made (OpenActivity), and otherwise the ID of the
      # device that it comes from. Without it, the activity comes from another machine, and names no files of this one.
      method Continue(id: string, deviceID: ?string, shown: ?ShownOffer) -> (activity: Activity, device: string, origin: ?string)

      # Registers the activity types that a program continues, for as long as the connection lasts. `application` is the name
      # under which OpenActivity finds the program, at most 255 bytes. Call with `more`. The first reply has the event
      # `registered`. At each `continueRequested`, call Continue with `id` and `deviceID`.
      method RegisterApplication(activityTypes: []string, application: ?string) -> (
        event: (registered, continueRequested),
        id: ?string,
        deviceID: ?string,
        activityType: ?string,
        # The title of the offer that the user opened
        title: ?string,
        # Present if the activity is for this program by its name, whatever types it continues
        application: ?string,
        # The host of the page that was offered, if there is one. Do not open a page of another host.
        webpageHost: ?string,
        # As in OpenOffer, for a program that is to come to the front
        activationToken: ?string
      )

      # Lets an app continue an offer: the program that last registered its type, or one that the user's launcher starts. This
      # takes at most 20 s. `activationToken` is the value of XDG_ACTIVATION_TOKEN, which lets a started app take the focus.
      # `shown` is what the person was shown. If the offer is something else by now, the call fails with `activityChanged`.
      method OpenOffer(id: string, deviceID: ?string, activationToken: ?string, shown: ?ShownOffer) -> ()

      # Lets an app of the user on this machine continue `activity`, whose `id` is ignored. The first of these gets it: the
      # program that last registered as `application`; the app of that name, which the user's launcher starts; and then as for
      # OpenOffer. Without `application`, it is as for OpenOffer. The type com.apple.corespotlightitem is for the named app only.
      # This takes at most 20 s. The app calls Continue within 30 s, once.
      #
      # `origin` says where the activity came from, as for Continue. Unless it is `local`, `application` is ignored, and the type
      # com.apple.corespotlightitem is refused.
      method OpenActivity(activity: Activity, application: ?string, origin: ?string, activationToken: ?string) -> ()

      # Makes the caller the program that starts the user's apps, for as long as the connection lasts. If there are several,
      # the newest is used. Call with `more`. `activityTypes` are the types that the caller has apps for. With `isIncomplete`,
      # there may be apps for other types. The first reply has the event `registered`. Each `launchRequested` is an offer that
      # the user opens and no running program takes. Answer it with ReportLaunch. If it has an `application`, start the app of
      # that name or none.
      method RegisterLauncher(activityTypes: []string, isIncomplete: ?bool) -> (
        event: (registered, launchRequested),
        # The name of the request, for ReportLaunch
        launch: ?string,
        # The activity, the device that offers it, its type, and the Team ID as people see it. Without `deviceID` and `team`, it
        # is an activity of this machine (OpenActivity).
        id: ?string,
        deviceID: ?string,
        activityType: ?string,
        application: ?string,
        team: ?string,
        hasWebPage: ?bool,
        webpageHost: ?string,
        activationToken: ?string
      )

      # Reports the outcome of a launchRequested event.
      #   launching  An app was started. It will register the type or continue the offer.
      #   continued  The launcher has continued the offer itself.
      #   failed     Nothing takes the offer. `reason` says why.
      method ReportLaunch(launch: string, state: (launching, continued, failed), reason: ?Reason) -> ()

      # Opens a stream to the app whose activity the calling user continued. Call with `upgrade`. After the reply, the
      # connection carries the bytes of the stream in both directions. To end one direction, shut down writing. With `awaits`,
      # the program calls AwaitStream within 10 s. If the program ends before that, the stream counts as broken.
      method OpenStream(activity: string, awaits: ?bool) -> (stream: string)

      # Accepts the stream of a streamRequested event. Call with `upgrade`, as for OpenStream.
      method AcceptStream(stream: string, awaits: ?bool) -> (stream: string)

      # Waits until a stream is over. `reason` is absent if both directions were complete and both apps have read everything.
      # The end of a socket alone does not distinguish a stream that broke from one that ended.
      method AwaitStream(stream: string) -> (reason: ?Reason)

      # Makes the caller the program that exchanges the user's search index with other machines, for as long as the connection
      # lasts. A newer registration of the user ends it with the reason `superseded`. Call with `more`. The first reply has the
      # event `registered`.
      #   teams    `teams` are all teams for which the caller speaks: at the beginning and when they change.
      #   peer     A session with a device of such a team has begun or ended, or the device has another name.
      #   message  The program that has registered on that device has sent `message`.
      method RegisterIndex() -> (
        event: (registered, teams, peer, message),
        teams: ?[]IndexTeam,
        # The names of teams that cannot be used: `ShareWith=` means no other team by them
        unusable: ?[]string,
        # The Team ID as people see it, the device's ID and its name
        team: ?string,
        deviceID: ?string,
        device: ?string,
        connected: ?bool,
        message: ?object
      )

      # Sends a message to the program that has called RegisterIndex on another machine. `message` has at most 12,288 bytes and
      # 11 levels. It is dropped if the other machine has no such program, or is busy.
      method SendIndexMessage(team: string, deviceID: string, message: object) -> ()

      # Lists the known other machines of the user's teams. With `more`, lists all of them again at each change. `away` lists
      # those that were met, perhaps before the daemon was started, and are not found now.
      method ListPeers() -> (peers: []Peer, away: ?[]Peer)

      # Gives a device the name that it calls itself, though another device had it first. That one is `former`. If it still
      # calls itself so, the digits of its ID follow its name from then on. `team` is needed only if the device is in several
      # teams of the user.
      method AcceptName(deviceID: string, team: ?string) -> (device: string, deviceID: string, team: string, former: ?string)

      # Adds an address, HOST or HOST:PORT, at which to dial a machine of the team if discovery does not find it. The address is
      # kept until it is removed. `team` is optional if the user has only one team.
      method AddPeer(address: string, team: ?string) -> (peer: StaticPeer)

      # Undoes AddPeer, for all teams of the user if `team` is absent. An existing session stays.
      method RemovePeer(address: string, team: ?string) -> ()

      # Lists the addresses that were added for the user's teams.
      method ListStaticPeers() -> (peers: []StaticPeer)

      # Lists where the devices of the user's teams meet if they share no network.
      method ListRendezvous() -> (teams: []Rendezvous)

      # Makes keys and configuration for servers, for a team of which this machine is an administrator, or for the teams of an
      # organization. `servers` and `relays` are HOST or HOST:PORT. The keys in `files` are secret. If there are servers
      # already, `replace` must be true.
      method CreateRendezvous(
        servers: []string,
        relays: []string,
        team: ?string,
        organization: ?string,
        replace: ?bool
      ) -> (files: [](name: string, content: string))

      # Asks an organization to let a team use its servers. The request is JSON text, and not secret.
      method RequestRendezvous(team: ?string, replace: ?bool) -> (request: string)

      # Lets a team use an organization's servers. `problem` says why the servers could not be told.
      method AuthorizeRendezvous(request: string, organization: ?string) -> (approval: string, team: string, problem: ?string)

      # Makes the devices of a team meet at an organization's servers that have accepted the team.
      method ImportRendezvous(approval: string, team: ?string) -> (rendezvous: Rendezvous)

      # Keeps the addresses of a team's devices in a DNS zone, sealed. The key is for TSIG with HMAC-SHA256, in base 64.
      method SetZone(zone: ?(name: string, server: string, keyName: string, key: string), team: ?string) -> (
        rendezvous: Rendezvous
      )

      # Makes the devices of a team meet only on their networks.
      method RemoveRendezvous(team: ?string) -> ()

      # Returns what the daemon is and does, as far as the caller is allowed to see it.
      method GetStatus() -> (
        device: string,
        version: string,
        # The port at which peers reach this machine
        port: int,
        discovery: (running, muted, connecting, disabled),
        teams: []Team,
        # The caller's current activity
        current: ?Activity,
        # Why the current activity is not offered at the moment
        withheld: ?Reason,
        sessions: int,
        streams: int,
        counters: Counters
      )

      # Lists the folders of the configuration that this machine shares with others under one name, sorted by name. They are
      # the same for all users; whether the caller can read a folder is up to the file system.
      method ListSharedFolders() -> (folders: []SharedFolder)

      # Returns the counters and the current state as text for Prometheus (exposition format 0.0.4).
      method GetMetrics() -> (text: string)

      # Checks everything on the way from Avahi to an app's payload. Call with `more`. There is one reply for each check, when
      # the check ends. `peer` is the name of a machine, its Device ID or a prefix of it, or HOST[:PORT]. Without `peer`, all
      # machines of the user's teams are checked. This takes at most 20 s.
      method Diagnose(peer: ?string) -> (
        check: (
          daemon, team, certificate, bus, avahi, interfaces, multicast, port, rendezvous, peer, clock, continuation, application,
          offer, search, browser, shell, editor, clipboard, files, notifications
        ),
        # failed: something is wrong; `reason` says what. skipped: the check was impossible. note: nothing is broken.
        outcome: (passed, failed, skipped, note),
        reason: ?Reason,
        # What was seen, for people
        detail: string,
        # What to do, for people
        advice: ?string
      )

      # Creates a team. `passphrase` seals the team's key.
      method CreateTeam(name: string, passphrase: ?string) -> (team: Team)

      # Creates a code that admits one machine within 15 minutes. `team` is optional if the user has only one team.
      method InviteDevice(team: ?string) -> (code: string, expires: float)

      # Joins a team with a code, over the network. Without `address`, the daemon searches for the machine that gave out the
      # code. With it, that machine is dialled there from then on. `replaces` is the ID of a team that the code's team must
      # replace (RenewTeam).
      method JoinTeam(code: string, address: ?string, replaces: ?string) -> (team: Team)

      # Joins a team offline: RequestMembership creates a request here, ApproveRequest approves it on the team's machine, and
      # ImportApproval joins the team here.
      method RequestMembership() -> (request: string)
      method ApproveRequest(request: string, team: ?string) -> (approval: string, team: Team)
      method ImportApproval(approval: string) -> (team: Team)

      # Lists the caller's teams. `unusable` lists the teams whose files on this machine cannot be used; absent if there are
      # none.
      method ListTeams() -> (teams: []Team, unusable: ?[]UnusableTeam)

      # Lists the devices that were admitted to a team, the oldest first, including those that were removed.
      method ListDevices(team: ?string) -> (devices: []Device)

      # Removes a device from a team permanently. Each machine of the team refuses the device as soon as it learns of this.
      # `device` is the name of the device or a prefix of its ID with at least 4 digits. `already` is true if the device was
      # removed before, so that nothing changed.
      method RevokeDevice(device: string, team: ?string) -> (device: Device, already: bool)

      # Gives the team's key to a connected device of the team, which can then admit and remove devices, too.
      method PromoteDevice(device: string, team: ?string) -> (device: Device)

      # Replaces a team with a new team that has its own key. The caller leaves the old team; if the caller is root, all its
      # users do. Machines of the old team join with JoinTeam, `replaces` and the code, which is valid for an hour and for all
      # of them.
      method RenewTeam(team: ?string, passphrase: ?string) -> (team: Team, replaced: string, code: string, expires: float)

      # Unlocks a team's key that has a passphrase for 15 minutes. Otherwise, InviteDevice, ApproveRequest, RevokeDevice,
      # PromoteDevice and SetPassphrase fail with passphraseNeeded. SetPassphrase without `passphrase` removes the passphrase.
      method UnlockTeam(team: ?string, passphrase: string) -> (team: Team)
      method SetPassphrase(team: ?string, passphrase: ?string) -> (team: Team)

      # Returns everything that makes this machine its device of the team, sealed with a passphrase. Keep the two apart. Only
      # root and the team's only user on this machine can call this. `team` is optional if the user has only one team.
      method BackUpTeam(team: ?string, passphrase: string) -> (backup: string, team: Team)

      # Restores a team from a backup, for the caller. If the caller is root, the team is restored for its former users. With
      # `checkOnly`, nothing changes. `device` is the name of the machine that made the backup. `made` is the time at which it was
      # made, in seconds since 1970-01-01 00:00:00 UTC.
      method RestoreTeam(backup: string, passphrase: string, checkOnly: ?bool) -> (team: Team, device: string, made: float)

      # Removes a team, its keys and its peers from this machine.
      method LeaveTeam(team: string) -> ()

      # The error of every call of this interface that fails: a reason from the list, and one sentence for people.
      error Failed (reason: Reason, message: string)

      """#
  )
}
