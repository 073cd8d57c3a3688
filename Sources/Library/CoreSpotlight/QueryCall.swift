// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Search
import Varlink
import VarlinkClient

/// The call that finds the items of a query.
@Loop
final class QueryCall {
  enum Event: Sendable {
    case found([SavedEntry])
    case ended(ControlError?)
  }

  private let parameters: QueryItems.Parameters
  private let socket: String?
  private var call: ControlCall<QueryItems>?

  init(_ parameters: QueryItems.Parameters, socket: String?) {
    self.parameters = parameters
    self.socket = socket
  }

  /// - Parameter handler: Gets what is found, and once how it ended.
  func begin(_ handler: @escaping @Loop @Sendable (Event) -> Void) {
    do throws(ControlError) {
      call = try ControlCall(QueryItems.self, parameters, mode: .more, path: socket, isPatient: true) {
        [weak self] result in
        switch result {
        case .success(let reply):
          handler(.found(reply.entries))
          if reply.entries.isEmpty {
            self?.call = nil
            handler(.ended(nil))
          }
        case .failure(let error):
          self?.call = nil
          handler(.ended(error))
        }
      }
    } catch {
      handler(.ended(error))
    }
  }

  func end() { call = nil }
}
