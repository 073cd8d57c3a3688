// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import TLS
import Teams

/// All attempts to join a team in progress, and what follows from their results.
@Loop
final class Joinings {
  typealias Completion = @Loop (Result<Team, Reason>) -> Void

  private let membership: Membership
  private let peers: PeerTable
  private let announcer: Announcer
  /// The port on which this machine reaches itself.
  private let port: PeerPort
  /// The users who join, also while an address's name is being looked up.
  private var users: [Int: UserID] = [:]
  private var attempts: [Int: Joining] = [:]
  /// Limits dialling, because anybody can announce an address while a machine joins.
  private var dials = DialLimiter<[UInt8]>()
  /// Where machines are announced that may have given out one of the codes, though not on the link where they are seen.
  private var elsewhere: [String: SocketAddress] = [:]
  private static let elsewhereLimit = 16
  private var last = 0
  private var isStopped = false

  init(_ membership: Membership, _ peers: PeerTable, _ announcer: Announcer, port: PeerPort) {
    self.membership = membership
    self.peers = peers
    self.announcer = announcer
    self.port = port
  }

  var count: Int { users.count }

  /// Whether a machine that is found is asked: one that may have given out one of the codes.
  func wants(_ instance: String) -> Bool { attempts.values.contains { $0.wants(instance) } }

  /// - Parameters:
  ///   - address: The address of the machine to ask; nil if machines must be found, see ``add(_:)``.
  ///   - deviceName: The name of this machine.
  ///   - replacing: The team that the new one replaces.
  ///   - completion: Called once.
  func begin(
    _ code: InvitationCode,
    address: (host: String, port: UInt16)?,
    deviceName: String,
    owner: UserID,
    replacing: Team?,
    completion: @escaping Completion
  ) {
    let own = users.values.count { $0 == owner }
    guard Limits.joinShare.allows(owner, own: own, all: users.count) else { return completion(.failure(.limitReached)) }
    if users.isEmpty { elsewhere = [:] }
    last += 1
    let id = last
    users[id] = owner
    let completion: Completion = { [weak self] in
      self?.users[id] = nil
      completion($0)
    }
    guard let address else { return begin(id, code, addresses: nil, deviceName, owner, replacing, completion) }
    AddressParser.resolve(host: address.host, port: address.port, for: owner) { [weak self] addresses in
      guard let self else { return completion(.failure(.shuttingDown)) }
      self.begin(id, code, addresses: addresses, deviceName, owner, replacing, completion)
    }
  }

  private func begin(
    _ id: Int,
    _ code: InvitationCode,
    addresses: [SocketAddress]?,
    _ deviceName: String,
    _ owner: UserID,
    _ old: Team?,
    _ completion: @escaping Completion
  ) {
    // The daemon may have been stopped while the name was looked up.
    guard !isStopped else { return completion(.failure(.shuttingDown)) }
    guard old?.belongs(to: owner) ?? true else { return completion(.failure(.teamNotFound)) }
    let teams = membership.teams.filter { code.isFor($0.id) }
    let own = teams.first { $0.owners.contains(owner) }
    if let own, membership.isSettled(own, for: owner) { return completion(.failure(.alreadyMember)) }
    // Anyone can make up a code. So only a key of the user's own teams is shown, and nothing about those of other
    // users.
    let team = own ?? teams.first
    let known = old ?? own
    let attempt = Joining(
      code,
      deviceName: deviceName,
      deviceKey: known?.credentials.key,
      member: team?.device == known?.device ? nil : team?.credentials,
      certificate: try? old?.credentials.certificate.pem(),
      addresses: addresses,
      ownPort: port.number,
      takeNext: { [weak self] in self?.takeNext(&$0) }
    ) { [weak self] result in
      guard let self else { return completion(.failure(.shuttingDown)) }
      self.attempts[id] = nil
      // A machine whose address the user had to give may not be found later, either.
      let isRemembered = addresses != nil && team == nil
      switch result {
      case .failure(let reason):
        // A daemon that stops answers now, or not at all.
        completion(.failure(reason))
        self.look()
      case .success(let admitted):
        Loop.begin { [self] in
          await self.ended(admitted, code, owner, replacing: old, isRemembered: isRemembered, completion)
        }
      }
    }
    attempts[id] = attempt
    guard addresses == nil else { return }
    // This machine does not receive its own adverts. A machine in any team asks itself, and does not report the result.
    // This user must not learn whether the machine is in this team for another user.
    if !membership.teams.isEmpty, let ourselves = SocketAddress(bytes: [127, 0, 0, 1], port: port.number) {
      attempt.addOurselves(ourselves)
    }
    look()
    announcer.instances.filter(wants).forEach(announcer.resolve)
  }

  /// Called when another machine has admitted this one.
  ///
  /// - Parameter isRemembered: Whether to remember the address of the machine that has admitted this one.
  private func ended(
    _ admitted: Joining.Admitted,
    _ code: InvitationCode,
    _ owner: UserID,
    replacing old: Team?,
    isRemembered: Bool,
    _ completion: Completion
  ) async {
    // At the end, because a machine that has joined knows the same instances by the team's own key then.
    defer { look() }
    do throws(Reason) {
      let entered = try await membership.complete(admitted, code: code, owner: owner, replacing: old)
      if isRemembered, let device = admitted.joined.device, let address = admitted.address {
        peers.remember(PeerID(team: entered.id, device: device), at: address)
      }
      completion(.success(entered))
    } catch {
      completion(.failure(error))
    }
  }

  /// Looks for the machines that may have given out the codes.
  private func look() {
    announcer.look(forInviters: Set(attempts.values.filter(\.isSearching).map(\.inviterKey)))
  }

  private func takeNext(_ candidates: inout JoinCandidates) -> SocketAddress? {
    var generator = SystemRandomNumberGenerator()
    return candidates.next(&dials, at: Loop.now, using: &generator)
  }

  /// Adds a machine where it may have given out one of the codes.
  func add(_ addresses: [SocketAddress], of instance: String) {
    for attempt in attempts.values where attempt.wants(instance) { attempt.add(addresses) }
  }

  /// Notes where a machine is announced that is not dialled, because that is on no link where it is seen.
  func foundElsewhere(_ addresses: [SocketAddress], of instance: String) {
    guard wants(instance), elsewhere.count < Self.elsewhereLimit else { return }
    elsewhere[instance] = addresses.first
  }

  /// Such an address of a machine that may have given out the code.
  func elsewhere(for code: InvitationCode) -> SocketAddress? {
    let filter = InstanceFilter(keys: [], inviterKeys: [code.inviterKey])
    return elsewhere.first { filter.accepts($0.key) }?.value
  }

  /// Ends all attempts. No more can begin.
  func stop() {
    isStopped = true
    attempts.values.forEach { $0.cancel() }
  }
}
