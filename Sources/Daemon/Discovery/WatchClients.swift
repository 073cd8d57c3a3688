// SPDX-License-Identifier: Apache-2.0

import CAvahi

/// The clients of Avahi that hold the watches. Avahi gives each client a limited number of objects, so many watches
/// need further clients. A network of usual size needs only the first one, which also does everything else.
@AvahiQueue
final class WatchClients {
  /// The maximum number of watches of one connection to Avahi, which gives each 1,024 objects.
  private static let watchesPerClient = 1000
  /// The same for the first connection, whose other objects are the publications and the requests for addresses. If 200
  /// machines start at the same time, their addresses take 800.
  private static let watchesOfFirstClient = 128

  /// Called if one of the further clients has failed. It must not close anything.
  var onFailure: (@AvahiQueue () -> Void)?
  private var clients: [AvahiClient] = []
  /// The number of watches that each client holds.
  private var counts: [Int] = []

  /// - Parameter first: Its owner closes it.
  func use(_ first: AvahiClient) {
    guard clients.isEmpty else { return }
    clients = [first]
    counts = [0]
  }

  /// Closes the further clients. All watches must have been closed before.
  func close() {
    for client in clients.dropFirst() { client.close() }
    clients = []
    counts = []
  }

  /// Reserves a place for a watch in a client that has room, and makes another client if none has.
  ///
  /// - Returns: The client, and its number for ``free(_:)``.
  /// - Throws: `AvahiError` if there is no client yet, or no further one can be made.
  func take() throws(AvahiError) -> (client: AvahiClient, number: Int) {
    guard !clients.isEmpty else { throw AvahiError(call: "avahi_client_new", code: Int32(AVAHI_ERR_DISCONNECTED)) }
    let free = counts.indices.first {
      counts[$0] < ($0 == 0 ? Self.watchesOfFirstClient : Self.watchesPerClient)
    }
    let number = free ?? counts.count
    if free == nil {
      clients.append(try AvahiClient { [weak self] in if case .failed = $0 { self?.onFailure?() } })
      counts.append(0)
    }
    counts[number] += 1
    return (clients[number], number)
  }

  /// Frees the place of a watch that has ended.
  func free(_ number: Int) {
    // After `close()`, there is no place to free.
    if counts.indices.contains(number), counts[number] > 0 { counts[number] -= 1 }
  }
}
