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
  private struct Place: Hashable {
    /// All digits of the Device ID.
    let device: String
    let site: String
  }

  private let socket: String?
  private var servers: [Place: ContinuedServers] = [:]

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
  ///   - completion: Called once with the address to show, unless ``close()`` is called before.
  func open(
    _ page: LocalPageActivity,
    _ id: ActivityID,
    deviceID: String,
    device: String,
    host: String,
    completion: @escaping @Loop (Result<String, ControlFailure>) -> Void
  ) {
    let place = Place(device: deviceID, site: page.address.site)
    if let address = servers[place]?.address(of: page) { return completion(.success(address)) }
    guard servers[place] != nil || servers.count < LocalPageLimits.pages,
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
      servers[place]
      ?? ContinuedServers(device: device, host: host, site: place.site) { [weak self] in self?.servers[place] = nil }
    servers[place] = one
    do throws(ControlError) {
      try one.open(page, id, socket: socket, completion: completion)
    } catch {
      if one.isEmpty { servers[place] = nil }
      completion(.failure(ControlFailure(.streamInterrupted, message: error.description)))
    }
  }
}
