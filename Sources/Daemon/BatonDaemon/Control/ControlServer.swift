// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Discovery
import EventLoop
import Handoff
import JSONCoding
import Teams
import Varlink
import VarlinkServer

/// What this machine's programs can ask of the daemon. Each method's handler is in its own file in this folder, and
/// only translates.
@Loop
final class ControlServer: HandoffMethods {
  /// The maximum number of bytes of unread replies and unfinished calls of all clients of one user. Root's are not
  /// counted. Some programs may stop reading at the same time. Ten users who do so on purpose take less than a fifth of
  /// the memory that the unit allows.
  private static let controlUserQueueLength = 8 * 1024 * 1024
  /// How long one user's calls may occupy the loop, in seconds. Root's calls are not counted. What is measured is
  /// limited to a quarter of the time. Including what is not measured (waking up, and work that a call leaves for
  /// later), a user takes at most a third.
  private static let controlUserTime = TokenBucket.Rate(perSecond: 0.25, burst: 0.25)
  /// How long the calls of one connection may occupy the loop before it is the turn of others.
  private static let controlCallTurn = Duration.microseconds(500)

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
        connections: Limits.controlConnectionShare,
        userTime: Self.controlUserTime,
        callTurn: Self.controlCallTurn,
        sendQueueLength: Limits.controlSendQueueLength,
        userQueueLength: Self.controlUserQueueLength
      )
    )
    server.add(self)
    let counters = shell.counters
    server.onCall = { counters.count(.controlCalls, for: .root) }
    server.onError = { counters.count(.controlFailures, for: .root) }
    for listener in listeners { server.listen(owning: listener) }
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

  /// Runs `body`, which may wait for the disk, and ends the exchange with the reason that it throws.
  func answering(_ body: @escaping @Loop () async throws(Reason) -> Void) {
    Loop.begin { [self] in
      do throws(Reason) { try await body() } catch { fail(error) }
    }
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
