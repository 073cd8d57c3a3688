import Activity
import ContinuationStreams
import ControlClient
import ControlInterface
import EventLoop

/// Waits for the daemon to say how a stream ended: the one that began it, or the one after it, which goes on with the
/// stream where systemd has kept its socket.
///
/// The call is what tells the other machine that the stream broke when this process is killed.
@Loop
final class StreamWatch {
  private static var running: [String: StreamWatch] = [:]

  private let token: String
  private let outcome: StreamOutcome
  /// The kernel closes what a killed process has open from the highest number down: the daemon should learn that nobody
  /// awaits the end before the stream ends.
  private let lowest: Int32
  private var call: ControlCall<AwaitStream>?
  private var timer: EventLoop.Timer?
  private var backoff = Backoff(Limits.reconnectBackoff)
  /// Until when the next daemon is waited for.
  private var deadline: ContinuousClock.Instant?

  /// - Parameter stream: The stream's descriptor.
  static func begin(_ token: String, _ outcome: StreamOutcome, beside stream: Int32) {
    let watch = StreamWatch(token, outcome, lowest: stream + 1)
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

  /// Asks the daemon after this one, unless the socket is over without it, or none comes in time.
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
