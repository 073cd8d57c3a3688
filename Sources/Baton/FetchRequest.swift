import Activity
import ControlClient
import ControlInterface
import EventLoop
import Foundation

/// Takes one offer over at the daemon.
@Loop
final class FetchRequest {
  private var call: ControlCall<Continue>?

  nonisolated init() {}

  /// - Parameter completion: Called once, on the loop; not after ``abandon()``.
  func begin(
    _ offer: OfferName,
    completion: @escaping @Loop @Sendable (Result<ActivityCore, HandoffFailure>) -> Void
  ) {
    guard let source = ActivityID(text: offer.id.uuidString) else {
      return completion(.failure(HandoffFailure(.activityNotFound)))
    }
    do throws(ControlError) {
      // Holds itself until it is answered.
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

  /// The daemon leaves the activity where it is, unless it is here already.
  func abandon() { call = nil }
}
