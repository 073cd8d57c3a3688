// SPDX-License-Identifier: Apache-2.0

import Activity
import Discovery
import EventLoop
import Handoff
import Systemd
import TLS
import Teams

/// The parts of the daemon. It decides nothing.
///
/// A part is made with the parts and values that it needs. What it says to parts that are made after it goes through
/// its host, the ``Junction``.
@Loop
package final class Daemon {
  private let junction = Junction()
  let settings: Settings
  let log: Log
  let resources: Resources
  /// The port on which peers reach this machine.
  package var port: UInt16 { listener.port.number }

  // Discovery.
  let announcer: Announcer
  /// Creates discovery when a reload turns it on; nil if the machine has none.
  let makeDiscovery: (@Loop (InterfacePolicy) -> any ServiceDiscovery)?

  // Membership.
  let membership: Membership
  let admission: Admission
  let administration: Administration
  let joinings: Joinings

  // Peers.
  let listener: PeerListener
  let visits: ReturnVisits
  let peers: PeerTable
  let rendezvous: RendezvousTable
  let meetings: RelayMeetings
  /// Nil unless the configuration names it.
  var tailscale: TailscaleSource?

  // Handoff.
  let shell: ContinuationShell
  /// The epoch of the stream numbers that this daemon continues.
  let streamEpoch: UInt64
  let keep: (@Loop ([StoredDescriptor]) -> Void)?

  // Control and diagnosis.
  let control: ControlServer
  let prober: Prober
  let index: IndexRelay
  let report: StatusReport

  // The system.
  let watch: SystemWatch?
  private var watchdog: Watchdog?
  var memory: MemoryReturn?
  package internal(set) var isStopping = false

  /// Opens everything. Nothing is served before ``start()``.
  ///
  /// - Parameters:
  ///   - makeDiscovery: Creates what announces this machine and looks for others; nil if the machine has nothing for
  ///     it.
  ///   - login: Nil if nothing reports sleep and locked screens.
  ///   - listeners: The sockets on which systemd listens for the daemon, which takes ownership. If there are none, the
  ///     daemon creates the control socket itself.
  ///   - kept: What the previous daemon left. The daemon takes ownership.
  ///   - stateKeys: The keys that seal secrets on the disk.
  ///   - keep: Takes what the next daemon can continue; nil if nothing is kept.
  ///   - ports: The sockets on which the previous daemon listened for peers. The daemon takes ownership.
  ///   - keepPort: Takes a copy of the socket on which this daemon listens for peers; nil if it is not kept.
  /// - Throws: `DaemonError`.
  package init(
    _ configuration: Configuration,
    placement: Placement,
    log: Log,
    makeDiscovery: (@Loop (InterfacePolicy) -> any ServiceDiscovery)?,
    login: (any LoginManager)? = nil,
    listeners: [Int32] = [],
    kept: [StoredDescriptor] = [],
    stateKeys: StateKeys = StateKeys(),
    keep: (@Loop ([StoredDescriptor]) -> Void)? = nil,
    ports: [Int32] = [],
    keepPort: (@Loop (Int32) -> Void)? = nil
  ) throws(DaemonError) {
    (self.log, self.makeDiscovery, self.keep) = (log, makeDiscovery, keep)
    let kept = KeptStreams(taking: kept)
    let counters = Tally()
    let refusals = RefusalLog(log, counters)
    let offerWatchers = Watchers()
    settings = Settings(configuration)
    resources = try Resources(
      placement,
      listeners: listeners,
      port: PeerPort(configuration.port, passed: ports, keep: keepPort, log: log),
      host: junction,
      refusals: refusals,
      keys: stateKeys,
      log: log
    )
    listener = resources.listener
    let port = listener.port
    streamEpoch = kept.epoch ?? resources.epoch
    announcer = Announcer(
      configuration.usesDiscovery ? makeDiscovery?(configuration.interfaces) : nil,
      host: junction,
      settings: settings,
      epoch: resources.epoch,
      port: port,
      counters: counters
    )
    membership = Membership(resources.teams, host: junction, log: log)
    visits = ReturnVisits(host: junction)
    peers = PeerTable(
      host: junction,
      membership: membership,
      announcer: announcer,
      visits: visits,
      streams: StreamTable(counters: counters, memory: StreamMemory(limit: configuration.streamMemory)),
      stateDirectory: placement.stateDirectory,
      ownName: { [settings] in settings.deviceName },
      refusals: refusals,
      log: log
    )
    let rendezvousSettings = RendezvousSettings(settings, port: port)
    rendezvous = RendezvousTable(
      host: junction,
      membership: membership,
      settings: rendezvousSettings,
      counters: counters,
      log: log
    )
    meetings = RelayMeetings(host: junction, rendezvous: rendezvous, settings: rendezvousSettings, log: log)
    admission = Admission(membership, refusals: refusals, log: log)
    administration = Administration(membership, peers, settings: settings, log: log)
    joinings = Joinings(membership, peers, announcer, port: port)
    prober = Prober(peers)
    index = IndexRelay(peers, membership)
    shell = ContinuationShell(
      peers,
      announcer,
      offerWatchers: offerWatchers,
      epoch: resources.epoch,
      openedCount: kept.openedCount,
      counters: counters,
      log: log
    )
    control = ControlServer(
      shell: shell,
      peers: peers,
      membership: membership,
      announcer: announcer,
      joinings: joinings,
      administration: administration,
      prober: prober,
      index: index,
      settings: settings,
      rendezvous: rendezvous,
      meetings: meetings,
      port: port,
      offerWatchers: offerWatchers,
      listeners: resources.controlListeners
    )
    report = StatusReport { [announcer] in
      StatusReport.State(discovery: announcer.state, port: port.number, takenPort: port.fault?.port)
    }
    watch = login.map { [junction] in SystemWatch($0, host: junction) }
    junction.join(self)
    resume(kept)
  }

  /// Brings back what the files and the previous daemon have left.
  private func resume(_ kept: KeptStreams) {
    // Teams replaced earlier may still have entries under their old IDs, because a daemon ended or the disk was full.
    for team in membership.teams {
      for old in team.replaces where membership.credentials(in: old) == nil { peers.rename(old, to: team.id) }
    }
    junction.teamsChanged()
    for (stream, socket) in kept.streams { shell.restore(stream, socket: socket) }
    if shell.streamCount > 0 { log.notice("Resumed streams", ["streams": "\(shell.streamCount)"]) }
  }

  /// Starts discovery and dialling.
  package func start() {
    announcer.start()
    peers.start()
    rendezvous.start()
    useSource()
    watch?.start()
    let socket = resources.socket.path
    if let named = settings.configuration.socket, named != socket {
      log.warning("The socket unit provides the control socket, so --socket is ignored", ["socket": socket])
    }
    log.notice("Started", ["device": settings.deviceName, "port": "\(port)", "socket": socket])
    tellReady()
    watchdog = Watchdog()
    let memory = MemoryReturn()
    shell.counters.onUse = { [weak memory] in memory?.noteUse() }
    self.memory = memory
  }

  /// Tells the service manager that the daemon is ready: after its start and after a reload.
  package func tellReady() {
    ServiceManager.ready(status: report.takeLine())
  }

  /// What this machine says about itself in a session of the team.
  func hello(in team: TeamID) -> Hello {
    let revocations = membership.revocations(of: team)
    return Hello(
      minimum: PeerSession.versions.lowerBound,
      maximum: PeerSession.versions.upperBound,
      device: settings.deviceName.prefix(utf8Count: Limits.deviceNameLength),
      epoch: resources.epoch,
      revocations: revocations.number,
      revocationDigest: revocations.digest,
      streamEpoch: streamEpoch,
      port: port,
      time: UInt64(exactly: Loop.clock.date.rounded(.down)),
      addresses: SaidAddresses.own(settings.configuration.interfaces)
    )
  }
}
