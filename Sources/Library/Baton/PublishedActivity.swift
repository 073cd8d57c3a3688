// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Foundation
import VarlinkClient

/// Connects one activity of this process with the daemon: it sends the app's changes there, and informs the delegate of
/// the activity's events.
@Loop
final class PublishedActivity: ActivityHolder {
  private let core: ActivityCore
  private var held: HeldActivity?
  private var streams: [Int: IncomingStream] = [:]
  private var lastStream = 0

  init(_ core: ActivityCore) {
    self.core = core
    held = HeldActivity(core.id, holder: self)
  }

  func becomeCurrent() { held?.becomeCurrent() }

  func resign() { held?.resign() }

  /// - Parameter isUrgent: Whether the daemon must know immediately.
  func changed(isUrgent: Bool) { held?.changed(isUrgent: isUrgent) }

  // MARK: For the daemon

  var isEligible: Bool { core.contents.isEligibleForHandoff }

  func published() -> ControlActivity? {
    do throws(HandoffFailure) {
      return try core.published()
    } catch {
      tell(error)
      return nil
    }
  }

  func takeChange() { core.takeChange() }

  // MARK: For the app

  func save(_ completion: @escaping @Loop (Bool) -> Void) {
    SaveRound.run(core) { [core] in completion(core.contents.needsSave) }
  }

  func wasRefused(_ failure: ControlFailure) { tell(HandoffFailure(failure.reason, failure.message)) }

  func wasContinued(on device: String?) { notify { $0.userActivityWasContinued($1) } }

  /// A stream that nobody accepts breaks immediately, so that the other machine does not wait for it.
  func streamWasRequested(_ stream: String) {
    lastStream += 1
    let number = lastStream
    let core = core
    streams[number] = IncomingStream(.accepting(stream)) { [weak self] result in
      self?.streams[number] = nil
      guard case .success(let pair) = result else { return }
      core.callbacks.async {
        guard let activity = core.activity, !core.isInvalid else { return }
        guard core.contents.supportsContinuationStreams, let delegate = core.delegate else {
          return Complaint.streamsWithoutDelegate(activity)
        }
        let (input, output) = pair.take()
        delegate.userActivity(activity, didReceive: input, outputStream: output)
      }
    }
  }

  /// Tells the app why the activity is not offered.
  private func tell(_ failure: HandoffFailure) {
    let core = core
    core.callbacks.async {
      guard let activity = core.activity, !core.isInvalid else { return }
      if let delegate = core.delegate {
        delegate.userActivity(activity, didFailToBecomeCurrentWithError: failure.cocoaError)
      } else {
        Complaint.write("\(core.activityType) isn't offered: \(failure.message)")
      }
    }
  }

  private func notify(_ body: @escaping @Sendable (any NSUserActivityDelegate, NSUserActivity) -> Void) {
    let core = core
    core.callbacks.async {
      guard let activity = core.activity, let delegate = core.delegate, !core.isInvalid else { return }
      body(delegate, activity)
    }
  }
}
