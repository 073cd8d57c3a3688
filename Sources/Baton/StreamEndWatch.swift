import Activity
import ContinuationStreams
import ControlClient
import ControlInterface
import EventLoop

/// Waits until the daemon reports how a stream ended. That can be the daemon that began it, or its successor, which
/// continues the stream if systemd has kept its socket.
///
/// If this process is killed, the end of this call is what tells the other machine that the stream broke.
@Loop
final class StreamEndWatch {
  private static var running: [String: StreamEndWatch] = [:]

  private let token: String
  private let outcome: StreamOutcome
  /// The lowest number for the call's descriptor, above that of the stream. The kernel closes the descriptors of a
  /// killed process from the highest number down. So the daemon learns that nobody awaits the end before it sees the
  /// stream end.
  private let lowest: Int32
  private var call: ControlCall<AwaitStream>?
  private var timer: EventLoop.Timer?
  private var backoff = Backoff(Limits.reconnectBackoff)
  /// Until when to wait for the next daemon.
  private var deadline: ContinuousClock.Instant?

  /// - Parameter stream: The stream's descriptor.
  static func begin(_ token: String, _ outcome: StreamOutcome, beside stream: Int32) {
    let watch = StreamEndWatch(token, outcome, lowest: stream + 1)
    running[token] = watch
    watch.ask()
  }

  private init(_ token: String, _ outcome: StreamOutcome, lowest: Int32) {
    (self.token, self.outcome, self.lowest) = (token, outcome, lowest)
    timer = EventLoop.Timer { [weak self] in self?.ask() }
  }

  private func ask() {
    do throws(ControlError) {
      let parameters = AwaitStream.Parameters(stream: token)
      call = try ControlCall(AwaitStream.self, parameters, isPatient: true, lowest: lowest) { [weak self] result in
        switch result {
        case .success(let reply): self?.end(reply.reason.map { HandoffFailure($0) })
        case .failure(.disconnected):
          self?.deadline = nil
          self?.askNext(.disconnected)
        case .failure(let error): self?.end(HandoffFailure(error))
        }
      }
    } catch { askNext(error) }
  }

  /// Asks the next daemon, unless the socket ended without it, or none comes in time.
  private func askNext(_ error: ControlError) {
    call = nil
    let deadline = deadline ?? Loop.now + Limits.streamResumeTime
    self.deadline = deadline
    guard Loop.now < deadline, !outcome.isSocketOver else { return end(HandoffFailure(error)) }
    timer?.set(Loop.now + backoff.next())
  }

  private func end(_ failure: HandoffFailure?) {
    outcome.set(failure?.cocoaError)
    call = nil
    timer = nil
    Self.running[token] = nil
  }
}
