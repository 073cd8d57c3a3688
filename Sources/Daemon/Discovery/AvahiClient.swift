// SPDX-License-Identifier: Apache-2.0

import CAvahi

/// Owns one connection to avahi-daemon.
///
/// Everything made from it (groups, browsers, resolvers) must be closed before it.
@AvahiQueue
final class AvahiClient {
  enum State {
    /// D-Bus is available, Avahi is not yet.
    case connecting
    /// Avahi is available and still choosing its host name. We do not need that name, so everything works.
    case registering
    case running
    /// The connection is dead. Close everything made from it, then close it.
    case failed
  }

  private(set) var pointer: OpaquePointer?
  private(set) var state = State.connecting
  private let onState: @AvahiQueue (State) -> Void

  /// - Parameter onState: Called for each new state, possibly before this returns. It must not close anything.
  /// - Throws: `AvahiError` if D-Bus is unavailable.
  init(onState: @escaping @AvahiQueue (State) -> Void) throws(AvahiError) {
    self.onState = onState
    var code: Int32 = 0
    pointer = avahi_client_new(
      AvahiQueue.poll,
      AVAHI_CLIENT_NO_FAIL,
      { _, state, context in AvahiClient.at(context)?.changed(to: state) },
      Unmanaged.passUnretained(self).toOpaque(),
      &code
    )
    guard pointer != nil else { throw AvahiError(call: "avahi_client_new", code: code) }
  }

  isolated deinit { close() }

  /// Closes the connection; can be called more than once. Avahi tells peers that everything this client published is
  /// gone.
  func close() {
    guard let pointer else { return }
    self.pointer = nil
    avahi_client_free(pointer)
  }

  /// Returns the error of the last call that returned nothing.
  func error(_ call: String) -> AvahiError {
    AvahiError(call: call, code: pointer.map { avahi_client_errno($0) } ?? Int32(AVAHI_ERR_DISCONNECTED))
  }

  private func changed(to state: AvahiClientState) {
    switch state {
    case AVAHI_CLIENT_S_RUNNING: self.state = .running
    case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION: self.state = .registering
    case AVAHI_CLIENT_CONNECTING: self.state = .connecting
    default: self.state = .failed
    }
    onState(self.state)
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> AvahiClient? {
    context.map { Unmanaged<AvahiClient>.fromOpaque($0).takeUnretainedValue() }
  }
}
