import Activity
import ControlClient
import ControlInterface
import EventLoop
import Foundation

/// Takes offers over at the daemon.
@Loop
enum FetchRequest {
  private static var calls: [Int: ControlCall<Continue>] = [:]
  private static var last = 0

  /// - Parameter completion: Called once, on the loop.
  static func begin(
    _ id: UUID,
    completion: @escaping @Loop @Sendable (Result<ActivityCore, HandoffFailure>) -> Void
  ) {
    guard let source = ActivityID(text: id.uuidString) else {
      return completion(.failure(HandoffFailure(.activityNotFound)))
    }
    last += 1
    let number = last
    do throws(ControlError) {
      calls[number] = try ControlCall(Continue.self, Continue.Parameters(id: source)) { result in
        calls[number] = nil
        completion(
          result.map { ActivityCore($0.activity, source: source) }.mapError { HandoffFailure($0) }
        )
      }
    } catch {
      completion(.failure(HandoffFailure(error)))
    }
  }
}
