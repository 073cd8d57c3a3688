import Activity
import Continuation
import EventLoop

/// How to answer one call of a local program. Each closure except `tell` ends the call.
@Loop
struct Client {
  var tell: (@Loop (ActivityEvent) -> Void)?
  var succeed: (@Loop () -> Void)?
  var deliver: (@Loop (ActivityRecord, _ device: String) -> Void)?
  var join: (@Loop (StreamBridge, _ token: String) -> Void)?
  /// What the client wants to continue; nil if it wants something else.
  var continuation: Continuation?
  let user: UserID
  let fail: @Loop (Reason) -> Void

  init(user: UserID, fail: @escaping @Loop (Reason) -> Void) {
    self.user = user
    self.fail = fail
  }

  /// An activity of another machine, and who offered it.
  struct Continuation {
    let activity: ActivityID
    /// Nil if nobody offered it.
    let peer: PeerID?
    /// The name of the peer's device.
    let device: String
  }
}
