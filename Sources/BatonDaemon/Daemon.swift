import Activity
import Continuation
import ControlInterface
import Discovery
import EventLoop
import Glibc
import PeerProtocol
import Systemd
import TLS
import Teams
import VarlinkService

/// The parts of the daemon, and the wiring between them. It decides nothing.
@Loop
package final class Daemon: ControlHost {
  /// The configuration in effect.
  private(set) var configuration: Configuration
  private(set) var deviceName: String
  var sharedFolders: SharedFolders { configuration.sharedFolders }
  /// The port on which peers reach this machine.
  package let port: UInt16
  private let log: Log
  private let epoch: UInt64
  /// The epoch of the stream numbers that this daemon continues.
  private let streamEpoch: UInt64
  private let keep: (@Loop ([StoredDescriptor]) -> Void)?
  private let socket: ControlSocket
  private let state: StateDirectory
  private let listener: PeerListener
  let peers = PeerTable()
  let shell: ContinuationShell
  let membership: Membership
  private let admission: Admission
  let administration: Administration
  let joinings: Joinings
  private let refusals: RefusalLog
  private let watch: SystemWatch?
  private let report = StatusReport()
  private var watchdog: Watchdog?
  let announcer: Announcer
  /// Creates discovery when a reload turns it on. If this is nil, turning it on takes a restart.
  package var makeDiscovery: (@Loop (InterfacePolicy) -> any ServiceDiscovery)?
  /// The users whose screens are all locked.
  private var lockedUsers: Set<UInt32> = []
  private(set) var control: ControlServer?
  package private(set) var isStopping = false

  /// Opens everything. Nothing is served before ``start()``.
  ///
  /// - Parameters:
  ///   - discovery: Nil if the machine is not announced and does not look for others.
  ///   - login: Nil if nothing reports sleep and locked screens.
  ///   - listeners: The sockets on which systemd listens for the daemon, which takes ownership. If there are none, the
  ///     daemon creates the control socket itself.
  ///   - kept: What the previous daemon left. The daemon takes ownership.
  ///   - stateKeys: The keys that seal secrets on the disk.
  ///   - keep: Takes what the next daemon can continue; nil if nothing is kept.
  /// - Throws: `DaemonError`.
  package init(
    _ configuration: Configuration,
    placement: Placement,
    log: Log,
    discovery: (any ServiceDiscovery)?,
    login: (any LoginManager)? = nil,
    listeners: [Int32] = [],
    kept: [StoredDescriptor] = [],
    stateKeys: StateKeys = StateKeys(),
    keep: (@Loop ([StoredDescriptor]) -> Void)? = nil
  ) throws(DaemonError) {
    self.log = log
    self.keep = keep
    let kept = KeptStreams(taking: kept)
    self.configuration = configuration
    deviceName = configuration.name ?? Self.hostName
    do {
      socket = try ControlSocket(placement, listeners: listeners)
    } catch is ControlSocket.InUse {
      throw DaemonError(.alreadyRunning, "Another batond or program already listens on \(placement.socket)")
    } catch let error as ControlSocket.Occupied {
      throw DaemonError(.alreadyRunning, "The control socket cannot be created: \(error)")
    } catch {
      throw DaemonError(.failed, "The control socket cannot be created: \(error)")
    }
    do {
      listener = try PeerListener(port: configuration.port)
    } catch {
      socket.remove()
      let hint = error.code == EADDRINUSE ? "; another program uses it. Choose another port with --port" : ""
      throw DaemonError(
        error.code == EADDRINUSE ? .alreadyRunning : .failed,
        "Cannot listen on port \(configuration.port): \(error)\(hint)"
      )
    }
    port = listener.port
    do {
      try makeDirectory(placement.stateDirectory, mode: 0o700)
      state = try StateDirectory(placement.stateDirectory) { log.warning($0) }
    } catch {
      socket.remove()
      throw DaemonError(error, stateDirectory: placement.stateDirectory)
    }
    do {
      epoch = try Epoch.next(in: placement.stateDirectory, date: Time.now.date, log: log)
      membership = try Membership(directory: placement.stateDirectory, keys: stateKeys, log: log)
      peers.remembered = RememberedAddresses(in: placement.stateDirectory, log: log)
      peers.staticPeers = StaticPeerList(in: placement.stateDirectory, log: log)
    } catch {
      socket.remove()
      throw DaemonError(.failed, "The state directory \(placement.stateDirectory) cannot be used: \(error)")
    }
    streamEpoch = kept.epoch ?? epoch
    shell = ContinuationShell(peers: peers, epoch: epoch, openedCount: kept.openedCount)
    admission = Admission(membership)
    administration = Administration(membership, peers, log: log)
    joinings = Joinings(membership, port: port)
    shell.log = log
    refusals = RefusalLog(log, shell.counters)
    watch = login.map { SystemWatch($0) }
    announcer = Announcer(discovery, deviceName: deviceName, epoch: epoch, port: port)
    announcer.counters = shell.counters
    peers.streams.counters = shell.counters
    report.state = { [unowned self] in serviceState }
    joinParts()
    joinAdministration()
    heedSystem()
    control = ControlServer(shell: shell, peers: peers, membership: membership, host: self)
    do {
      for listener in try socket.listen(mode: placement.socketMode) { control?.server.listen(owning: listener) }
    } catch {
      socket.remove()
      throw DaemonError(.failed, "The control socket cannot be created: \(error)")
    }
    teamsChanged()
    for (stream, socket) in kept.streams { shell.restore(stream, socket: socket) }
    if shell.streamCount > 0 { log.notice("Resumed streams", ["streams": "\(shell.streamCount)"]) }
  }

  /// The first label of the host name.
  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text.split(separator: ".").first.map(String.init) ?? "unnamed"
  }

  var discoveryState: GetStatus.DiscoveryState {
    announcer.isEnabled ? announcer.isAvailable ? .running : .connecting : .disabled
  }

  private var serviceState: StatusReport.State {
    StatusReport.State(
      teams: membership.teams.count,
      peers: peers.sessions.count,
      discovery: discoveryState,
      port: port
    )
  }

  /// The revocation lists that this machine holds for each of its teams.
  var revocationLists: [RevocationLists] { membership.teams.map(\.credentials.revocations) }

  func examine(completion: @escaping @Loop (Examination?) -> Void) {
    announcer.examine(completion: completion)
  }

  /// Starts discovery and dialling.
  package func start() {
    announcer.start()
    peers.start()
    watch?.start()
    if let named = configuration.socket, named != socket.path {
      log.warning("The socket unit provides the control socket, so --socket is ignored", ["socket": socket.path])
    }
    log.notice("Started", ["device": deviceName, "port": "\(port)", "socket": socket.path])
    tellReady()
    watchdog = Watchdog()
  }

  /// Tells the service manager that the daemon is ready: after its start and after a reload.
  package func tellReady() {
    ServiceManager.ready(status: report.takeLine())
  }

  // MARK: Joining the parts

  private func joinParts() {
    peers.hello = { [unowned self] team in
      Hello(
        minimum: PeerSession.versions.lowerBound,
        maximum: PeerSession.versions.upperBound,
        device: deviceName.prefix(utf8Count: Limits.deviceNameLength),
        epoch: epoch,
        revocations: membership.revocations(of: team).number,
        revocationDigest: membership.revocations(of: team).digest,
        streamEpoch: streamEpoch,
        port: port,
        time: UInt64(exactly: Loop.clock.date.rounded(.down))
      )
    }
    peers.credentials = { [unowned self] in membership.credentials(in: $0) }
    peers.onRevocations = { [unowned self] in received($1, from: $0) }
    peers.onRefusal = { [unowned self] in refusals.refused($1, $0.address, isCounted: !$0.isDialler) }
    peers.clientContext = { [unowned self] in membership.clientContext($0, discoveryKey: $1) }
    peers.wantsSession = { [unowned self] in peers.streams.count(with: $0) > 0 || shell.waits(for: $0) }
    peers.owner = { [unowned self] id in membership.teams.first { $0.id == id }?.owners.first }
    peers.ownDevice = { [unowned self] in membership.device(in: $0) }
    peers.resolve = { [unowned self] in announcer.resolve($0) }
    peers.onChange = { [unowned self] in
      control?.peersChanged()
      report.changed()
    }
    announcer.onAvailability = { [unowned self] in report.changed() }
    peers.log = log
    shell.onAnnounce = { [unowned self] in announcer.announce($0, $1, counter: $2) }
    listener.onConnection = { [unowned self] in accepted($0) }
    listener.onRefusal = { [unowned self] in refusals.refused($0, $1) }
    listener.wasMet = { [unowned self] in peers.wasMet(at: $0) || admission.wasMet(at: $0) }
    admission.onRefusal = { [unowned self] in refusals.refused($0, $1) }
    admission.onAdmitted = { [unowned self] device, team in
      log.notice("Admitted a device to a team", ["device": device, "team": team.description])
    }
    membership.onChange = { [unowned self] in teamsChanged() }
    membership.onForgotten = { [unowned self] in peers.forget($0) }
    announcer.onAdvert = { [unowned self] advert, team, instance, discoveryKey in
      let peer = PeerID(team: team, device: advert.device)
      guard !membership.isRevoked(peer) else { return }
      // Removed devices know the old keys. An advert that is sealed with one is only a reason to dial.
      if membership.credentials(in: team)?.discoveryKey == discoveryKey {
        shell.handle(.advertSeen(advert, team: team))
      }
      peers.saw(instance, of: peer, name: advert.deviceName, discoveryKey: discoveryKey)
    }
    announcer.clockOffsets = { [unowned self] team, device in
      device.map { peers.clockOffsets(of: PeerID(team: team, device: $0)) } ?? [0, peers.clockOffset(in: team)]
    }
    announcer.onUnreadable = { [unowned self] instance, team in
      if peers.visits.found(instance, of: team) { announcer.rank(instance, .ours) }
    }
    peers.onRanked = { [unowned self] in announcer.rank($0, $1) }
    peers.visits.resolve = { [unowned self] in announcer.resolve($0) }
    announcer.onNetworkChanged = { [unowned self] in peers.networkChanged() }
    announcer.onLost = { [unowned self] in peers.lost($0) }
    announcer.onResolved = { [unowned self] instance, addresses in
      peers.resolved(instance: instance, addresses)
      if !addresses.isEmpty { joinings.add(addresses) }
      control?.doctors.values.forEach { $0.resolved(instance, addresses) }
    }
    announcer.onInstance = { [unowned self] in if joinings.isSearching { announcer.resolve($0) } }
    joinings.onSearch = { [unowned self] in announcer.instances.forEach(announcer.resolve) }
    joinings.onReached = { [unowned self] in peers.remember($0, at: $1) }
  }

  private func heedSystem() {
    watch?.onSleep = { [unowned self] in
      log.info("The machine is going to sleep, so nothing is offered")
      shell.handle(.asleep(true))
      announcer.fallSilent()
    }
    watch?.onWake = { [unowned self] in
      log.info("The machine was asleep, this process was stopped, or the clock was set")
      shell.handle(.asleep(false))
      announcer.announceAnew()
      administration.check()
      peers.resumed()
    }
    watch?.onScreensLocked = { [unowned self] in
      lockedUsers = $0
      withhold()
    }
  }

  private func withhold() { shell.handle(.screensLocked(configuration.withholdsWhenLocked ? lockedUsers : [])) }

  private func accepted(_ connection: TLSConnection) {
    switch connection.tls.application {
    case .join: admission.take(connection)
    case .peer:
      guard let team = connection.tls.team, let device = connection.tls.peer else { return connection.finish() }
      peers.take(connection, PeerID(team: team, device: device), isDialler: false)
    }
  }

  private func received(_ message: Revocations, from session: PeerConnection) {
    let team = session.peer.team
    do throws(Reason) {
      try membership.take(message, of: team) { session.revocations?.received(message.list, holding: $0) }
    } catch {
      refusals.refused(error, session.address)
      if error == .certificateInvalid { session.leave(.protocolViolation) }
    }
  }

  private func teamsChanged() {
    let teams = membership.teams
    do {
      listener.context = try membership.serverContext()
    } catch {
      log.error("Connections from peers cannot be accepted", ["error": "\(error)"])
    }
    announcer.setTeams(teams.map(\.credentials))
    shell.handle(.teamsChanged(Dictionary(uniqueKeysWithValues: teams.map { ($0.id, Set($0.owners)) })))
    peers.keep(Set(teams.map(\.id)))
    peers.revocationsChanged()
    announcer.readAgain()
    report.changed()
  }

  // MARK: The end

  /// Stops the daemon: nothing is offered any longer, streams have `Limits.stopTime` to finish, and peers are told.
  ///
  /// If it is called again, it no longer waits for streams.
  ///
  /// - Parameter completion: Called once. That of a later call is not called.
  package func stop(completion: @escaping @Loop () -> Void) {
    guard !isStopping else { return giveStreamsUp() }
    isStopping = true
    log.notice("Stopping")
    report.stop()
    ServiceManager.stopping()
    watch?.stop()
    shell.handle(.stopping)
    listener.close()
    // New clients wait for the next daemon.
    if socket.isSystemds { control?.server.stopListening() }
    joinings.stop()
    let deadline = Loop.now + Limits.stopTime
    var remaining = 3
    let stopped: @Loop () -> Void = { [self] in
      remaining -= 1
      guard remaining == 0 else { return }
      // Later, because parts of this object may still be running, and its owner may release it now.
      Task { @Loop in
        state.release()
        socket.remove()
        log.notice("Stopped")
        completion()
      }
    }
    announcer.stop(completion: stopped)
    shell.finishStreams(by: deadline) { [self] in
      giveStreamsUp()
    } completion: { [self] in
      peers.close(completion: stopped)
      control?.server.close(by: Loop.now + .seconds(1), completion: stopped)
    }
  }
}

extension Daemon {
  /// Applies another configuration as far as possible while the daemon runs. Sessions and streams continue.
  ///
  /// - Returns: The differences from the configuration in effect. Those that are not applied take a restart.
  package func apply(_ new: Configuration) -> [ConfigurationChange] {
    let canTurn = makeDiscovery != nil || !new.usesDiscovery
    let changes = ConfigurationChange.all(from: configuration, to: new, canTurnDiscoveryOn: canTurn)
    let old = configuration
    configuration = new
    configuration.port = old.port
    if !canTurn { configuration.usesDiscovery = old.usesDiscovery }
    log.level = new.logLevel
    // The host's name may have changed, too.
    let name = new.name ?? Self.hostName
    if name != deviceName {
      deviceName = name
      announcer.setDeviceName(name)
      for session in peers.sessions { session.send(.renamed(Renamed(device: name))) }
    }
    if configuration.usesDiscovery != old.usesDiscovery {
      announcer.setDiscovery(configuration.usesDiscovery ? makeDiscovery?(new.interfaces) : nil)
    } else if new.interfaces != old.interfaces {
      announcer.use(new.interfaces)
    }
    if new.withholdsWhenLocked != old.withholdsWhenLocked { withhold() }
    return changes
  }

  /// Leaves the streams to the next daemon, or ends them if nothing is kept.
  private func giveStreamsUp() {
    if let keep {
      let kept = KeptStreams(epoch: streamEpoch, openedCount: shell.openedCount, streams: shell.leaveStreams())
      if !kept.streams.isEmpty { keep(kept.descriptors()) }
    }
    peers.resetStreams(.shuttingDown)
  }
}
