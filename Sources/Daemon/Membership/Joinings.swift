import Activity
import Continuation
import EventLoop
import TLS
import Team

/// The attempts to join a team that are under way, and what comes of them.
@Loop
final class Joinings {
  typealias Completion = @Loop (Result<Team, Reason>) -> Void

  /// A peer has admitted this machine at an address that somebody named.
  var onReached: (@Loop (PeerID, SocketAddress) -> Void)?

  private let membership: Membership
  /// Where this machine reaches itself.
  private let port: UInt16
  private var attempts: [Int: Joining] = [:]
  private var last = 0
  private var isStopped = false

  init(_ membership: Membership, port: UInt16) {
    self.membership = membership
    self.port = port
  }

  var count: Int { attempts.count }

  /// - Parameters:
  ///   - address: Of the machine to ask; nil where machines are to be found, see ``add(_:)``.
  ///   - deviceName: What this machine is called.
  ///   - replacing: The team that the new one is to replace.
  ///   - completion: Called once.
  func begin(
    _ code: InvitationCode,
    address: (host: String, port: UInt16)?,
    deviceName: String,
    owner: UserID,
    replacing: Team?,
    completion: @escaping Completion
  ) {
    guard let address else { return begin(code, addresses: nil, deviceName, owner, replacing, completion) }
    AddressParser.resolve(host: address.host, port: address.port, for: owner) { [weak self] addresses in
      guard let self else { return completion(.failure(.shuttingDown)) }
      self.begin(code, addresses: addresses, deviceName, owner, replacing, completion)
    }
  }

  private func begin(
    _ code: InvitationCode,
    addresses: [SocketAddress]?,
    _ deviceName: String,
    _ owner: UserID,
    _ old: Team?,
    _ completion: @escaping Completion
  ) {
    // The resolver may have taken its time.
    guard !isStopped else { return completion(.failure(.shuttingDown)) }
    last += 1
    let id = last
    let team = membership.teams.first { code.isFor($0.id) }
    if let team, membership.isSettled(team, for: owner) { return completion(.failure(.alreadyMember)) }
    attempts[id] = Joining(
      code,
      deviceName: deviceName,
      deviceKey: (team ?? old)?.credentials.key,
      certificate: try? old?.credentials.certificate.pem(),
      addresses: addresses,
      ownPort: port
    ) { [weak self] result in
      self?.attempts[id] = nil
      guard let self else { return completion(.failure(.shuttingDown)) }
      do throws(Reason) {
        let admitted = try result.get()
        let entered = try self.membership.complete(admitted, code: code, owner: owner, replacing: old)
        // Who had to be named now may not be found later either.
        if addresses != nil, team == nil, let device = admitted.joined.device, let address = admitted.address {
          self.onReached?(PeerID(team: entered.id, device: device), address)
        }
        completion(.success(entered))
      } catch {
        completion(.failure(error))
      }
    }
    // Its own adverts are not among those that are heard. A machine that is in any team asks itself, and does not say what came
    // of it: whether it is in this one, for another user, is not this user's business.
    if addresses == nil, !membership.teams.isEmpty, let ourselves = SocketAddress(bytes: [127, 0, 0, 1], port: port) {
      attempts[id]?.add([ourselves], isThisMachine: true)
    }
  }

  /// A machine that any of the codes could be of.
  func add(_ addresses: [SocketAddress]) { attempts.values.forEach { $0.add(addresses) } }

  /// Ends all, and begins none any more.
  func stop() {
    isStopped = true
    attempts.values.forEach { $0.cancel() }
  }
}
