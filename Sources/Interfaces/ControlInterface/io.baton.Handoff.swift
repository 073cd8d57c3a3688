// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// Scripts/make-interfaces made this from Documentation/reference/io.baton.Handoff.varlink. Edit that file.

import Activity
import JSONCoding
import Varlink

/// Something that a user is doing. An absent member has its default: nothing or false, but true for
/// isEligibleForHandoff.
package struct ControlActivity: Structure {
  /// A UUID. If it is absent when you publish the activity, the daemon creates one.
  package var id: ActivityID?
  /// A reverse domain name: org.example.reading
  package var activityType: String
  package var title: String?
  /// At most 3,072 bytes in the encoding of ControlInterface.md, "userInfo".
  @Coded<JSONObject?> package var userInfo: JSON?
  package var webpageURL: String?
  package var referrerURL: String?
  package var targetContentIdentifier: String?
  /// The app's own identifier of the content: at most 1,024 bytes
  package var persistentIdentifier: String?
  /// Seconds since 1970-01-01 00:00:00 UTC
  package var expirationDate: Double?
  /// Whether the app wants the event willSave when another machine fetches the activity
  @Coded<FalseByDefault> package var needsSave: Bool
  @Coded<FalseByDefault> package var supportsContinuationStreams: Bool
  /// False if the activity is current but not meant for other machines
  @Coded<TrueByDefault> package var isEligibleForHandoff: Bool

  package init(
    id: ActivityID? = nil,
    activityType: String,
    title: String? = nil,
    userInfo: JSON? = nil,
    webpageURL: String? = nil,
    referrerURL: String? = nil,
    targetContentIdentifier: String? = nil,
    persistentIdentifier: String? = nil,
    expirationDate: Double? = nil,
    needsSave: Bool = false,
    supportsContinuationStreams: Bool = false,
    isEligibleForHandoff: Bool = true
  ) {
    self.id = id
    self.activityType = activityType
    self.title = title
    self.userInfo = userInfo
    self.webpageURL = webpageURL
    self.referrerURL = referrerURL
    self.targetContentIdentifier = targetContentIdentifier
    self.persistentIdentifier = persistentIdentifier
    self.expirationDate = expirationDate
    self.needsSave = needsSave
    self.supportsContinuationStreams = supportsContinuationStreams
    self.isEligibleForHandoff = isEligibleForHandoff
  }
}

/// Another machine's current activity, or one that it sends to this machine, in the form known before it is fetched.
package struct ControlOffer: Structure {
  package enum Source: String, CaseIterable, Codable, Sendable {
    case session
    case advert
  }

  package var id: ActivityID
  package var activityType: String
  package var title: String?
  package var supportsContinuationStreams: Bool
  /// Whether there is a page to show if no app handles the type, and the page's host in lower case
  @Coded<FalseByDefault> package var hasWebPage: Bool
  package var webpageHost: String?
  /// Whether one of the user's running programs handles the type
  @Coded<FalseByDefault> package var hasApplication: Bool
  /// The name and the ID of the device that offers the activity
  package var device: String
  package var deviceID: DeviceID
  /// The Team ID as users see it
  package var team: String
  /// session: received over an authenticated connection. advert: received by multicast, so it is only a hint.
  package var source: Source
  /// Changes each time the offer reappears after it was withdrawn or continued
  package var generation: Int?
  /// Whether it is offered to this machine alone, because a user sent it here
  @Coded<FalseByDefault> package var isSent: Bool
  /// Whether one of the user's programs here has the same activity (judging by type, title and host), or has just
  /// handed
  /// it off to that device
  @Coded<FalseByDefault> package var isHere: Bool

  package init(
    id: ActivityID,
    activityType: String,
    title: String? = nil,
    supportsContinuationStreams: Bool,
    hasWebPage: Bool = false,
    webpageHost: String? = nil,
    hasApplication: Bool = false,
    device: String,
    deviceID: DeviceID,
    team: String,
    source: Source,
    generation: Int? = nil,
    isSent: Bool = false,
    isHere: Bool = false
  ) {
    self.id = id
    self.activityType = activityType
    self.title = title
    self.supportsContinuationStreams = supportsContinuationStreams
    self.hasWebPage = hasWebPage
    self.webpageHost = webpageHost
    self.hasApplication = hasApplication
    self.device = device
    self.deviceID = deviceID
    self.team = team
    self.source = source
    self.generation = generation
    self.isSent = isSent
    self.isHere = isHere
  }
}

package struct ControlPeer: Structure {
  package enum State: String, CaseIterable, Codable, Sendable {
    case connected
    case connecting
    case unreachable
  }

  package enum Path: String, CaseIterable, Codable, Sendable {
    case link
    case routed
    case rendezvous
    case relay
  }

  /// The device's name. If another device of the team had that name first, the first digits of the ID follow.
  package var device: String
  package var deviceID: DeviceID
  package var team: String
  package var state: State
  /// The address at which the machine was last reached: HOST:PORT
  package var address: String?
  /// Why the machine is not connected
  package var reason: Reason?
  /// How the session reaches the machine: over a link, a router, an address learned from a server, or a relay
  package var path: Path?
  /// The round-trip time, in milliseconds
  package var roundTrip: Double?
  /// The device's own name for itself, if that is not `device`
  package var claim: String?
  /// The time when the machine's last session ended, in seconds since 1970-01-01 00:00:00 UTC. Absent if it has a
  /// session, or never had one
  package var awaySince: Int64?

  package init(
    device: String,
    deviceID: DeviceID,
    team: String,
    state: State,
    address: String? = nil,
    reason: Reason? = nil,
    path: Path? = nil,
    roundTrip: Double? = nil,
    claim: String? = nil,
    awaySince: Int64? = nil
  ) {
    self.device = device
    self.deviceID = deviceID
    self.team = team
    self.state = state
    self.address = address
    self.reason = reason
    self.path = path
    self.roundTrip = roundTrip
    self.claim = claim
    self.awaySince = awaySince
  }
}

/// The servers that a team's devices connect through if they are on different networks.
package struct ControlRendezvous: Structure {
  package enum State: String, CaseIterable, Codable, Sendable {
    case ready
    case connecting
    case waiting
    case off
  }

  package var team: String
  package var name: String
  /// NATS servers, HOST:PORT, and relays, relay://HOST:PORT/?id=ID
  package var servers: [String]
  package var relays: [String]
  package var state: State
  /// The server that this machine is or was connected to, and why the connection has failed
  package var server: String?
  package var problem: String?
  /// The number of the team's other devices at the servers
  package var devices: Int64
  /// When this machine's access expires: seconds since 1970-01-01 00:00:00 UTC
  package var expires: Double?
  /// Whether this machine can grant access to other devices, and whether the team runs the servers itself
  package var isAdministrator: Bool
  package var runsServers: Bool

  package init(
    team: String,
    name: String,
    servers: [String],
    relays: [String],
    state: State,
    server: String? = nil,
    problem: String? = nil,
    devices: Int64,
    expires: Double? = nil,
    isAdministrator: Bool,
    runsServers: Bool
  ) {
    self.team = team
    self.name = name
    self.servers = servers
    self.relays = relays
    self.state = state
    self.server = server
    self.problem = problem
    self.devices = devices
    self.expires = expires
    self.isAdministrator = isAdministrator
    self.runsServers = runsServers
  }
}

/// An address that a user added, and the result of dialing it.
package struct ControlStaticPeer: Structure {
  package enum State: String, CaseIterable, Codable, Sendable {
    case connected
    case connecting
    case unreachable
    case thisMachine
  }

  /// HOST:PORT
  package var address: String
  package var team: String
  /// thisMachine: the address is one of this machine's own.
  package var state: State
  /// The name of the device that last answered there
  package var device: String?
  /// Why the machine is not connected
  package var reason: Reason?

  package init(
    address: String,
    team: String,
    state: State,
    device: String? = nil,
    reason: Reason? = nil
  ) {
    self.address = address
    self.team = team
    self.state = state
    self.device = device
    self.reason = reason
  }
}

package struct ControlUnusableTeam: Structure {
  /// Absent if the name cannot be read either
  package var name: String?
  /// The faulty file and what is wrong with it, to show to users
  package var fault: String

  package init(
    name: String? = nil,
    fault: String
  ) {
    self.name = name
    self.fault = fault
  }
}

/// A device that this machine or another administrator has admitted to a team.
package struct ControlDevice: Structure {
  /// The device's own name for itself; empty if it joined with files and has not connected since
  package var name: String
  package var deviceID: DeviceID
  /// The serial number of its newest certificate, in hexadecimal digits
  package var serial: String
  /// Seconds since 1970-01-01 00:00:00 UTC
  package var admitted: Double
  /// Absent if the device was not removed
  package var revoked: Double?
  /// Whether the device also has the team's key
  @Coded<FalseByDefault> package var administrator: Bool

  package init(
    name: String,
    deviceID: DeviceID,
    serial: String,
    admitted: Double,
    revoked: Double? = nil,
    administrator: Bool = false
  ) {
    self.name = name
    self.deviceID = deviceID
    self.serial = serial
    self.admitted = admitted
    self.revoked = revoked
    self.administrator = administrator
  }
}

/// A team for which the caller exchanges its search index.
package struct IndexTeam: Structure {
  /// The Team ID as users see it
  package var id: String
  package var name: String
  /// This machine's ID in the team
  package var deviceID: DeviceID
  /// The IDs of the devices that were removed from the team
  package var removed: [DeviceID]

  package init(
    id: String,
    name: String,
    deviceID: DeviceID,
    removed: [DeviceID]
  ) {
    self.id = id
    self.name = name
    self.deviceID = deviceID
    self.removed = removed
  }
}

/// A folder that machines share under one name, each at its own path
package struct ControlSharedFolder: Structure {
  package var name: String
  /// Its absolute path on this machine
  package var path: String

  package init(
    name: String,
    path: String
  ) {
    self.name = name
    self.path = path
  }
}

/// Makes an activity the calling user's current one. It is withdrawn when this connection closes. Call with `more`. The
/// first reply has the event `current`.
///   current          The activity is now offered, or will be as soon as nothing withholds it (GetStatus).
///   resigned         The user now has a different current activity, or none. `reason` explains why.
///   willSave         Another machine is fetching the activity, and needsSave was true. Call UpdateActivity within 3 s.
///   continued        The activity was continued on `device`, and is no longer offered.
///   streamRequested  The machine that continued the activity, in the team `team`, wants a stream. Call AcceptStream
///                    within 15 s.
/// `team` is the ID of the only team that sees the activity. Without it, all teams of the user see the activity.
///
/// Titles that are too long or contain line breaks are repaired. An address of more than 2,048 bytes is left out, and
/// `omitted` of the first reply names the member. If the activity consists only of that page, the call fails with
/// `urlInvalid`.
package enum BecomeCurrent: Method {
  package static let name = "io.baton.Handoff.BecomeCurrent"
  package static let requiredMode: Call.Mode? = .more

  package enum Event: String, CaseIterable, Codable, Sendable {
    case current
    case resigned
    case willSave
    case continued
    case streamRequested
  }

  package struct Parameters: Structure {
    package var activity: ControlActivity
    package var team: String?

    package init(
      activity: ControlActivity,
      team: String? = nil
    ) {
      self.activity = activity
      self.team = team
    }
  }

  package struct Reply: Structure {
    package var id: ActivityID
    package var event: Event
    package var reason: Reason?
    package var device: String?
    package var stream: String?
    /// The Team ID as users see it
    package var team: String?
    package var omitted: [String]?

    package init(
      id: ActivityID,
      event: Event,
      reason: Reason? = nil,
      device: String? = nil,
      stream: String? = nil,
      team: String? = nil,
      omitted: [String]? = nil
    ) {
      self.id = id
      self.event = event
      self.reason = reason
      self.device = device
      self.stream = stream
      self.team = team
      self.omitted = omitted
    }
  }
}

/// Offers an activity to one device, in addition to the calling user's current activity. It is withdrawn when this
/// connection closes. Call with `more`. The first reply has the event `sent`. The other events are those of
/// BecomeCurrent.
///   sent             The activity is offered to the device, or will be as soon as the device has a session.
///   resigned         The activity is no longer offered. `reason` explains why.
/// `deviceID` is the ID of a device in one of the user's teams. `team` is needed only if the device is in more than one
/// of them.
package enum SendActivity: Method {
  package static let name = "io.baton.Handoff.SendActivity"
  package static let requiredMode: Call.Mode? = .more

  package enum Event: String, CaseIterable, Codable, Sendable {
    case sent
    case resigned
    case willSave
    case continued
    case streamRequested
  }

  package struct Parameters: Structure {
    package var activity: ControlActivity
    package var deviceID: DeviceID
    package var team: String?

    package init(
      activity: ControlActivity,
      deviceID: DeviceID,
      team: String? = nil
    ) {
      self.activity = activity
      self.deviceID = deviceID
      self.team = team
    }
  }

  package struct Reply: Structure {
    package var id: ActivityID
    package var event: Event
    package var reason: Reason?
    package var device: String?
    package var stream: String?
    /// The Team ID as users see it
    package var team: String?
    package var omitted: [String]?

    package init(
      id: ActivityID,
      event: Event,
      reason: Reason? = nil,
      device: String? = nil,
      stream: String? = nil,
      team: String? = nil,
      omitted: [String]? = nil
    ) {
      self.id = id
      self.event = event
      self.reason = reason
      self.device = device
      self.stream = stream
      self.team = team
      self.omitted = omitted
    }
  }
}

/// Replaces the state of an activity that this user published or sent. `activity.id` is its ID. `omitted` is as for
/// BecomeCurrent.
package enum UpdateActivity: Method {
  package static let name = "io.baton.Handoff.UpdateActivity"

  package struct Parameters: Structure {
    package var activity: ControlActivity

    package init(
      activity: ControlActivity
    ) {
      self.activity = activity
    }
  }

  package struct Reply: Structure {
    package var omitted: [String]?

    package init(
      omitted: [String]? = nil
    ) {
      self.omitted = omitted
    }
  }
}

/// Ends the offer of an activity. The activity, and streams of its continuation, remain.
package enum ResignCurrent: Method {
  package static let name = "io.baton.Handoff.ResignCurrent"

  package struct Parameters: Structure {
    package var id: ActivityID

    package init(
      id: ActivityID
    ) {
      self.id = id
    }
  }

  package typealias Reply = Nothing
}

/// Lists the other machines' offers, newest first. With `more`, lists all of them again at each change.
package enum ListOffers: Method {
  package static let name = "io.baton.Handoff.ListOffers"

  package struct Parameters: Structure {
    package var activityType: String?
    package var team: String?

    package init(
      activityType: String? = nil,
      team: String? = nil
    ) {
      self.activityType = activityType
      self.team = team
    }
  }

  package struct Reply: Structure {
    package var offers: [ControlOffer]

    package init(
      offers: [ControlOffer]
    ) {
      self.offers = offers
    }
  }
}

/// Continues an offer: fetches the activity, and notifies its origin. If more than one device offers it, `deviceID`
/// specifies which one to fetch it from. Without `deviceID`, it is fetched from the device that offered it first.
/// `shown`
/// is as for OpenOffer.
///
/// `origin` is `local` if one of this user's programs on this machine has created the activity (OpenActivity), and
/// otherwise the ID of the device it comes from. Without it, the activity comes from another machine, and does not
/// refer
/// to files on this one.
package enum Continue: Method {
  package static let name = "io.baton.Handoff.Continue"

  package struct Parameters: Structure {
    package var id: ActivityID
    package var deviceID: DeviceID?
    package var shown: ShownOffer?

    package init(
      id: ActivityID,
      deviceID: DeviceID? = nil,
      shown: ShownOffer? = nil
    ) {
      self.id = id
      self.deviceID = deviceID
      self.shown = shown
    }
  }

  package struct Reply: Structure {
    package var activity: ControlActivity
    package var device: String
    @Coded<OriginCoding> package var origin: Origin

    package init(
      activity: ControlActivity,
      device: String,
      origin: Origin
    ) {
      self.activity = activity
      self.device = device
      self.origin = origin
    }
  }
}

/// Registers the activity types that a program continues, for as long as the connection lasts. `application` is the
/// name
/// that OpenActivity uses to find the program, at most 255 bytes. Call with `more`. The first reply has the event
/// `registered`. At each `continueRequested`, call Continue with `id` and `deviceID`.
package enum RegisterApplication: Method {
  package static let name = "io.baton.Handoff.RegisterApplication"
  package static let requiredMode: Call.Mode? = .more

  package enum Event: String, CaseIterable, Codable, Sendable {
    case registered
    case continueRequested
  }

  package struct Parameters: Structure {
    package var activityTypes: [String]
    @Coded<ApplicationName?> package var application: String?

    package init(
      activityTypes: [String],
      application: String? = nil
    ) {
      self.activityTypes = activityTypes
      self.application = application
    }
  }

  package struct Reply: Structure {
    package var event: Event
    package var id: ActivityID?
    package var deviceID: DeviceID?
    package var activityType: String?
    /// The title of the offer that the user opened
    package var title: String?
    /// Present if the activity is for this program by name, whatever types it continues
    package var application: String?
    /// The host of the offered page, if any. Do not open a page from a different host.
    package var webpageHost: String?
    /// As in OpenOffer, for a program that should come to the front
    @Coded<ActivationToken?> package var activationToken: String?

    package init(
      event: Event,
      id: ActivityID? = nil,
      deviceID: DeviceID? = nil,
      activityType: String? = nil,
      title: String? = nil,
      application: String? = nil,
      webpageHost: String? = nil,
      activationToken: String? = nil
    ) {
      self.event = event
      self.id = id
      self.deviceID = deviceID
      self.activityType = activityType
      self.title = title
      self.application = application
      self.webpageHost = webpageHost
      self.activationToken = activationToken
    }
  }
}

/// Lets an app continue an offer: the program that last registered its type, or one that the user's launcher starts.
/// This
/// takes at most 20 s. `activationToken` is the value of XDG_ACTIVATION_TOKEN, which lets a started app take the focus.
/// `shown` contains the values that the user saw. If the offer has changed since then, the call fails with
/// `activityChanged`.
package enum OpenOffer: Method {
  package static let name = "io.baton.Handoff.OpenOffer"

  package struct Parameters: Structure {
    package var id: ActivityID
    package var deviceID: DeviceID?
    @Coded<ActivationToken?> package var activationToken: String?
    package var shown: ShownOffer?

    package init(
      id: ActivityID,
      deviceID: DeviceID? = nil,
      activationToken: String? = nil,
      shown: ShownOffer? = nil
    ) {
      self.id = id
      self.deviceID = deviceID
      self.activationToken = activationToken
      self.shown = shown
    }
  }

  package typealias Reply = Nothing
}

/// Lets one of the user's apps on this machine continue `activity`, whose `id` is ignored. The first of these gets it:
/// the program that last registered as `application`; the app of that name, which the user's launcher starts; the
/// program
/// that OpenOffer would choose. Without `application`, only the last of these applies. The type
/// com.apple.corespotlightitem is only for the named app. This takes at most 20 s. The app calls Continue within 30 s,
/// once.
///
/// `origin` is where the activity came from, as for Continue. Unless it is `local`, `application` is ignored, and the
/// type com.apple.corespotlightitem is refused.
package enum OpenActivity: Method {
  package static let name = "io.baton.Handoff.OpenActivity"

  package struct Parameters: Structure {
    package var activity: ControlActivity
    @Coded<ApplicationName?> package var application: String?
    @Coded<OriginCoding> package var origin: Origin
    @Coded<ActivationToken?> package var activationToken: String?

    package init(
      activity: ControlActivity,
      application: String? = nil,
      origin: Origin,
      activationToken: String? = nil
    ) {
      self.activity = activity
      self.application = application
      self.origin = origin
      self.activationToken = activationToken
    }
  }

  package typealias Reply = Nothing
}

/// Makes the caller the program that starts the user's apps, for as long as the connection lasts. If there is more than
/// one, the newest is used. Call with `more`. `activityTypes` are the types that the caller has apps for. With
/// `isIncomplete`, there may be apps for other types. The first reply has the event `registered`. Each
/// `launchRequested`
/// is an offer that the user opens and no running program handles. Answer it with ReportLaunch. If it has an
/// `application`, start only the app of that name.
package enum RegisterLauncher: Method {
  package static let name = "io.baton.Handoff.RegisterLauncher"
  package static let requiredMode: Call.Mode? = .more

  package enum Event: String, CaseIterable, Codable, Sendable {
    case registered
    case launchRequested
  }

  package struct Parameters: Structure {
    package var activityTypes: [String]
    @Coded<FalseByDefault> package var isIncomplete: Bool

    package init(
      activityTypes: [String],
      isIncomplete: Bool = false
    ) {
      self.activityTypes = activityTypes
      self.isIncomplete = isIncomplete
    }
  }
}

/// Reports the outcome of a launchRequested event.
///   launching  An app was started. It will register the type or continue the offer.
///   continued  The launcher has continued the offer itself.
///   failed     Nothing handles the offer. `reason` explains why.
package enum ReportLaunch: Method {
  package static let name = "io.baton.Handoff.ReportLaunch"

  package enum State: String, CaseIterable, Codable, Sendable {
    case launching
    case continued
    case failed
  }

  package struct Parameters: Structure {
    package var launch: String
    package var state: State
    package var reason: Reason?

    package init(
      launch: String,
      state: State,
      reason: Reason? = nil
    ) {
      self.launch = launch
      self.state = state
      self.reason = reason
    }
  }

  package typealias Reply = Nothing
}

package struct StreamReply: Structure {
  package var stream: String

  package init(
    stream: String
  ) {
    self.stream = stream
  }
}

/// Opens a stream to the app whose activity the calling user has continued. Call with `upgrade`. After the reply, the
/// connection carries the bytes of the stream in both directions. To end one direction, shut down writing. With
/// `awaits`,
/// the program calls AwaitStream within 10 s. If the program exits before that, the stream is broken.
package enum OpenStream: Method {
  package static let name = "io.baton.Handoff.OpenStream"
  package static let requiredMode: Call.Mode? = .upgrade

  package struct Parameters: Structure {
    package var activity: ActivityID
    @Coded<FalseByDefault> package var awaits: Bool

    package init(
      activity: ActivityID,
      awaits: Bool = false
    ) {
      self.activity = activity
      self.awaits = awaits
    }
  }

  package typealias Reply = StreamReply
}

/// Accepts the stream of a streamRequested event. Call with `upgrade`, as for OpenStream.
package enum AcceptStream: Method {
  package static let name = "io.baton.Handoff.AcceptStream"
  package static let requiredMode: Call.Mode? = .upgrade

  package struct Parameters: Structure {
    package var stream: String
    @Coded<FalseByDefault> package var awaits: Bool

    package init(
      stream: String,
      awaits: Bool = false
    ) {
      self.stream = stream
      self.awaits = awaits
    }
  }

  package typealias Reply = StreamReply
}

/// Waits until a stream has ended. `reason` is absent if both directions were complete and both apps have read
/// everything. The end of a socket alone does not distinguish a stream that broke from one that ended.
package enum AwaitStream: Method {
  package static let name = "io.baton.Handoff.AwaitStream"

  package struct Parameters: Structure {
    package var stream: String

    package init(
      stream: String
    ) {
      self.stream = stream
    }
  }

  package struct Reply: Structure {
    package var reason: Reason?

    package init(
      reason: Reason? = nil
    ) {
      self.reason = reason
    }
  }
}

/// Makes the caller the program that exchanges the user's search index with other machines, for as long as the
/// connection
/// lasts. A newer registration of the user ends it with the reason `superseded`. Call with `more`. The first reply has
/// the event `registered`.
///   teams    `teams` are all teams that the caller represents: sent at the start and when they change.
///   peer     A session with a device of such a team has begun or ended, or the device has a new name.
///   message  The program that has registered on that device has sent `message`.
package enum RegisterIndex: Method {
  package static let name = "io.baton.Handoff.RegisterIndex"
  package static let requiredMode: Call.Mode? = .more

  package enum Event: String, CaseIterable, Codable, Sendable {
    case registered
    case teams
    case peer
    case message
  }

  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package var event: Event
    package var teams: [IndexTeam]?
    /// The names of teams that cannot be used, so that `ShareWith=` does not match other teams by them
    package var unusable: [String]?
    /// The Team ID as users see it, the device's ID and its name
    package var team: String?
    package var deviceID: DeviceID?
    package var device: String?
    package var connected: Bool?
    @Coded<IndexMessage?> package var message: JSON?

    package init(
      event: Event,
      teams: [IndexTeam]? = nil,
      unusable: [String]? = nil,
      team: String? = nil,
      deviceID: DeviceID? = nil,
      device: String? = nil,
      connected: Bool? = nil,
      message: JSON? = nil
    ) {
      self.event = event
      self.teams = teams
      self.unusable = unusable
      self.team = team
      self.deviceID = deviceID
      self.device = device
      self.connected = connected
      self.message = message
    }
  }
}

/// Sends a message to the program that has called RegisterIndex on another machine. `message` is at most 12,288 bytes
/// long and 11 levels deep. It is dropped if the other machine has no such program, or is busy.
package enum SendIndexMessage: Method {
  package static let name = "io.baton.Handoff.SendIndexMessage"

  package struct Parameters: Structure {
    package var team: String
    package var deviceID: DeviceID
    @Coded<IndexMessage> package var message: JSON

    package init(
      team: String,
      deviceID: DeviceID,
      message: JSON
    ) {
      self.team = team
      self.deviceID = deviceID
      self.message = message
    }
  }

  package typealias Reply = Nothing
}

/// Lists the known other machines of the user's teams. With `more`, lists all of them again at each change. `away`
/// lists
/// those that had a session before, perhaps before the daemon started, and are not found now.
package enum ListPeers: Method {
  package static let name = "io.baton.Handoff.ListPeers"

  package typealias Parameters = Nothing
}

/// Assigns the name that a device claims to that device, although another device had it first. The other device is
/// `former`. If it still claims the name, digits of its ID follow its name from then on. `team` is needed only if the
/// device is in more than one of the user's teams.
package enum AcceptName: Method {
  package static let name = "io.baton.Handoff.AcceptName"

  package struct Parameters: Structure {
    package var deviceID: DeviceID
    package var team: String?

    package init(
      deviceID: DeviceID,
      team: String? = nil
    ) {
      self.deviceID = deviceID
      self.team = team
    }
  }

  package struct Reply: Structure {
    package var device: String
    package var deviceID: DeviceID
    package var team: String
    package var former: DeviceID?

    package init(
      device: String,
      deviceID: DeviceID,
      team: String,
      former: DeviceID? = nil
    ) {
      self.device = device
      self.deviceID = deviceID
      self.team = team
      self.former = former
    }
  }
}

/// Adds an address, HOST or HOST:PORT, at which to dial a machine of the team if discovery does not find it. The
/// address is
/// kept until it is removed. `team` is optional if the user has only one team.
package enum AddPeer: Method {
  package static let name = "io.baton.Handoff.AddPeer"

  package struct Parameters: Structure {
    package var address: String
    package var team: String?

    package init(
      address: String,
      team: String? = nil
    ) {
      self.address = address
      self.team = team
    }
  }

  package struct Reply: Structure {
    package var peer: ControlStaticPeer

    package init(
      peer: ControlStaticPeer
    ) {
      self.peer = peer
    }
  }
}

/// Undoes AddPeer, for all of the user's teams if `team` is absent. An existing session stays.
package enum RemovePeer: Method {
  package static let name = "io.baton.Handoff.RemovePeer"

  package struct Parameters: Structure {
    package var address: String
    package var team: String?

    package init(
      address: String,
      team: String? = nil
    ) {
      self.address = address
      self.team = team
    }
  }

  package typealias Reply = Nothing
}

/// Lists the addresses that were added for the user's teams.
package enum ListStaticPeers: Method {
  package static let name = "io.baton.Handoff.ListStaticPeers"

  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package var peers: [ControlStaticPeer]

    package init(
      peers: [ControlStaticPeer]
    ) {
      self.peers = peers
    }
  }
}

/// Lists the servers that the devices of the user's teams connect through if they are on different networks.
package enum ListRendezvous: Method {
  package static let name = "io.baton.Handoff.ListRendezvous"

  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package var teams: [ControlRendezvous]

    package init(
      teams: [ControlRendezvous]
    ) {
      self.teams = teams
    }
  }
}

/// Creates keys and configuration for servers, for a team that this machine administers, or for the teams of an
/// organization. `servers` and `relays` are HOST or HOST:PORT. The keys in `files` are secret. If the team already has
/// servers, `replace` must be true.
package enum CreateRendezvous: Method {
  package static let name = "io.baton.Handoff.CreateRendezvous"

  package struct File: Structure {
    package var name: String
    package var content: String

    package init(
      name: String,
      content: String
    ) {
      self.name = name
      self.content = content
    }
  }

  package struct Parameters: Structure {
    package var servers: [String]
    package var relays: [String]
    package var team: String?
    package var organization: String?
    package var replace: Bool?

    package init(
      servers: [String],
      relays: [String],
      team: String? = nil,
      organization: String? = nil,
      replace: Bool? = nil
    ) {
      self.servers = servers
      self.relays = relays
      self.team = team
      self.organization = organization
      self.replace = replace
    }
  }

  package struct Reply: Structure {
    package var files: [File]

    package init(
      files: [File]
    ) {
      self.files = files
    }
  }
}

/// Asks an organization to let a team use its servers. The request is JSON text, and not secret.
package enum RequestRendezvous: Method {
  package static let name = "io.baton.Handoff.RequestRendezvous"

  package struct Parameters: Structure {
    package var team: String?
    package var replace: Bool?

    package init(
      team: String? = nil,
      replace: Bool? = nil
    ) {
      self.team = team
      self.replace = replace
    }
  }

  package struct Reply: Structure {
    package var request: String

    package init(
      request: String
    ) {
      self.request = request
    }
  }
}

/// Lets a team use an organization's servers. `problem` explains why the servers could not be notified.
package enum AuthorizeRendezvous: Method {
  package static let name = "io.baton.Handoff.AuthorizeRendezvous"

  package struct Parameters: Structure {
    package var request: String
    package var organization: String?

    package init(
      request: String,
      organization: String? = nil
    ) {
      self.request = request
      self.organization = organization
    }
  }

  package struct Reply: Structure {
    package var approval: String
    package var team: String
    package var problem: String?

    package init(
      approval: String,
      team: String,
      problem: String? = nil
    ) {
      self.approval = approval
      self.team = team
      self.problem = problem
    }
  }
}

package struct RendezvousReply: Structure {
  package var rendezvous: ControlRendezvous

  package init(
    rendezvous: ControlRendezvous
  ) {
    self.rendezvous = rendezvous
  }
}

/// Makes the devices of a team use an organization's servers that have accepted the team.
package enum ImportRendezvous: Method {
  package static let name = "io.baton.Handoff.ImportRendezvous"

  package struct Parameters: Structure {
    package var approval: String
    package var team: String?

    package init(
      approval: String,
      team: String? = nil
    ) {
      self.approval = approval
      self.team = team
    }
  }

  package typealias Reply = RendezvousReply
}

/// Stops using servers, so that the devices of a team connect only if they are on the same network.
package enum RemoveRendezvous: Method {
  package static let name = "io.baton.Handoff.RemoveRendezvous"

  package struct Parameters: Structure {
    package var team: String?

    package init(
      team: String? = nil
    ) {
      self.team = team
    }
  }

  package typealias Reply = Nothing
}

/// Returns the state of the daemon, as far as the caller is allowed to see it.
package enum GetStatus: Method {
  package static let name = "io.baton.Handoff.GetStatus"

  package enum DiscoveryState: String, CaseIterable, Codable, Sendable {
    case running
    case muted
    case connecting
    case disabled
  }

  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package var device: String
    package var version: String
    /// The port where peers reach this machine
    package var port: UInt16
    /// The port in the configuration, where a firewall must admit peers; 0 for any free port
    package var configuredPort: UInt16?
    /// The names of the network interfaces that peers can use
    package var interfaces: [String]?
    package var discovery: DiscoveryState
    package var teams: [ControlTeam]
    /// The caller's current activity
    package var current: ControlActivity?
    /// Why the current activity is not being offered
    package var withheld: Reason?
    @Coded<Count> package var sessions: Int
    @Coded<Count> package var streams: Int
    package var counters: Counters

    package init(
      device: String,
      version: String,
      port: UInt16,
      configuredPort: UInt16? = nil,
      interfaces: [String]? = nil,
      discovery: DiscoveryState,
      teams: [ControlTeam],
      current: ControlActivity? = nil,
      withheld: Reason? = nil,
      sessions: Int,
      streams: Int,
      counters: Counters = Counters()
    ) {
      self.device = device
      self.version = version
      self.port = port
      self.configuredPort = configuredPort
      self.interfaces = interfaces
      self.discovery = discovery
      self.teams = teams
      self.current = current
      self.withheld = withheld
      self.sessions = sessions
      self.streams = streams
      self.counters = counters
    }
  }
}

/// Lists the folders in the configuration that this machine shares with others under one name, sorted by name. They are
/// the same for all users; the file system decides whether the caller can read a folder.
package enum ListSharedFolders: Method {
  package static let name = "io.baton.Handoff.ListSharedFolders"

  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package var folders: [ControlSharedFolder]

    package init(
      folders: [ControlSharedFolder]
    ) {
      self.folders = folders
    }
  }
}

/// Returns the counters and the current state as text for Prometheus (exposition format 0.0.4).
package enum GetMetrics: Method {
  package static let name = "io.baton.Handoff.GetMetrics"

  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package var text: String

    package init(
      text: String
    ) {
      self.text = text
    }
  }
}

/// Checks everything on the way from Avahi to an app's payload. Call with `more`. There is one reply for each check,
/// when
/// it finishes. `peer` is the name of a machine, its Device ID or a prefix of it, or HOST[:PORT]. Without `peer`, all
/// machines of the user's teams are checked. This takes at most 20 s.
package enum Diagnose: Method {
  package static let name = "io.baton.Handoff.Diagnose"
  package static let requiredMode: Call.Mode? = .more

  package enum Check: String, CaseIterable, Codable, Sendable {
    case system
    case daemon
    case team
    case certificate
    case bus
    case avahi
    case interfaces
    case multicast
    case firewall
    case port
    case rendezvous
    case peer
    case clock
    case continuation
    case application
    case offer
    case search
    case browser
    case shell
    case editor
    case clipboard
    case files
    case notifications
  }

  package enum Outcome: String, CaseIterable, Codable, Sendable {
    case passed
    case failed
    case skipped
    case note
  }

  package struct Parameters: Structure {
    package var peer: String?

    package init(
      peer: String? = nil
    ) {
      self.peer = peer
    }
  }

  package struct Reply: Structure {
    package var check: Check
    /// failed: something is wrong, as in `reason`. skipped: the check was impossible. note: nothing is broken.
    package var outcome: Outcome
    package var reason: Reason?
    /// The finding, to show to users
    package var detail: String
    /// Advice, to show to users
    package var advice: String?

    package init(
      check: Check,
      outcome: Outcome,
      reason: Reason? = nil,
      detail: String,
      advice: String? = nil
    ) {
      self.check = check
      self.outcome = outcome
      self.reason = reason
      self.detail = detail
      self.advice = advice
    }
  }
}

package struct TeamReply: Structure {
  package var team: ControlTeam

  package init(
    team: ControlTeam
  ) {
    self.team = team
  }
}

/// Creates a team. `passphrase` encrypts the team's key.
package enum CreateTeam: Method {
  package static let name = "io.baton.Handoff.CreateTeam"

  package struct Parameters: Structure {
    package var name: String
    @Coded<PassphraseText?> package var passphrase: String?

    package init(
      name: String,
      passphrase: String? = nil
    ) {
      self.name = name
      self.passphrase = passphrase
    }
  }

  package typealias Reply = TeamReply
}

/// Creates a code that admits one machine within 15 minutes. `team` is optional if the user has only one team.
package enum InviteDevice: Method {
  package static let name = "io.baton.Handoff.InviteDevice"

  package struct Parameters: Structure {
    package var team: String?

    package init(
      team: String? = nil
    ) {
      self.team = team
    }
  }

  package struct Reply: Structure {
    package var code: String
    package var expires: Double

    package init(
      code: String,
      expires: Double
    ) {
      self.code = code
      self.expires = expires
    }
  }
}

/// Joins a team with a code, over the network. Without `address`, the daemon searches for the machine that issued the
/// code. With `address`, the daemon continues to use it to dial that machine. `replaces` is the ID of a team that the
/// code's team must replace (RenewTeam).
package enum JoinTeam: Method {
  package static let name = "io.baton.Handoff.JoinTeam"

  package struct Parameters: Structure {
    package var code: String
    package var address: String?
    package var replaces: String?

    package init(
      code: String,
      address: String? = nil,
      replaces: String? = nil
    ) {
      self.code = code
      self.address = address
      self.replaces = replaces
    }
  }

  package typealias Reply = TeamReply
}

/// Joins a team offline: RequestMembership creates a request here, ApproveRequest approves it on the team's machine,
/// and
/// ImportApproval joins the team here.
package enum RequestMembership: Method {
  package static let name = "io.baton.Handoff.RequestMembership"

  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package var request: String

    package init(
      request: String
    ) {
      self.request = request
    }
  }
}

package enum ApproveRequest: Method {
  package static let name = "io.baton.Handoff.ApproveRequest"

  package struct Parameters: Structure {
    package var request: String
    package var team: String?

    package init(
      request: String,
      team: String? = nil
    ) {
      self.request = request
      self.team = team
    }
  }

  package struct Reply: Structure {
    package var approval: String
    package var team: ControlTeam

    package init(
      approval: String,
      team: ControlTeam
    ) {
      self.approval = approval
      self.team = team
    }
  }
}

package enum ImportApproval: Method {
  package static let name = "io.baton.Handoff.ImportApproval"

  package struct Parameters: Structure {
    package var approval: String

    package init(
      approval: String
    ) {
      self.approval = approval
    }
  }

  package typealias Reply = TeamReply
}

/// Lists the caller's teams. `unusable` lists the teams whose files on this machine cannot be used; absent if there are
/// none.
package enum ListTeams: Method {
  package static let name = "io.baton.Handoff.ListTeams"

  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package var teams: [ControlTeam]
    @Coded<EmptyByDefault> package var unusable: [ControlUnusableTeam]

    package init(
      teams: [ControlTeam],
      unusable: [ControlUnusableTeam] = []
    ) {
      self.teams = teams
      self.unusable = unusable
    }
  }
}

/// Lists the devices that were admitted to a team, the oldest first, including those that were removed.
package enum ListDevices: Method {
  package static let name = "io.baton.Handoff.ListDevices"

  package struct Parameters: Structure {
    package var team: String?

    package init(
      team: String? = nil
    ) {
      self.team = team
    }
  }

  package struct Reply: Structure {
    package var devices: [ControlDevice]

    package init(
      devices: [ControlDevice]
    ) {
      self.devices = devices
    }
  }
}

/// Removes a device from a team permanently. Each machine of the team refuses the device as soon as it is informed of
/// the
/// removal. `device` is the name of the device or a prefix of its ID with at least 4 digits. `already` is true if the
/// device had already been removed, so that nothing changed.
package enum RevokeDevice: Method {
  package static let name = "io.baton.Handoff.RevokeDevice"

  package struct Parameters: Structure {
    package var device: String
    package var team: String?

    package init(
      device: String,
      team: String? = nil
    ) {
      self.device = device
      self.team = team
    }
  }

  package struct Reply: Structure {
    package var device: ControlDevice
    package var already: Bool

    package init(
      device: ControlDevice,
      already: Bool
    ) {
      self.device = device
      self.already = already
    }
  }
}

/// Gives the team's key to a connected device of the team, which can then also admit and remove devices.
package enum PromoteDevice: Method {
  package static let name = "io.baton.Handoff.PromoteDevice"

  package struct Parameters: Structure {
    package var device: String
    package var team: String?

    package init(
      device: String,
      team: String? = nil
    ) {
      self.device = device
      self.team = team
    }
  }

  package struct Reply: Structure {
    package var device: ControlDevice

    package init(
      device: ControlDevice
    ) {
      self.device = device
    }
  }
}

package struct KeyParameters: Structure {
  package var team: String?
  @Coded<PassphraseText?> package var passphrase: String?

  package init(
    team: String? = nil,
    passphrase: String? = nil
  ) {
    self.team = team
    self.passphrase = passphrase
  }
}

/// Replaces a team with a new team that has its own key. The caller leaves the old team; if the caller is root, all
/// users
/// of the team leave it. Machines of the old team join with JoinTeam, `replaces` and the code, which is valid for an
/// hour
/// and for all of them.
package enum RenewTeam: Method {
  package static let name = "io.baton.Handoff.RenewTeam"

  package typealias Parameters = KeyParameters

  package struct Reply: Structure {
    package var team: ControlTeam
    package var replaced: String
    package var code: String
    package var expires: Double

    package init(
      team: ControlTeam,
      replaced: String,
      code: String,
      expires: Double
    ) {
      self.team = team
      self.replaced = replaced
      self.code = code
      self.expires = expires
    }
  }
}

/// Unlocks a team's key that has a passphrase for 15 minutes. Otherwise, InviteDevice, ApproveRequest, RevokeDevice,
/// PromoteDevice and SetPassphrase fail with passphraseNeeded. SetPassphrase without `passphrase` removes the
/// passphrase.
package enum UnlockTeam: Method {
  package static let name = "io.baton.Handoff.UnlockTeam"

  package struct Parameters: Structure {
    package var team: String?
    @Coded<PassphraseText> package var passphrase: String

    package init(
      team: String? = nil,
      passphrase: String
    ) {
      self.team = team
      self.passphrase = passphrase
    }
  }

  package typealias Reply = TeamReply
}

package enum SetPassphrase: Method {
  package static let name = "io.baton.Handoff.SetPassphrase"

  package typealias Parameters = KeyParameters

  package typealias Reply = TeamReply
}

/// Returns everything that makes this machine a device of the team, encrypted with a passphrase. Keep the result and
/// the
/// passphrase apart. Only root and the team's only user on this machine can call this. `team` is optional if the user
/// has
/// only one team.
package enum BackUpTeam: Method {
  package static let name = "io.baton.Handoff.BackUpTeam"

  package struct Parameters: Structure {
    package var team: String?
    @Coded<PassphraseText> package var passphrase: String

    package init(
      team: String? = nil,
      passphrase: String
    ) {
      self.team = team
      self.passphrase = passphrase
    }
  }

  package struct Reply: Structure {
    package var backup: String
    package var team: ControlTeam

    package init(
      backup: String,
      team: ControlTeam
    ) {
      self.backup = backup
      self.team = team
    }
  }
}

/// Restores a team from a backup, for the caller. If the caller is root, the team is restored for its former users.
/// With
/// `checkOnly`, nothing changes. `device` is the name of the machine that created the backup, and `made` the time, in
/// seconds since 1970-01-01 00:00:00 UTC.
package enum RestoreTeam: Method {
  package static let name = "io.baton.Handoff.RestoreTeam"

  package struct Parameters: Structure {
    package var backup: String
    @Coded<PassphraseText> package var passphrase: String
    @Coded<FalseByDefault> package var checkOnly: Bool

    package init(
      backup: String,
      passphrase: String,
      checkOnly: Bool = false
    ) {
      self.backup = backup
      self.passphrase = passphrase
      self.checkOnly = checkOnly
    }
  }

  package struct Reply: Structure {
    package var team: ControlTeam
    package var device: String
    package var made: Double

    package init(
      team: ControlTeam,
      device: String,
      made: Double
    ) {
      self.team = team
      self.device = device
      self.made = made
    }
  }
}

/// Removes a team, its keys and its peers from this machine.
package enum LeaveTeam: Method {
  package static let name = "io.baton.Handoff.LeaveTeam"

  package struct Parameters: Structure {
    package var team: String

    package init(
      team: String
    ) {
      self.team = team
    }
  }

  package typealias Reply = Nothing
}

/// The methods of `io.baton.Handoff`, in the order of its text.
package enum HandoffInterface {
  package static var methods: [any Method.Type] {
    [
      BecomeCurrent.self,
      SendActivity.self,
      UpdateActivity.self,
      ResignCurrent.self,
      ListOffers.self,
      Continue.self,
      RegisterApplication.self,
      OpenOffer.self,
      OpenActivity.self,
      RegisterLauncher.self,
      ReportLaunch.self,
      OpenStream.self,
      AcceptStream.self,
      AwaitStream.self,
      RegisterIndex.self,
      SendIndexMessage.self,
      ListPeers.self,
      AcceptName.self,
      AddPeer.self,
      RemovePeer.self,
      ListStaticPeers.self,
      ListRendezvous.self,
      CreateRendezvous.self,
      RequestRendezvous.self,
      AuthorizeRendezvous.self,
      ImportRendezvous.self,
      RemoveRendezvous.self,
      GetStatus.self,
      ListSharedFolders.self,
      GetMetrics.self,
      Diagnose.self,
      CreateTeam.self,
      InviteDevice.self,
      JoinTeam.self,
      RequestMembership.self,
      ApproveRequest.self,
      ImportApproval.self,
      ListTeams.self,
      ListDevices.self,
      RevokeDevice.self,
      PromoteDevice.self,
      RenewTeam.self,
      UnlockTeam.self,
      SetPassphrase.self,
      BackUpTeam.self,
      RestoreTeam.self,
      LeaveTeam.self,
    ]
  }
}

extension InterfaceDescription {
  /// `io.baton.Handoff`, as it is published.
  package static let handoff = InterfaceDescription(
    name: "io.baton.Handoff",
    text: #"""
      # Handoff between the machines of a team, as this machine's daemon provides it to local programs. ControlInterface.md
      # explains each method.
      interface io.baton.Handoff

      # Something that a user is doing. An absent member has its default: nothing or false, but true for isEligibleForHandoff.
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
        # The app's own identifier of the content: at most 1,024 bytes
        persistentIdentifier: ?string,
        # Seconds since 1970-01-01 00:00:00 UTC
        expirationDate: ?float,
        # Whether the app wants the event willSave when another machine fetches the activity
        needsSave: ?bool,
        supportsContinuationStreams: ?bool,
        # False if the activity is current but not meant for other machines
        isEligibleForHandoff: ?bool
      )

      # Another machine's current activity, or one that it sends to this machine, in the form known before it is fetched.
      type Offer (
        id: string,
        activityType: string,
        title: ?string,
        supportsContinuationStreams: bool,
        # Whether there is a page to show if no app handles the type, and the page's host in lower case
        hasWebPage: ?bool,
        webpageHost: ?string,
        # Whether one of the user's running programs handles the type
        hasApplication: ?bool,
        # The name and the ID of the device that offers the activity
        device: string,
        deviceID: string,
        # The Team ID as users see it
        team: string,
        # session: received over an authenticated connection. advert: received by multicast, so it is only a hint.
        source: (session, advert),
        # Changes each time the offer reappears after it was withdrawn or continued
        generation: ?int,
        # Whether it is offered to this machine alone, because a user sent it here
        isSent: ?bool,
        # Whether one of the user's programs here has the same activity (judging by type, title and host), or has just handed
        # it off to that device
        isHere: ?bool
      )

      # The members by which a user recognizes an offer
      type ShownOffer (
        activityType: string,
        title: ?string,
        webpageHost: ?string
      )

      type Peer (
        # The device's name. If another device of the team had that name first, the first digits of the ID follow.
        device: string,
        deviceID: string,
        team: string,
        state: (connected, connecting, unreachable),
        # The address at which the machine was last reached: HOST:PORT
        address: ?string,
        # Why the machine is not connected
        reason: ?Reason,
        # How the session reaches the machine: over a link, a router, an address learned from a server, or a relay
        path: ?(link, routed, rendezvous, relay),
        # The round-trip time, in milliseconds
        roundTrip: ?float,
        # The device's own name for itself, if that is not `device`
        claim: ?string,
        # The time when the machine's last session ended, in seconds since 1970-01-01 00:00:00 UTC. Absent if it has a
        # session, or never had one
        awaySince: ?int
      )

      # The servers that a team's devices connect through if they are on different networks.
      type Rendezvous (
        team: string,
        name: string,
        # NATS servers, HOST:PORT, and relays, relay://HOST:PORT/?id=ID
        servers: []string,
        relays: []string,
        state: (ready, connecting, waiting, off),
        # The server that this machine is or was connected to, and why the connection has failed
        server: ?string,
        problem: ?string,
        # The number of the team's other devices at the servers
        devices: int,
        # When this machine's access expires: seconds since 1970-01-01 00:00:00 UTC
        expires: ?float,
        # Whether this machine can grant access to other devices, and whether the team runs the servers itself
        isAdministrator: bool,
        runsServers: bool
      )

      # An address that a user added, and the result of dialing it.
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
        # 10 base-32 digits to show to users
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
        # The faulty file and what is wrong with it, to show to users
        fault: string
      )

      # A device that this machine or another administrator has admitted to a team.
      type Device (
        # The device's own name for itself; empty if it joined with files and has not connected since
        name: string,
        deviceID: string,
        # The serial number of its newest certificate, in hexadecimal digits
        serial: string,
        # Seconds since 1970-01-01 00:00:00 UTC
        admitted: float,
        # Absent if the device was not removed
        revoked: ?float,
        # Whether the device also has the team's key
        administrator: ?bool
      )

      # A team for which the caller exchanges its search index.
      type IndexTeam (
        # The Team ID as users see it
        id: string,
        name: string,
        # This machine's ID in the team
        deviceID: string,
        # The IDs of the devices that were removed from the team
        removed: []string
      )

      # A folder that machines share under one name, each at its own path
      type SharedFolder (
        name: string,
        # Its absolute path on this machine
        path: string
      )

      # Why something was refused, has ended or is not offered. Documentation/guide/Reasons.md explains each reason.
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

      # How many times each event has occurred since the daemon started: in the caller's teams or, for root, on the whole
      # machine. Maps contain a number for each reason. Reasons that did not occur are absent.
      type Counters (
        sessionsBegun: int,
        sessionsEnded: [string]int,
        # Connections from other machines
        connectionsRefused: [string]int,
        # Attempts to reach other machines
        dialsFailed: [string]int,
        offersSent: int,
        offersReceived: int,
        # This machine's activities that others continued
        activitiesHandedOver: int,
        # Fetches by other machines that did not receive an activity
        handOversRefused: [string]int,
        # Other machines' activities that were continued here
        activitiesContinued: int,
        # Other machines' activities that were requested here and did not arrive
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
      #   current          The activity is now offered, or will be as soon as nothing withholds it (GetStatus).
      #   resigned         The user now has a different current activity, or none. `reason` explains why.
      #   willSave         Another machine is fetching the activity, and needsSave was true. Call UpdateActivity within 3 s.
      #   continued        The activity was continued on `device`, and is no longer offered.
      #   streamRequested  The machine that continued the activity, in the team `team`, wants a stream. Call AcceptStream
      #                    within 15 s.
      # `team` is the ID of the only team that sees the activity. Without it, all teams of the user see the activity.
      #
      # Titles that are too long or contain line breaks are repaired. An address of more than 2,048 bytes is left out, and
      # `omitted` of the first reply names the member. If the activity consists only of that page, the call fails with
      # `urlInvalid`.
      method BecomeCurrent(activity: Activity, team: ?string) -> (
        id: string,
        event: (current, resigned, willSave, continued, streamRequested),
        reason: ?Reason,
        device: ?string,
        stream: ?string,
        # The Team ID as users see it
        team: ?string,
        omitted: ?[]string
      )

      # Offers an activity to one device, in addition to the calling user's current activity. It is withdrawn when this
      # connection closes. Call with `more`. The first reply has the event `sent`. The other events are those of
      # BecomeCurrent.
      #   sent             The activity is offered to the device, or will be as soon as the device has a session.
      #   resigned         The activity is no longer offered. `reason` explains why.
      # `deviceID` is the ID of a device in one of the user's teams. `team` is needed only if the device is in more than one
      # of them.
      method SendActivity(activity: Activity, deviceID: string, team: ?string) -> (
        id: string,
        event: (sent, resigned, willSave, continued, streamRequested),
        reason: ?Reason,
        device: ?string,
        stream: ?string,
        # The Team ID as users see it
        team: ?string,
        omitted: ?[]string
      )

      # Replaces the state of an activity that this user published or sent. `activity.id` is its ID. `omitted` is as for
      # BecomeCurrent.
      method UpdateActivity(activity: Activity) -> (omitted: ?[]string)

      # Ends the offer of an activity. The activity, and streams of its continuation, remain.
      method ResignCurrent(id: string) -> ()

      # Lists the other machines' offers, newest first. With `more`, lists all of them again at each change.
      method ListOffers(activityType: ?string, team: ?string) -> (offers: []Offer)

      # Continues an offer: fetches the activity, and notifies its origin. If more than one device offers it, `deviceID`
      # specifies which one to fetch it from. Without `deviceID`, it is fetched from the device that offered it first. `shown`
      # is as for OpenOffer.
      #
      # `origin` is `local` if one of this user's programs on this machine has created the activity (OpenActivity), and
      # otherwise the ID of the device it comes from. Without it, the activity comes from another machine, and does not refer
      # to files on this one.
      method Continue(id: string, deviceID: ?string, shown: ?ShownOffer) -> (activity: Activity, device: string, origin: ?string)

      # Registers the activity types that a program continues, for as long as the connection lasts. `application` is the name
      # that OpenActivity uses to find the program, at most 255 bytes. Call with `more`. The first reply has the event
      # `registered`. At each `continueRequested`, call Continue with `id` and `deviceID`.
      method RegisterApplication(activityTypes: []string, application: ?string) -> (
        event: (registered, continueRequested),
        id: ?string,
        deviceID: ?string,
        activityType: ?string,
        # The title of the offer that the user opened
        title: ?string,
        # Present if the activity is for this program by name, whatever types it continues
        application: ?string,
        # The host of the offered page, if any. Do not open a page from a different host.
        webpageHost: ?string,
        # As in OpenOffer, for a program that should come to the front
        activationToken: ?string
      )

      # Lets an app continue an offer: the program that last registered its type, or one that the user's launcher starts. This
      # takes at most 20 s. `activationToken` is the value of XDG_ACTIVATION_TOKEN, which lets a started app take the focus.
      # `shown` contains the values that the user saw. If the offer has changed since then, the call fails with
      # `activityChanged`.
      method OpenOffer(id: string, deviceID: ?string, activationToken: ?string, shown: ?ShownOffer) -> ()

      # Lets one of the user's apps on this machine continue `activity`, whose `id` is ignored. The first of these gets it:
      # the program that last registered as `application`; the app of that name, which the user's launcher starts; the program
      # that OpenOffer would choose. Without `application`, only the last of these applies. The type
      # com.apple.corespotlightitem is only for the named app. This takes at most 20 s. The app calls Continue within 30 s,
      # once.
      #
      # `origin` is where the activity came from, as for Continue. Unless it is `local`, `application` is ignored, and the
      # type com.apple.corespotlightitem is refused.
      method OpenActivity(activity: Activity, application: ?string, origin: ?string, activationToken: ?string) -> ()

      # Makes the caller the program that starts the user's apps, for as long as the connection lasts. If there is more than
      # one, the newest is used. Call with `more`. `activityTypes` are the types that the caller has apps for. With
      # `isIncomplete`, there may be apps for other types. The first reply has the event `registered`. Each `launchRequested`
      # is an offer that the user opens and no running program handles. Answer it with ReportLaunch. If it has an
      # `application`, start only the app of that name.
      method RegisterLauncher(activityTypes: []string, isIncomplete: ?bool) -> (
        event: (registered, launchRequested),
        # The name of the request, for ReportLaunch
        launch: ?string,
        # The activity, the device that offers it, its type, and the Team ID as users see it. Without `deviceID` and `team`,
        # the activity is from this machine (OpenActivity).
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
      #   failed     Nothing handles the offer. `reason` explains why.
      method ReportLaunch(launch: string, state: (launching, continued, failed), reason: ?Reason) -> ()

      # Opens a stream to the app whose activity the calling user has continued. Call with `upgrade`. After the reply, the
      # connection carries the bytes of the stream in both directions. To end one direction, shut down writing. With `awaits`,
      # the program calls AwaitStream within 10 s. If the program exits before that, the stream is broken.
      method OpenStream(activity: string, awaits: ?bool) -> (stream: string)

      # Accepts the stream of a streamRequested event. Call with `upgrade`, as for OpenStream.
      method AcceptStream(stream: string, awaits: ?bool) -> (stream: string)

      # Waits until a stream has ended. `reason` is absent if both directions were complete and both apps have read
      # everything. The end of a socket alone does not distinguish a stream that broke from one that ended.
      method AwaitStream(stream: string) -> (reason: ?Reason)

      # Makes the caller the program that exchanges the user's search index with other machines, for as long as the connection
      # lasts. A newer registration of the user ends it with the reason `superseded`. Call with `more`. The first reply has
      # the event `registered`.
      #   teams    `teams` are all teams that the caller represents: sent at the start and when they change.
      #   peer     A session with a device of such a team has begun or ended, or the device has a new name.
      #   message  The program that has registered on that device has sent `message`.
      method RegisterIndex() -> (
        event: (registered, teams, peer, message),
        teams: ?[]IndexTeam,
        # The names of teams that cannot be used, so that `ShareWith=` does not match other teams by them
        unusable: ?[]string,
        # The Team ID as users see it, the device's ID and its name
        team: ?string,
        deviceID: ?string,
        device: ?string,
        connected: ?bool,
        message: ?object
      )

      # Sends a message to the program that has called RegisterIndex on another machine. `message` is at most 12,288 bytes
      # long and 11 levels deep. It is dropped if the other machine has no such program, or is busy.
      method SendIndexMessage(team: string, deviceID: string, message: object) -> ()

      # Lists the known other machines of the user's teams. With `more`, lists all of them again at each change. `away` lists
      # those that had a session before, perhaps before the daemon started, and are not found now.
      method ListPeers() -> (peers: []Peer, away: ?[]Peer)

      # Assigns the name that a device claims to that device, although another device had it first. The other device is
      # `former`. If it still claims the name, digits of its ID follow its name from then on. `team` is needed only if the
      # device is in more than one of the user's teams.
      method AcceptName(deviceID: string, team: ?string) -> (device: string, deviceID: string, team: string, former: ?string)

      # Adds an address, HOST or HOST:PORT, at which to dial a machine of the team if discovery does not find it. The address is
      # kept until it is removed. `team` is optional if the user has only one team.
      method AddPeer(address: string, team: ?string) -> (peer: StaticPeer)

      # Undoes AddPeer, for all of the user's teams if `team` is absent. An existing session stays.
      method RemovePeer(address: string, team: ?string) -> ()

      # Lists the addresses that were added for the user's teams.
      method ListStaticPeers() -> (peers: []StaticPeer)

      # Lists the servers that the devices of the user's teams connect through if they are on different networks.
      method ListRendezvous() -> (teams: []Rendezvous)

      # Creates keys and configuration for servers, for a team that this machine administers, or for the teams of an
      # organization. `servers` and `relays` are HOST or HOST:PORT. The keys in `files` are secret. If the team already has
      # servers, `replace` must be true.
      method CreateRendezvous(
        servers: []string,
        relays: []string,
        team: ?string,
        organization: ?string,
        replace: ?bool
      ) -> (files: [](name: string, content: string))

      # Asks an organization to let a team use its servers. The request is JSON text, and not secret.
      method RequestRendezvous(team: ?string, replace: ?bool) -> (request: string)

      # Lets a team use an organization's servers. `problem` explains why the servers could not be notified.
      method AuthorizeRendezvous(request: string, organization: ?string) -> (approval: string, team: string, problem: ?string)

      # Makes the devices of a team use an organization's servers that have accepted the team.
      method ImportRendezvous(approval: string, team: ?string) -> (rendezvous: Rendezvous)

      # Stops using servers, so that the devices of a team connect only if they are on the same network.
      method RemoveRendezvous(team: ?string) -> ()

      # Returns the state of the daemon, as far as the caller is allowed to see it.
      method GetStatus() -> (
        device: string,
        version: string,
        # The port where peers reach this machine
        port: int,
        # The port in the configuration, where a firewall must admit peers; 0 for any free port
        configuredPort: ?int,
        # The names of the network interfaces that peers can use
        interfaces: ?[]string,
        discovery: (running, muted, connecting, disabled),
        teams: []Team,
        # The caller's current activity
        current: ?Activity,
        # Why the current activity is not being offered
        withheld: ?Reason,
        sessions: int,
        streams: int,
        counters: Counters
      )

      # Lists the folders in the configuration that this machine shares with others under one name, sorted by name. They are
      # the same for all users; the file system decides whether the caller can read a folder.
      method ListSharedFolders() -> (folders: []SharedFolder)

      # Returns the counters and the current state as text for Prometheus (exposition format 0.0.4).
      method GetMetrics() -> (text: string)

      # Checks everything on the way from Avahi to an app's payload. Call with `more`. There is one reply for each check, when
      # it finishes. `peer` is the name of a machine, its Device ID or a prefix of it, or HOST[:PORT]. Without `peer`, all
      # machines of the user's teams are checked. This takes at most 20 s.
      method Diagnose(peer: ?string) -> (
        check: (
          system, daemon, team, certificate, bus, avahi, interfaces, multicast, firewall, port, rendezvous, peer, clock,
          continuation, application, offer, search, browser, shell, editor, clipboard, files, notifications
        ),
        # failed: something is wrong, as in `reason`. skipped: the check was impossible. note: nothing is broken.
        outcome: (passed, failed, skipped, note),
        reason: ?Reason,
        # The finding, to show to users
        detail: string,
        # Advice, to show to users
        advice: ?string
      )

      # Creates a team. `passphrase` encrypts the team's key.
      method CreateTeam(name: string, passphrase: ?string) -> (team: Team)

      # Creates a code that admits one machine within 15 minutes. `team` is optional if the user has only one team.
      method InviteDevice(team: ?string) -> (code: string, expires: float)

      # Joins a team with a code, over the network. Without `address`, the daemon searches for the machine that issued the
      # code. With `address`, the daemon continues to use it to dial that machine. `replaces` is the ID of a team that the
      # code's team must replace (RenewTeam).
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

      # Removes a device from a team permanently. Each machine of the team refuses the device as soon as it is informed of the
      # removal. `device` is the name of the device or a prefix of its ID with at least 4 digits. `already` is true if the
      # device had already been removed, so that nothing changed.
      method RevokeDevice(device: string, team: ?string) -> (device: Device, already: bool)

      # Gives the team's key to a connected device of the team, which can then also admit and remove devices.
      method PromoteDevice(device: string, team: ?string) -> (device: Device)

      # Replaces a team with a new team that has its own key. The caller leaves the old team; if the caller is root, all users
      # of the team leave it. Machines of the old team join with JoinTeam, `replaces` and the code, which is valid for an hour
      # and for all of them.
      method RenewTeam(team: ?string, passphrase: ?string) -> (team: Team, replaced: string, code: string, expires: float)

      # Unlocks a team's key that has a passphrase for 15 minutes. Otherwise, InviteDevice, ApproveRequest, RevokeDevice,
      # PromoteDevice and SetPassphrase fail with passphraseNeeded. SetPassphrase without `passphrase` removes the passphrase.
      method UnlockTeam(team: ?string, passphrase: string) -> (team: Team)
      method SetPassphrase(team: ?string, passphrase: ?string) -> (team: Team)

      # Returns everything that makes this machine a device of the team, encrypted with a passphrase. Keep the result and the
      # passphrase apart. Only root and the team's only user on this machine can call this. `team` is optional if the user has
      # only one team.
      method BackUpTeam(team: ?string, passphrase: string) -> (backup: string, team: Team)

      # Restores a team from a backup, for the caller. If the caller is root, the team is restored for its former users. With
      # `checkOnly`, nothing changes. `device` is the name of the machine that created the backup, and `made` the time, in
      # seconds since 1970-01-01 00:00:00 UTC.
      method RestoreTeam(backup: string, passphrase: string, checkOnly: ?bool) -> (team: Team, device: string, made: float)

      # Removes a team, its keys and its peers from this machine.
      method LeaveTeam(team: string) -> ()

      # The error of every failed call to this interface: a reason from the list, and one sentence to show to users.
      error Failed (reason: Reason, message: string)

      """#
  )
}
