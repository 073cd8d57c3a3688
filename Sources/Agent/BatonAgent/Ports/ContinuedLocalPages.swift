// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Desktop
import EventLoop
import Localization
import VarlinkClient

/// The pages of other machines' servers that are shown here.
@Loop
final class ContinuedLocalPages {
  private struct Site: Hashable {
    /// All digits of the Device ID.
    let device: String
    let name: String
  }

  private let socket: String?
  private var servers: [Site: ContinuedServers] = [:]

  init(socket: String?) { self.socket = socket }

  var listed: [ControlForwardedPage] { servers.values.map(\.listed) }

  /// Whether a port of this machine stands for one of another. What is served there is the other machine's, whose user
  /// has not been asked about a third one.
  func listens(at port: UInt16) -> Bool { servers.values.contains { $0.listens(at: port) } }

  func close() {
    for one in servers.values { one.close() }
    servers = [:]
  }

  /// - Parameters:
  ///   - host: The name of the machine's pages here.
  ///   - completion: Called once with the place to show, unless ``close()`` is called before.
  func open(
    _ page: LocalPageActivity,
    _ id: ActivityID,
    deviceID: String,
    device: String,
    host: String,
    completion: @escaping @Loop (Result<ContinuedServers.Place, ControlFailure>) -> Void
  ) {
    let site = Site(device: deviceID, name: page.address.site)
    if let place = servers[site]?.place(of: page) { return completion(.success(place)) }
    guard servers[site] != nil || servers.count < LocalPageLimits.pages,
      servers.values.reduce(0, { $0 + $1.count }) < LocalPageLimits.pages  // Checked: a few.
    else {
      return completion(
        .failure(
          ControlFailure(
            .limitReached,
            message: localized("Too many local pages of other machines are open. Close some of them.")
          )
        )
      )
    }
    let one =
      servers[site]
      ?? ContinuedServers(device: device, host: host, site: site.name) { [weak self] in self?.servers[site] = nil }
    servers[site] = one
    do throws(ControlError) {
      try one.open(page, id, socket: socket, completion: completion)
    } catch {
      if one.isEmpty { servers[site] = nil }
      completion(.failure(ControlFailure(.streamInterrupted, message: error.description)))
    }
  }
}
