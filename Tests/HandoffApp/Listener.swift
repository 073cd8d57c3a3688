// SPDX-License-Identifier: Apache-2.0

import Baton
import Dispatch
import Foundation

/// Continues each activity of its types as soon as it is offered, on a queue of its own.
final class Listener: UserActivityReceiverDelegate, @unchecked Sendable {
  private let queue = DispatchQueue(label: "listener")
  // Set once, before anything else knows this object.
  private var receiver: UserActivityReceiver?

  init(_ types: Set<String>) {
    let receiver = UserActivityReceiver(activityTypes: types, queue: queue, delegate: self)
    self.receiver = receiver
    receiver.onOffersChange = { [weak receiver] offers in
      Report.write("offers", ["titles": offers.map { $0.title ?? "" }])
      if let offer = offers.first { receiver?.continueActivity(offer) }
    }
  }

  func receiver(_ receiver: UserActivityReceiver, willContinueUserActivityWithType userActivityType: String) -> Bool {
    dispatchPrecondition(condition: .onQueue(queue))
    Report.write("willContinue", ["type": userActivityType])
    return true
  }

  func receiver(_ receiver: UserActivityReceiver, continue userActivity: NSUserActivity) -> Bool {
    dispatchPrecondition(condition: .onQueue(queue))
    Report.write("continue", properties(of: userActivity))
    return true
  }

  func receiver(
    _ receiver: UserActivityReceiver,
    didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error
  ) {
    dispatchPrecondition(condition: .onQueue(queue))
    Report.write("didFailToContinue", Report.members(of: error))
  }
}
