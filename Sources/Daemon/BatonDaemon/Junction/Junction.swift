// SPDX-License-Identifier: Apache-2.0

import EventLoop

/// The host of every part. It passes on what a part says to the parts that are made after it.
///
/// A part cannot be made without its host, and the compiler checks that the host implements the part's whole protocol.
/// The junction only passes calls on, and holds nothing else.
@Loop
final class Junction {
  private weak var joined: Daemon?

  /// Called once, when all parts are made. Before that, no part calls its host.
  func join(_ daemon: Daemon) { joined = daemon }

  /// The daemon, which holds the parts.
  var daemon: Daemon {
    guard let joined else { preconditionFailure("A part speaks before all parts are made, or after they are gone") }
    return joined
  }
}
