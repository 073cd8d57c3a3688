// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Handoff
import Teams
import VarlinkServer

extension ControlServer {
  func authorizeRendezvous(_ parameters: AuthorizeRendezvous.Parameters, _ exchange: Exchange<AuthorizeRendezvous>) {
    exchange.failing { () throws(Reason) in
      let (answer, account, own, team) = try membership.store.authorizeRendezvous(
        parameters.request,
        as: parameters.organization,
        by: exchange.user,
        now: Membership.now
      )
      let reply: @Loop (String?) -> Void = { problem in
        exchange.reply(AuthorizeRendezvous.Reply(approval: answer, team: team, problem: problem))
      }
      let servers = own.servers.compactMap { ServerAddress($0) }
      tell(servers[...], of: account, pins: own.pins, for: exchange.user, as: ObjectIdentifier(exchange), then: reply)
    }
  }

  /// Tells the first of an operator's servers that can be reached, which tells the others.
  ///
  /// - Parameter completion: Called with what has gone wrong with the last one; nil if nothing has.
  private func tell(
    _ servers: ArraySlice<ServerAddress>,
    of account: ServerAccount,
    pins: [[UInt8]],
    for user: UserID,
    as id: ObjectIdentifier,
    problem: String = "there are no servers",
    then completion: @escaping @Loop (String?) -> Void
  ) {
    guard let server = servers.first else { return completion(problem) }
    let publisher = AccountPublisher(account, to: server, for: user, pins: pins) { [weak self] result in
      self?.publishers[id] = nil
      guard case .failure(let failure) = result else { return completion(nil) }
      let (rest, problem) = (servers.dropFirst(), "\(server): \(failure)")
      self?.tell(rest, of: account, pins: pins, for: user, as: id, problem: problem, then: completion)
    }
    guard let publisher else { return completion("this machine couldn't create a key") }
    publishers[id] = publisher
  }
}
