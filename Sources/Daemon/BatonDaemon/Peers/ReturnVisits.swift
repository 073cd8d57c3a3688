// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import TLS

/// What ``ReturnVisits`` needs from the other parts.
@Loop
protocol ReturnVisitsHost: AnyObject {
  /// Asks discovery for the addresses of an instance. ``ReturnVisits/resolved(_:_:)`` gets the answer.
  func resolve(_ instance: String)
  /// Creates an engine to dial with `K_return`; nil if this machine can no longer create one.
  func makeEngine(toVisit team: TeamID, isSecondTry: Bool) -> TLSEngine?
  /// A device of the team was reached. The host takes the connection over.
  func visited(_ team: TeamID, _ connection: TLSConnection)
  /// An instance has given its place to a new one, and is no longer dialled.
  func visitReplaced(_ instance: String)
}

/// Dials the instances of a team whose adverts this machine has no key for. Either those devices or this machine were
/// away for long. The certificate shows which device it is, and in the session both sides get the newest key.
@Loop
final class ReturnVisits {
  @Loop
  private final class Visit {
    let team: TeamID
    var timer: Timer?
    var backoff = Backoff(Limits.dialBackoff)
    var dialer: PeerDialer?
    var isResolving = false
    /// How many attempts failed, and when the last one did.
    private(set) var failures = 0
    private(set) var lastFailure = Loop.now

    init(_ team: TeamID) { self.team = team }

    func failed() {
      failures += 1
      lastFailure = Loop.now
    }

    func cancel() {
      timer = nil
      dialer?.cancel()
    }
  }

  private unowned let host: any ReturnVisitsHost
  private var visits: [String: Visit] = [:]
  /// Limits dialling, because the sign proves nothing. A forger must not be able to make this machine connect to others
  /// all the time.
  private var dials = DialLimiter<[UInt8]>()

  init(host: any ReturnVisitsHost) { self.host = host }

  /// Dials an instance from now on, with growing pauses. If all places are taken, it replaces the instance that failed
  /// most often, or of several such instances the one that failed longest ago. Removed devices can announce as many
  /// instances as they like, so an instance is replaced only after it had a turn.
  ///
  /// - Returns: Whether the instance is dialled.
  func found(_ instance: String, of team: TeamID) -> Bool {
    guard visits[instance] == nil else { return true }
    guard visits.count < Limits.returnVisits || replaceOne() else { return false }
    let visit = Visit(team)
    visits[instance] = visit
    visit.timer = Timer { [weak self, weak visit] in
      guard let self, let visit else { return }
      visit.isResolving = true
      // The instance is resolved again later, even if nobody answers.
      visit.timer?.set(Loop.now + Limits.resolveTime + visit.backoff.next())
      self.host.resolve(instance)
    }
    // A random delay, because both sides find each other at the same time.
    visit.timer?.set(Loop.now + Limits.dialCourtesy * Double.random(in: 0...1))
    return true
  }

  private func replaceOne() -> Bool {
    let failed = visits.filter { $0.value.failures > 0 }
    let least = failed.max { ($0.value.failures, $1.value.lastFailure) < ($1.value.failures, $0.value.lastFailure) }
    guard let instance = least?.key else { return false }
    lost(instance)
    host.visitReplaced(instance)
    return true
  }

  func lost(_ instance: String) { visits.removeValue(forKey: instance)?.cancel() }

  func resolved(_ instance: String, _ addresses: [SocketAddress]) {
    guard let visit = visits[instance], visit.isResolving, visit.dialer == nil else { return }
    visit.isResolving = false
    let few = addresses.prefix(Limits.addressesPerDoubtfulInstance)
    let addresses = few.filter { dials.take(to: $0.source, at: Loop.now) }
    guard !addresses.isEmpty else { return visit.failed() }
    let team = visit.team
    visit.dialer = PeerDialer(
      addresses,
      makeEngine: { [weak self] in self?.host.makeEngine(toVisit: team, isSecondTry: $0) },
      completion: { [weak self, weak visit] result in
        visit?.dialer = nil
        guard case .success(let connection) = result else {
          visit?.failed()
          return
        }
        if let self { self.host.visited(team, connection) } else { connection.finish() }
      }
    )
  }

  /// Ends the visits to instances of all other teams.
  func keep(_ teams: Set<TeamID>) {
    for (instance, visit) in visits where !teams.contains(visit.team) { lost(instance) }
  }
}
