// SPDX-License-Identifier: Apache-2.0

import Baton
import EventLoop
import Search
import VarlinkClient

/// Asks the index what it keeps about the app's progress.
@Loop
final class StateRequest {
  private let index: String?
  private let socket: String?
  private var call: ControlCall<GetClientState>?

  init(index: String?, socket: String?) {
    self.index = index
    self.socket = socket
  }

  /// - Parameter completion: Called once.
  func begin(_ completion: @escaping @Loop @Sendable (Result<GetClientState.Reply, ControlError>) -> Void) {
    let parameters = ApplicationIndex(application: ApplicationIdentifier.current, index: index)
    do throws(ControlError) {
      // The call keeps this object alive until it is answered.
      call = try ControlCall(GetClientState.self, parameters, path: socket) { result in
        self.call = nil
        completion(result)
      }
    } catch {
      completion(.failure(error))
    }
  }
}
