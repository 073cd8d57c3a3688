import EventLoop

/// The host of every part: passes what a part says on to the parts that are made after it.
///
/// A part cannot be made without its host, and the compiler checks that the host does all that the part's protocol
/// says. The junction only passes on, and holds nothing else.
@Loop
final class Junction {
  private weak var joined: Daemon?

  /// Called once, when all parts are made. No part says anything before.
  func join(_ daemon: Daemon) { joined = daemon }

  /// Where the parts are.
  var daemon: Daemon {
    guard let joined else { preconditionFailure("A part speaks before all parts are made, or after they are gone") }
    return joined
  }
}
