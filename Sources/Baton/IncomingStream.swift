import Activity
import ContinuationStreams
import ControlClient
import ControlInterface
import EventLoop
import Foundation
import Varlink

/// Both directions of a continuation stream, on the way to the code that uses them.
final class StreamPair: @unchecked Sendable {
  // They are handed over once, from the loop to the app's thread.
  private let streams: (InputStream, OutputStream)

  init(_ streams: (InputStream, OutputStream)) { self.streams = streams }

  func take() -> (InputStream, OutputStream) { streams }
}

/// A stream that is being opened or accepted at the daemon.
@Loop
final class IncomingStream {
  typealias Completion = @Loop (Result<StreamPair, HandoffFailure>) -> Void

  private var opening: ControlCall<OpenStream>?
  private var accepting: ControlCall<AcceptStream>?
  private var completion: Completion?

  /// Requests a stream from the app where the activity began.
  init(opening activity: ActivityID, completion: @escaping Completion) {
    self.completion = completion
    do throws(ControlError) {
      let parameters = OpenStream.Parameters(activity: activity, awaits: true)
      opening = try ControlCall(OpenStream.self, parameters, mode: .upgrade) { [weak self] result in
        self?.finish(result.map { ($0, self?.opening?.takeStream()) })
      }
    } catch { fail(error) }
  }

  /// Accepts a stream that another machine requested.
  init(accepting token: String, completion: @escaping Completion) {
    self.completion = completion
    do throws(ControlError) {
      let parameters = AcceptStream.Parameters(stream: token, awaits: true)
      accepting = try ControlCall(AcceptStream.self, parameters, mode: .upgrade) { [weak self] result in
        self?.finish(result.map { ($0, self?.accepting?.takeStream()) })
      }
    } catch { fail(error) }
  }

  /// Reports the failure later, because the caller does not have this object yet.
  private func fail(_ error: ControlError) {
    Task { @Loop in finish(.failure(error)) }
  }

  private func finish(_ result: Result<(StreamReply, Int32?), ControlError>) {
    let completion = completion
    self.completion = nil
    switch result {
    case .success((let reply, let stream?)):
      let outcome = StreamOutcome()
      StreamEndWatch.begin(reply.stream, outcome, beside: stream)
      let pair = ContinuationStreamPair.make(owning: stream, outcome: outcome)
      completion?(.success(StreamPair(pair)))
    case .success: completion?(.failure(HandoffFailure(.internalFailure)))
    case .failure(let error): completion?(.failure(HandoffFailure(error)))
    }
  }
}
