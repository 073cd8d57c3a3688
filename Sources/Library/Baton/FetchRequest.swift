// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Foundation
import VarlinkClient

/// A request to the daemon to take over one offer.
@Loop
final class FetchRequest {
  private var call: ControlCall<Continue>?

  nonisolated init() {}

  /// - Parameter completion: Called once, on the loop, but not after ``abandon()``.
  func begin(
    _ offer: OfferName,
    completion: @escaping @Loop @Sendable (Result<ActivityCore, HandoffFailure>) -> Void
  ) {
    guard let source = ActivityID(text: offer.id.uuidString) else {
      return completion(.failure(HandoffFailure(.activityNotFound)))
    }
    do throws(ControlError) {
      // The call keeps this object alive until it is answered.
      call = try ControlCall(
        Continue.self,
        Continue.Parameters(id: source, deviceID: offer.device.flatMap(DeviceID.init(text:)))
      ) { result in
        self.call = nil
        completion(
          result.map { ActivityCore($0.activity, source: source) }.mapError { HandoffFailure($0) }
        )
      }
    } catch {
      completion(.failure(HandoffFailure(error)))
    }
  }

  /// Abandons the request. The daemon leaves the activity where it is, unless it has already arrived.
  func abandon() { call = nil }
}
