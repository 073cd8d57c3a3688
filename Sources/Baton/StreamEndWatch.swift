import Activity
import ContinuationStreams
import ControlClient
import ControlInterface
import EventLoop
import Varlink

/// Waits until the daemon reports how a stream ended. That can be the daemon that began it, or its successor, which
/// continues the stream if systemd has kept its socket.
///
/// If this process is killed, the end of this call is what tells the other machine that the stream broke.
@Loop
final class StreamEndWatch {
  private static var running: [String: StreamEndWatch] = [:]

  private let token: String
  private let outcome: StreamOutcome
  private var call: StandingCall<AwaitStream>?
  /// Until when to wait for the next daemon.
  private var deadline: ContinuousClock.Instant?

  /// - Parameter stream: The stream's descriptor.
  static func begin(_ token: String, _ outcome: StreamOutcome, beside stream: Int32) {
    let watch = StreamEndWatch(token, outcome, lowest: stream + 1)
    running[token] = watch
    outcome.whenGivenUp { hangUp in
      // Nobody awaits the end any more. So the daemon takes the end of the socket as a break.
      Task { @Loop in
        running[token]?.leave()
        hangUp()
      }
    }
    watch.call?.begin()
  }

  /// - Parameter lowest: The lowest number for the call's descriptor, above that of the stream. The kernel closes the
  ///   descriptors of a killed process from the highest number down. So the daemon learns that nobody awaits the end
  ///   before it sees the stream end.
  private init(_ token: String, _ outcome: StreamOutcome, lowest: Int32) {
    (self.token, self.outcome) = (token, outcome)
    call = StandingCall(
      AwaitStream.self,
      AwaitStream.Parameters(stream: token),
      mode: .single,
      isPatient: true,
      lowest: lowest
    ) { [weak self] event in
      switch event {
      case .replied(let reply): self?.end(reply.reason.map { HandoffFailure($0) })
      case .failed(let error): self?.failed(error)
      case .lost: break
      }
    }
  }

  /// Lets the next daemon be asked, unless this one has answered, the socket ended without it, or none comes in time.
  private func failed(_ error: ControlError) {
    switch error {
    case .failed, .refused, .protocolViolation: return end(HandoffFailure(error))
    case .disconnected: deadline = nil
    default: break
    }
    let deadline = deadline ?? Loop.now + Limits.streamResumeTime
    self.deadline = deadline
    guard Loop.now < deadline, !outcome.isSocketOver else { return end(HandoffFailure(error)) }
  }

  private func leave() {
    call?.cancel()
    call = nil
    Self.running[token] = nil
  }

  private func end(_ failure: HandoffFailure?) {
    outcome.set(failure?.cocoaError)
    call = nil
    Self.running[token] = nil
  }
}
