// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Desktop
import EventLoop
import Glibc
import Hosts
import JSONCoding
import VarlinkClient

/// What was copied on this machine, as an activity that other machines can paste.
@Loop
final class OwnCopy: ActivityHolder {
  enum Event {
    /// It is offered, or the daemon does not take it.
    case offered(Bool)
    /// Something else is copied, or its time is over.
    case ended
    case streamRequested(String)
  }

  /// Gives the content in one of the types; nil if it cannot be had.
  typealias Source = @Loop (MediaType, _ completion: @escaping @Loop (CopiedContent?) -> Void) -> Void

  static let type = OpenActivityType.clipboard.rawValue

  let info: CopyInfo
  let team: String?
  let source: Source
  let id = ActivityID.random()
  private let expires: Double
  private let handler: @Loop (Event) -> Void
  private var activity: HeldActivity?
  private var timer: Timer?

  init(
    _ info: CopyInfo,
    team: String?,
    lifetime: Duration,
    socket: String?,
    source: @escaping Source,
    handler: @escaping @Loop (Event) -> Void
  ) {
    (self.info, self.team, self.source, self.handler) = (info, team, source, handler)
    expires = SystemClock().date + lifetime / .seconds(1)
    activity = HeldActivity(id, path: socket, holder: self)
    timer = Timer { [weak self] in self?.handler(.ended) }
    timer?.set(Loop.now + lifetime)
  }

  func offer() { activity?.becomeCurrent() }

  /// Withdraws it. Nobody can open another stream then.
  func close() {
    activity = nil
    timer?.set(nil)
  }

  func published() -> ControlActivity? {
    var activity = ControlActivity(id: id, activityType: Self.type)
    activity.title = info.title
    activity.userInfo = info.json
    activity.supportsContinuationStreams = true
    // The agent also withdraws it, but a daemon of another machine might not hear of that.
    activity.expirationDate = expires
    return activity
  }

  func takeChange() {}

  func save(_ completion: @escaping @Loop (Bool) -> Void) { completion(false) }

  func wasRefused(_ failure: ControlFailure) { handler(.offered(false)) }

  func becameCurrent() { handler(.offered(true)) }

  func wasResigned(_ reason: Reason?) {
    // A daemon that stops is asked again.
    if reason != .shuttingDown { handler(.ended) }
  }

  func daemonLeft() { handler(.offered(false)) }

  /// Only older daemons take away what somebody pastes.
  func wasContinued(on device: String?) { offer() }

  func streamWasRequested(_ stream: String) { handler(.streamRequested(stream)) }
}
