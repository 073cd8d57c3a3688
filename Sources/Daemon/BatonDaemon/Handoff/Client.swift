// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff

/// A call of a local program that waits for its answer.
@Loop
struct Client {
  /// What the program called for, and how it gets that.
  enum Call {
    /// The program makes an activity current, and is told what happens to it.
    case activity(tell: @Loop (ActivityEvent) -> Void)
    /// The program changes its activity, or opens one.
    case change(succeed: @Loop () -> Void)
    case continuation(WantedActivity, deliver: @Loop (ActivityRecord, _ device: String?, Origin) -> Void)
    /// The program's connection becomes a stream.
    case stream(join: @Loop (StreamBridge, _ token: String) -> Void)
  }

  /// What ends the call.
  enum Answer {
    case done
    /// - Parameter device: Nil for what was opened here.
    case activity(ActivityRecord, device: String?, origin: Origin)
    case stream(StreamBridge, token: String)
    case failure(Reason)
  }

  /// An activity, and who offered it.
  struct WantedActivity {
    let activity: ActivityID
    /// Nil if nobody offered it.
    let peer: PeerID?
    /// The name of the peer's device.
    let device: String
  }

  let user: UserID
  private let call: Call
  private let fail: @Loop (Reason) -> Void

  init(user: UserID, _ call: Call, fail: @escaping @Loop (Reason) -> Void) {
    self.user = user
    self.call = call
    self.fail = fail
  }

  /// What the program wants to continue; nil if it called for something else.
  var wanted: WantedActivity? {
    if case .continuation(let wanted, _) = call { wanted } else { nil }
  }

  fileprivate func tell(_ event: ActivityEvent) {
    if case .activity(let tell) = call { tell(event) }
  }

  /// The program always gets an answer, even if the answer does not fit its call.
  fileprivate func answer(_ answer: Answer) {
    switch (call, answer) {
    case (_, .failure(let reason)): fail(reason)
    case (.change(let succeed), .done): succeed()
    case (.continuation(_, let deliver), .activity(let record, let device, let origin)):
      deliver(record, device, origin)
    case (.stream(let join), .stream(let bridge, let token)): join(bridge, token)
    case (_, .done), (_, .activity), (_, .stream): fail(.internalFailure)
    }
  }
}

/// The clients that wait. A client leaves the table when it is answered, or when its program is gone.
@Loop
final class WaitingClients {
  private var clients: [ClientID: Client] = [:]
  private var last: UInt64 = 0

  /// Nil if the client has been answered or has left.
  subscript(id: ClientID) -> Client? { clients[id] }

  func add(_ client: Client) -> ClientID {
    last += 1
    let id = ClientID(last)
    clients[id] = client
    return id
  }

  /// Tells the client what happens to its activity. It goes on waiting.
  func tell(_ id: ClientID, _ event: ActivityEvent) { clients[id]?.tell(event) }

  /// Answers the client, if it is still there.
  func answer(_ id: ClientID, _ answer: Client.Answer) { clients.removeValue(forKey: id)?.answer(answer) }

  /// Removes a client whose program is gone, so that nobody needs an answer.
  ///
  /// - Returns: Whether the client was waiting.
  func left(_ id: ClientID) -> Bool { clients.removeValue(forKey: id) != nil }
}
