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
  let user: UserID
  let fail: @Loop (Reason) -> Void

  init(user: UserID, fail: @escaping @Loop (Reason) -> Void) {
    self.user = user
    self.fail = fail
  }
}
