// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Foundation
import Synchronization

/// Asks the app for an activity's state: first its delegate on the activity's queue, then the responders and documents
/// on the main thread, and then the application's delegate.
///
/// If the activity has responders or documents, they see nothing in `userInfo` but what its delegate has just written,
/// and what they write replaces what was there before. If they write nothing, it stays. They are left out if the main
/// thread does not get to them in time.
enum SaveRound {
  /// The activity that the current code is asked about. Other code, on other threads, never sees an empty `userInfo`.
  @TaskLocal static var activity: ActivityID?

  /// Only one round runs at a time. While it runs, nobody is asked again, and the others wait for its end.
  ///
  /// - Parameter completion: Called once, when all of them have returned, or when nobody is left to ask.
  static func run(_ core: ActivityCore, completion: @escaping @Loop @Sendable () -> Void) {
    guard core.waitForRound(completion) else { return }
    let finish: @Sendable () -> Void = {
      let completions = core.endRound()
      Task { @Loop in for completion in completions { completion() } }
    }
    core.callbacks.async {
      guard let activity = core.activity, !core.isInvalid else { return finish() }
      let hasObjects = core.hasAssociated
      if hasObjects { core.beginRound() }
      // This comes first, so that the delegate can ask to be called again.
      core.change { $0.needsSave = false }
      core.delegate?.userActivityWillSave(activity)
      guard hasObjects else { return finish() }
      let turn = Turn()
      core.callbacks.asyncAfter(deadline: .now() + mainThreadTime) {
        guard turn.take() else { return }
        Complaint.mainThreadIsStuck(core)
        core.change { $0.needsSave = true }
        finish()
      }
      DispatchQueue.main.async {
        guard turn.take() else { return }
        MainActor.assumeIsolated {
          guard let activity = core.activity, !core.isInvalid else { return }
          $activity.withValue(core.id) {
            for object in core.associated { object.updateUserActivityState(activity) }
            UserActivityApplication.shared.didUpdate(activity)
          }
        }
        finish()
      }
    }
  }

  /// How long to wait, in seconds, for a main thread that does other things. The other machine waits for three.
  private static let mainThreadTime = 2.0

  /// What only one of two can have.
  private final class Turn: Sendable {
    private let isTaken = Atomic(false)

    func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
  }

  /// Runs code of the library that adds to `userInfo` but does not replace what the app has put there.
  @MainActor
  static func adding(_ body: () -> Void) { $activity.withValue(nil, operation: body) }
}
