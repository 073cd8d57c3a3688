// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Foundation
import VarlinkClient

extension NSUserActivity {
  /// Requests streams to the app where the activity began. Use it for an activity continued from another machine.
  ///
  /// - Parameter completionHandler: Called once, within 20 s, on a background queue. It gets both streams, unopened, or
  ///   a `CocoaError`. The error is `.userActivityConnectionUnavailable` if the activity has no streams, and
  ///   `.userActivityRemoteApplicationTimedOut` if that app does not answer. The handler may block: it can read a
  ///   stream to its end without delaying anything else.
  public func getContinuationStreams(
    completionHandler: @escaping @Sendable (InputStream?, OutputStream?, (any Error)?) -> Void
  ) {
    requestStreams { result in
      SeparateWork.begin {
        switch result {
        case .success(let pair):
          let (input, output) = pair.take()
          completionHandler(input, output, nil)
        case .failure(let failure): completionHandler(nil, nil, failure.cocoaError)
        }
      }
    }
  }

  /// The `async` version of ``getContinuationStreams(completionHandler:)``.
  public func continuationStreams() async throws -> (InputStream, OutputStream) {
    let pair: StreamPair = try await withCheckedThrowingContinuation { continuation in
      requestStreams { continuation.resume(with: $0.mapError { $0.cocoaError }) }
    }
    return pair.take()
  }

  private func requestStreams(_ completion: @escaping @Sendable (Result<StreamPair, HandoffFailure>) -> Void) {
    guard let source = core.source else {
      return completion(
        .failure(HandoffFailure(.streamsNotSupported, "Only an activity that was continued here has streams."))
      )
    }
    guard supportsContinuationStreams else { return completion(.failure(HandoffFailure(.streamsNotSupported))) }
    Task { @Loop in StreamRequest.begin(source, completion) }
  }
}

/// Keeps the requests for streams until they are answered.
@Loop
private enum StreamRequest {
  private static var requests: [Int: IncomingStream] = [:]
  private static var last = 0

  static func begin(
    _ source: ActivityID,
    _ completion: @escaping @Sendable (Result<StreamPair, HandoffFailure>) -> Void
  ) {
    last += 1
    let number = last
    requests[number] = IncomingStream(.opening(source)) { result in
      requests[number] = nil
      completion(result)
    }
  }
}
