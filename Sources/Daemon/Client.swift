import Activity
import Continuation
import EventLoop

/// How one call of a local program is answered. `fail` and the others but `tell` end it.
@Loop
struct Client {
  var tell: (@Loop (ActivityEvent) -> Void)?
  var succeed: (@Loop () -> Void)?
  var deliver: (@Loop (ActivityRecord, _ device: String) -> Void)?
  var join: (@Loop (StreamBridge, _ token: String) -> Void)?
  /// What the client asks to continue; nil where it asks for something else.
  var continuation: Continuation?
  let user: UserID
  let fail: @Loop (Reason) -> Void

  init(user: UserID, fail: @escaping @Loop (Reason) -> Void) {
    self.user = user
    self.fail = fail
  }

  /// An activity of another machine, and where it was offered.
  struct Continuation {
    let activity: ActivityID
    /// Nil where nobody offered it.
    let peer: PeerID?
    /// The name of the peer.
    let device: String
  }
}
