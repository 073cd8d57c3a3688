// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Localization
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
      localized(
        """
        batond isn't running: nothing answers on \(paths.joined(separator: ", ")). To see why, run \
        `systemctl status batond`. To start it, run `sudo systemctl start batond`, or `systemctl --user start batond` \
        for one of your own.
        """
      )
    case .searchNotRunning(let path?):
      localized(
        """
        The agent isn't running: nothing answers on \(path). To see why, run `systemctl --user status baton-agent`. To \
        start it, run `systemctl --user start baton-agent.socket`, or `baton agent` without systemd.
        """
      )
    case .searchNotRunning(nil): localized("Can't find the agent, because XDG_RUNTIME_DIR isn't set. Log in first.")
    case .notPermitted(let path): localized("This user isn't allowed to use batond's socket \(path).")
    case .foreignServer(let path, let user):
      localized(
        """
        The program listening on \(path) runs as \(Self.name(of: user)), not as you, root or the system's batond, so \
        it isn't trusted. After `su`, XDG_RUNTIME_DIR may still be the other user's: use `su -` or `sudo -i` instead. \
        To use the socket anyway, specify it with `--socket`.
        """
      )
    case .tooLong(let count):
      localized(
        "The call is \(count) bytes long, but batond accepts at most \(Limits.varlinkMessageLength). Shorten it."
      )
    case .timedOut: localized("batond didn't answer in time. Check its log: `sudo journalctl -u batond`.")
    case .disconnected:
      localized("batond closed the connection, because it's stopping or has failed. Run `systemctl status batond`.")
    case .protocolViolation(let detail): localized("batond sent an invalid response (\(detail)).")
    case .failed(let failure): failure.localizedMessage
    case .refused(.methodNotFound(let name)), .refused(.methodNotImplemented(let name)),
      .refused(.interfaceNotFound(let name)):
      localized("batond doesn't support \(name). It may be older than this program.")
    case .refused(.invalidParameter(let name)): localized("batond doesn't accept this value for \(name).")
    case .refused(let error): localized("batond refused the call: \(error).")
    case .system(let error): "\(error)."
    }
  }

  private static func name(of user: UInt32?) -> String {
    user.map { localized("user \($0)") } ?? localized("an unknown user")
  }
}
