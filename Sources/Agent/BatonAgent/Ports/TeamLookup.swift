// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Desktop
import EventLoop
import JSONCoding
import Varlink
import VarlinkClient

/// Asks the daemon for the user's teams.
@Loop
final class TeamLookup {
  private let socket: String?
  private var calls: [UInt64: ControlCall<ListTeams>] = [:]
  private var last: UInt64 = 0

  init(socket: String?) { self.socket = socket }

  func stop() { calls = [:] }

  /// - Parameter completion: Called once, unless ``stop()`` is called before. Gets nil if the daemon doesn't answer.
  func teams(_ completion: @escaping @Loop (ListTeams.Reply?) -> Void) {
    last += 1
    let number = last
    let call = try? ControlCall(ListTeams.self, Nothing(), path: socket) { [weak self] result in
      self?.calls[number] = nil
      completion(try? result.get())
    }
    guard let call else { return completion(nil) }
    calls[number] = call
  }

  /// - Parameter completion: As that of ``teams(_:)``. Gets the names by ID.
  func names(_ completion: @escaping @Loop ([String: String]) -> Void) {
    teams { reply in
      let pairs = (reply?.teams ?? []).map { ($0.id.description, $0.name) }
      completion(Dictionary(pairs) { first, _ in first })
    }
  }

  /// Finds the team that the user means.
  ///
  /// - Parameters:
  ///   - team: The name or ID that the user gave. Nil for the only team.
  ///   - completion: As that of ``teams(_:)``. Gets the team's ID.
  func find(_ team: String?, completion: @escaping @Loop (Result<String, ControlFailure>) -> Void) {
    teams { reply in
      guard let reply else { return completion(.failure(ControlFailure(.daemonUnreachable))) }
      let all = reply.teams.map { (id: $0.id.description, name: $0.name) }
      guard let team else {
        guard let only = all.first else { return completion(.failure(ControlFailure(.teamNotFound))) }
        return completion(all.count == 1 ? .success(only.id) : .failure(ControlFailure(.teamAmbiguous)))
      }
      let (ids, unclear) = TeamChoice.named([team]).chosen(among: all, beside: reply.unusable.compactMap(\.name))
      guard let id = ids.first, ids.count == 1 else {
        return completion(.failure(ControlFailure(unclear.isEmpty && ids.isEmpty ? .teamNotFound : .teamAmbiguous)))
      }
      completion(.success(id))
    }
  }
}
