// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import EventLoop

/// The streams through which other machines fetch the state of one page.
@Loop
final class PageStateServers {
  private let path: String?
  private var servers: [Int: DocumentServer] = [:]
  private var number = 0

  /// - Parameter path: The path of the control socket. Nil for the user's default daemon.
  init(path: String?) { self.path = path }

  var isIdle: Bool { servers.isEmpty }

  /// - Parameters:
  ///   - stream: The value of the event `streamRequested`.
  ///   - state: Nil if there is none to fetch.
  func serve(_ stream: String, _ state: [UInt8]?) {
    guard servers.count < BrowserLimits.streams else { return }
    number &+= 1
    let number = number
    servers[number] = try? DocumentServer(accepting: stream, path: path) { request in
      guard request == .pageState else { return .failure(.unknownRequest) }
      return state.map { .success(.bytes($0)) } ?? .failure(.notAvailable)
    } onEnd: { [weak self] in
      self?.servers[number] = nil
    }
  }
}
