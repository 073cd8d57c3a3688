import Activity
import Continuation
import ControlInterface
import Discovery
import EventLoop
import JSONCoding
import Teams
import Varlink
import VarlinkService

/// What this machine's programs can ask of the daemon. Each method's handler is in its own file in this folder, and
/// only translates.
@Loop
final class ControlServer {
  let server: VarlinkServer
  let shell: ContinuationShell
  let peers: PeerTable
  let membership: Membership
  let announcer: Announcer
  let joinings: Joinings
  let administration: Administration
  let prober: Prober
  let index: IndexRelay
  let settings: Settings
  let rendezvous: RendezvousTable
  let meetings: RelayMeetings
  /// What servers are being told, by the call that asked for it.
  var publishers: [ObjectIdentifier: AccountPublisher] = [:]
  /// The port on which peers reach this machine.
  let port: PeerPort
  let offerLists: SharedLists<OfferView, ListOffers>
  let peerLists: SharedLists<UserID, ListPeers>
  let launching: LaunchingShell
  let passphrases = PassphraseQueue()
  /// The diagnoses that are under way.
  var doctors: [ObjectIdentifier: Doctor] = [:]

  /// - Parameters:
  ///   - offerWatchers: The clients that get the offers whenever they change.
  ///   - listeners: The descriptors on which it listens. It takes ownership.
  init(
    shell: ContinuationShell,
    peers: PeerTable,
    membership: Membership,
    announcer: Announcer,
    joinings: Joinings,
    administration: Administration,
    prober: Prober,
    index: IndexRelay,
    settings: Settings,
    rendezvous: RendezvousTable,
    meetings: RelayMeetings,
    port: PeerPort,
    offerWatchers: Watchers,
    listeners: [Int32]
  ) {
    self.shell = shell
    self.peers = peers
    self.membership = membership
    self.announcer = announcer
    self.joinings = joinings
    self.administration = administration
    self.prober = prober
    self.index = index
    self.settings = settings
    self.rendezvous = rendezvous
    self.meetings = meetings
    self.port = port
    launching = LaunchingShell(offerWatchers: offerWatchers)
    offerLists = SharedLists(offerWatchers) { [launching] in Self.offers($0, shell, launching) }
    peerLists = SharedLists(Watchers()) { Self.peers(of: $0, peers, shell, rendezvous) }
    server = VarlinkServer(
      product: Product(vendor: "Baton", product: "batond", version: Version.current, url: ""),
      limits: ServerLimits(
        messageLength: Limits.varlinkMessageLength,
        messageDepth: Limits.varlinkDepth,
        connections: Self.share(settings.configuration.controlMemory),
        userTime: Limits.controlUserTime,
        callTurn: Limits.controlCallTurn,
        sendQueueLength: Limits.controlSendQueueLength,
        userQueueLength: Limits.controlUserQueueLength
      )
    )
    server.add(.handoff)
    registerActivities()
    registerTeams()
    registerRendezvous()
    let counters = shell.counters
    server.onCall = { counters.count(.controlCalls, for: .root) }
    server.onError = { counters.count(.controlFailures, for: .root) }
    for listener in listeners { server.listen(owning: listener) }
  }

  private static func share(_ memory: Int) -> Share { Share(ofAll: memory / Limits.controlConnectionLength) }

  /// Changes how many bytes all connections may take.
  func resize(to memory: Int) { server.share(Self.share(memory)) }

  private func registerActivities() {
    server.on(BecomeCurrent.self) { [unowned self] in becomeCurrent($0, $1) }
    server.on(SendActivity.self) { [unowned self] in sendActivity($0, $1) }
    server.on(UpdateActivity.self) { [unowned self] in updateActivity($0, $1) }
    server.on(ResignCurrent.self) { [unowned self] in resignCurrent($0, $1) }
    server.on(ListOffers.self) { [unowned self] in listOffers($0, $1) }
    server.on(Continue.self) { [unowned self] in continueActivity($0, $1) }
    server.on(RegisterApplication.self) { [unowned self] in registerApplication($0, $1) }
    server.on(OpenOffer.self) { [unowned self] in openOffer($0, $1) }
    server.on(OpenActivity.self) { [unowned self] in openActivity($0, $1) }
    server.on(RegisterLauncher.self) { [unowned self] in registerLauncher($0, $1) }
    server.on(ReportLaunch.self) { [unowned self] in reportLaunch($0, $1) }
    server.on(OpenStream.self) { [unowned self] in openStream($0, $1) }
    server.on(AcceptStream.self) { [unowned self] in acceptStream($0, $1) }
    server.on(AwaitStream.self) { [unowned self] in awaitStream($0, $1) }
    server.on(RegisterIndex.self) { [unowned self] in registerIndex($0, $1) }
    server.on(SendIndexMessage.self) { [unowned self] in sendIndexMessage($0, $1) }
    server.on(ListPeers.self) { [unowned self] in listPeers($0, $1) }
    server.on(AddPeer.self) { [unowned self] in addPeer($0, $1) }
    server.on(RemovePeer.self) { [unowned self] in removePeer($0, $1) }
    server.on(ListStaticPeers.self) { [unowned self] in listStaticPeers($0, $1) }
    server.on(GetStatus.self) { [unowned self] in getStatus($0, $1) }
    server.on(ListSharedFolders.self) { [unowned self] in listSharedFolders($0, $1) }
    server.on(GetMetrics.self) { [unowned self] in getMetrics($0, $1) }
    server.on(Diagnose.self) { [unowned self] in diagnose($0, $1) }
  }

  private func registerRendezvous() {
    server.on(ListRendezvous.self) { [unowned self] in listRendezvous($0, $1) }
    server.on(CreateRendezvous.self) { [unowned self] in createRendezvous($0, $1) }
    server.on(RequestRendezvous.self) { [unowned self] in requestRendezvous($0, $1) }
    server.on(AuthorizeRendezvous.self) { [unowned self] in authorizeRendezvous($0, $1) }
    server.on(ImportRendezvous.self) { [unowned self] in importRendezvous($0, $1) }
    server.on(RemoveRendezvous.self) { [unowned self] in removeRendezvous($0, $1) }
    server.on(SetZone.self) { [unowned self] in setZone($0, $1) }
  }

  private func registerTeams() {
    server.on(CreateTeam.self) { [unowned self] in createTeam($0, $1) }
    server.on(InviteDevice.self) { [unowned self] in inviteDevice($0, $1) }
    server.on(JoinTeam.self) { [unowned self] in joinTeam($0, $1) }
    server.on(RequestMembership.self) { [unowned self] in requestMembership($0, $1) }
    server.on(ApproveRequest.self) { [unowned self] in approveRequest($0, $1) }
    server.on(ImportApproval.self) { [unowned self] in importApproval($0, $1) }
    server.on(ListTeams.self) { [unowned self] in listTeams($0, $1) }
    server.on(ListDevices.self) { [unowned self] in listDevices($0, $1) }
    server.on(RevokeDevice.self) { [unowned self] in revokeDevice($0, $1) }
    server.on(PromoteDevice.self) { [unowned self] in promoteDevice($0, $1) }
    server.on(RenewTeam.self) { [unowned self] in renewTeam($0, $1) }
    server.on(UnlockTeam.self) { [unowned self] in unlockTeam($0, $1) }
    server.on(SetPassphrase.self) { [unowned self] in setPassphrase($0, $1) }
    server.on(BackUpTeam.self) { [unowned self] in backUpTeam($0, $1) }
    server.on(RestoreTeam.self) { [unowned self] in restoreTeam($0, $1) }
    server.on(LeaveTeam.self) { [unowned self] in leaveTeam($0, $1) }
  }

  /// Called when some peer's state has changed.
  func peersChanged() {
    peerLists.watchers.changed()
    doctors.values.forEach { $0.peersChanged() }
  }

  /// Called when discovery has resolved an instance.
  func resolved(_ instance: String, _ addresses: [SocketAddress]) {
    doctors.values.forEach { $0.resolved(instance, addresses) }
  }
}

extension AnyExchange {
  /// Ends the exchange with the error of our interface.
  ///
  /// - Parameter message: Replaces the reason's explanation, if there is more to say.
  func fail(_ reason: Reason, message: String? = nil) {
    let failure = ControlFailure(reason, message: message)
    fail(ControlFailure.name, failure.members)
  }

  /// Ends the exchange with the reason that `body` throws.
  func failing(_ body: () throws(Reason) -> Void) {
    do throws(Reason) { try body() } catch { fail(error) }
  }
}

extension ControlTeam {
  init(_ team: Team) {
    self.init(
      id: team.id,
      name: team.name,
      administrator: team.isAdministrator,
      deviceID: team.device,
      expires: Double(team.expires),
      passphrase: team.administration == .sealed
    )
  }
}
