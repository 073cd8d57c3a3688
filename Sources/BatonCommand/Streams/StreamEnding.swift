import Activity
import ControlClient
import ControlInterface
import Dispatch
import Glibc
import Synchronization

/// How a stream ended, as the daemon says. That is the daemon that began the stream, or the next one if it continues
/// the stream because systemd has kept its socket.
///
/// A separate thread waits for it as long as the process lives, because a daemon that finds nobody waiting considers
/// the stream abandoned.
final class StreamEnding: Sendable {
  private let result = Mutex<Result<Reason?, ControlError>?>(nil)
  private let isKnown = DispatchSemaphore(value: 0)

  /// The pause between attempts to reach the next daemon, in milliseconds.
  private static let pause: Int32 = 100

  /// - Parameter socket: The stream's socket, which is watched and not owned.
  init(of token: String, path: String?, socket: Int32) throws(ControlError) {
    // Passed to the thread, and no longer used here.
    nonisolated(unsafe) let replies = try Self.ask(token, path)
    DispatchQueue(label: "ending").async { [self] in
      let ending = Self.follow(replies, token, path, socket)
      result.withLock { $0 = ending }
      isKnown.signal()
    }
  }

  /// Waits for the result; nil if it is not known in time. For one thread only.
  ///
  /// - Parameter time: Nil to wait for ever.
  func wait(_ time: Duration? = nil) -> Result<Reason?, ControlError>? {
    let deadline = time.map { DispatchTime.now() + .milliseconds(Int($0 / .milliseconds(1))) }
    _ = isKnown.wait(timeout: deadline ?? .distantFuture)
    return result.withLock { $0 }
  }

  private static func ask(_ token: String, _ path: String?) throws(ControlError) -> ControlReplies<AwaitStream> {
    try ControlConnection(path: path).begin(AwaitStream.self, AwaitStream.Parameters(stream: token))
  }

  private static func follow(
    _ first: ControlReplies<AwaitStream>,
    _ token: String,
    _ path: String?,
    _ socket: Int32
  ) -> Result<Reason?, ControlError> {
    var replies: ControlReplies<AwaitStream>? = first
    while true {
      do throws(ControlError) {
        return .success(try replies?.next()?.reason)
      } catch {
        guard error == .disconnected else { return .failure(error) }
        replies = askNext(token, path, socket)
        if replies == nil { return .failure(error) }
      }
    }
  }

  /// Asks the next daemon. Nil if none comes in time, or if the stream's socket ends first.
  private static func askNext(_ token: String, _ path: String?, _ socket: Int32) -> ControlReplies<AwaitStream>? {
    let end = ContinuousClock.now + Limits.streamResumeTime
    while ContinuousClock.now < end {
      var item = pollfd(fd: socket, events: 0, revents: 0)
      if poll(&item, 1, pause) > 0 { return nil }
      if let replies = try? ask(token, path) { return replies }
    }
    return nil
  }
}
