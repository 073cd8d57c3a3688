import Activity
import ControlInterface
import EventLoop
import Varlink

/// Why a call to the daemon did not give its reply.
package enum ControlError: Error, Equatable, Sendable {
  /// Nothing listens on any of the sockets that were tried.
  case notRunning(paths: [String])
  /// Nothing listens on the socket of the search index. Nil if there is no directory for it.
  case searchNotRunning(path: String?)
  /// The socket exists, but this user may not use it.
  case notPermitted(path: String)
  /// The program behind the socket runs as another user than the daemon would.
  case foreignServer(path: String, user: UInt32?)
  /// The call has this many bytes, more than the daemon accepts. It was not sent.
  case tooLong(Int)
  /// The daemon did not answer in time.
  case timedOut
  /// The daemon closed the connection before it had answered.
  case disconnected
  /// The received data is not a reply of the interface; the text explains why.
  case protocolViolation(String)
  /// The daemon refused, with a reason.
  case failed(ControlFailure)
  /// The daemon does not accept the call itself.
  case refused(VarlinkError)
  /// A system call failed.
  case system(SystemError)
}

extension ControlError: CustomStringConvertible {
  /// One or two sentences for people: what happened, and what to do.
  package var description: String {
    switch self {
    case .notRunning(let paths):
      """
      The daemon is not running: nothing answers on \(paths.joined(separator: " or ")). \
      `systemctl status batond` shows why. To start the system's daemon, run `sudo systemctl start batond`; to start \
      your own, run `systemctl --user start batond`.
      """
    case .searchNotRunning(let path?):
      """
      The agent is not running: nothing answers on \(path). `systemctl --user status baton-agent` shows why. \
      To start it, run `systemctl --user start baton-agent.socket`, or `baton agent` without systemd.
      """
    case .searchNotRunning(nil): "The agent cannot be found, because XDG_RUNTIME_DIR is not set. Log in first."
    case .notPermitted(let path): "This user is not allowed to use the daemon's socket \(path)."
    case .foreignServer(let path, let user):
      """
      The program that listens on \(path) runs as \(user.map { "user \($0)" } ?? "an unknown user"). That is neither \
      you, nor root, nor the system's batond, so it is not trusted. After `su`, XDG_RUNTIME_DIR may still be that of \
      the other user: `su -` or `sudo -i` gives you your own environment. `--socket` names a socket of anyone.
      """
    case .tooLong(let count):
      "The call has \(count) bytes, but the daemon accepts at most \(Limits.varlinkMessageLength). Shorten it."
    case .timedOut: "The daemon did not answer in time. Its journal may say why."
    case .disconnected:
      "The daemon closed the connection. It is stopping or has failed; see `systemctl status batond`."
    case .protocolViolation(let detail): "The daemon sent an invalid answer (\(detail))."
    case .failed(let failure): failure.message
    case .refused(.methodNotFound(let name)), .refused(.methodNotImplemented(let name)),
      .refused(.interfaceNotFound(let name)):
      "The daemon does not know \(name). It may be older than this program."
    case .refused(.invalidParameter(let name)): "The daemon does not accept this value of \(name)."
    case .refused(let error): "The daemon refused the call: \(error)."
    case .system(let error): "\(error)."
    }
  }
}
