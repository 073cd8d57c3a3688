import Activity
import Continuation
import EventLoop
import PeerProtocol
import Systemd
import TLS
import Team

/// The teams of this machine, and what it is in handshakes because of them.
@Loop
final class Membership {
  /// A team came, went or changed.
  var onChange: (@Loop () -> Void)?

  private let store: TeamStore
  private let log: Log
  /// By team and discovery key.
  private var clients: [TeamID: [[UInt8]: TLSContext]] = [:]

  /// - Throws: `Reason.storageFailed`.
  init(directory: String, keys: StateKeys = StateKeys(), log: Log) throws(Reason) {
    self.log = log
    let secrets = SecretFiles(key: keys.current, previousKey: keys.previous)
    store = try TeamStore(directory: directory, secrets: secrets, now: Self.now) { log.error($0) }
  }

  private static var now: Int64 { Int64(Time.now.date) }

  var teams: [Team] { store.teams }

  func device(in team: TeamID) -> DeviceID? { (try? store.team(team))?.device }

  // MARK: Handshakes

  /// Nil where this machine is in no team.
  func serverContext() throws(TLSError) -> TLSContext? {
    guard !store.teams.isEmpty else { return nil }
    return try .server(credentials: store.teams.map(\.credentials), joinable: store.joinable) {
      [store] team, identity in
      store.invitationKey(of: team, identity: identity)
    }
  }

  func credentials(in team: TeamID) -> Credentials? { (try? store.team(team))?.credentials }

  /// - Parameter discoveryKey: The one under which the device was found that is dialled; nil for the team's newest.
  func clientContext(_ team: TeamID, discoveryKey: [UInt8]?) -> TLSContext? {
    guard let credentials = credentials(in: team) else { return nil }
    let key = discoveryKey ?? credentials.discoveryKey
    if let context = clients[team]?[key] { return context }
    guard let context = try? TLSContext.client(credentials: credentials.using(discoveryKey: key)) else { return nil }
    clients[team, default: [:]][key] = context
    return context
  }

  // MARK: What users ask for

  func teams(of user: UInt32) -> [Team] { store.teams(of: user) }

  /// The team that a user means.
  ///
  /// - Parameter text: Its short ID or its name; nil for the only one.
  /// - Throws: `teamNotFound`, `teamAmbiguous`.
  func team(_ text: String?, of user: UInt32) throws(Reason) -> Team {
    let teams = store.teams(of: user)
    guard let text else {
      guard let only = teams.first else { throw .teamNotFound }
      guard teams.count == 1 else { throw .teamAmbiguous }
      return only
    }
    if let team = teams.first(where: { $0.id.description == text.uppercased() }) { return team }
    let named = teams.filter { $0.name == text }
    guard let team = named.first else { throw .teamNotFound }
    guard named.count == 1 else { throw .teamAmbiguous }
    return team
  }

  func create(_ name: String, owner: UInt32) throws(Reason) -> Team {
    checkClock()
    let team = try store.create(name: name, owner: owner, now: Self.now)
    onChange?()
    return team
  }

  func leave(_ team: Team, user: UInt32) throws(Reason) {
    try store.leave(team.id, user: user)
    if !store.teams.contains(where: { $0.id == team.id }) { clients[team.id] = nil }
    onChange?()
  }

  func invite(to team: Team) throws(Reason) -> (code: String, expires: Int64) {
    checkClock()
    let invitation = try store.invite(team.id, now: Self.now)
    return (invitation.code.text, invitation.expires)
  }

  func redeem(_ identity: [UInt8], of team: TeamID, _ join: Join) throws(Reason) -> Joined {
    try store.redeem(identity, of: team, request: join.request, name: join.device, now: Self.now)
  }

  func complete(_ joined: Joined, key: PrivateKey, code: InvitationCode, owner: UInt32) throws(Reason) -> Team {
    let team = try store.complete(joined, key: key, code: code, owner: owner, now: Self.now)
    onChange?()
    return team
  }

  func request(owner: UInt32) throws(Reason) -> String { try store.request(owner: owner) }

  func approve(_ request: String, in team: Team) throws(Reason) -> String {
    checkClock()
    return try store.approve(request, in: team.id, now: Self.now)
  }

  func importApproval(_ approval: String, owner: UInt32) throws(Reason) -> Team {
    let team = try store.import(approval, owner: owner, now: Self.now)
    onChange?()
    return team
  }

  /// What is made then is of use all the same; but this machine sees the certificates of others as not good yet.
  private func checkClock() {
    guard Self.now < Authority.earliest else { return }
    log.warning("The clock of this machine shows a time long ago; set it", ["seconds": "\(Self.now)"])
  }

  // MARK: Revocation

  func isRevoked(_ peer: PeerID) -> Bool { revocations(of: peer.team).names(peer.device) }

  /// What this machine holds of a team.
  func revocations(of team: TeamID) -> RevocationLists { credentials(in: team)?.revocations ?? RevocationLists() }

  /// - Throws: `notAdministrator`.
  func devices(of team: Team) throws(Reason) -> [AdmittedDevice] { try store.devices(of: team.id) }

  /// - Throws: `notAdministrator`, `limitReached`.
  func revoke(_ device: DeviceID, of team: Team) throws(Reason) {
    try store.revoke(device, of: team.id, now: Self.now)
    revocationsChanged(team.id)
  }

  /// Takes the list that a peer gave, where it is newer or names other devices; `known` is called before ``onChange``.
  ///
  /// - Throws: `certificateInvalid` where the team's authority has not signed it.
  func take(_ message: Revocations, of team: TeamID, known: (RevocationLists) -> Void) throws(Reason) {
    let isNews = try store.take(message.list, discoveryKey: message.discoveryKey, of: team, now: Self.now)
    known(revocations(of: team))
    if isNews { revocationsChanged(team) }
  }

  /// A session with a device has begun. Only the administrator's machine wants to know, and only where it does not.
  func met(_ peer: PeerID, name: String, serial: [UInt8]) {
    try? store.learn(name, serial: serial, of: peer.device, in: peer.team, now: Self.now)
  }

  private func revocationsChanged(_ team: TeamID) {
    let lists = revocations(of: team)
    log.notice(
      "Devices were removed from a team",
      [
        "team": team.description, "list": "\(lists.number)", "devices": "\(lists.entries.count)",
        "last": lists.entries.last?.device.description ?? "",
      ]
    )
    clients[team] = nil
    onChange?()
  }
}
