// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc
import JSONCoding
import Localization
import Search
import VarlinkClient

/// What the doctor finds out about the user's search index.
enum SearchFinding {
  static func finding() -> Diagnose.Reply {
    do throws(ControlError) {
      return finding(try ControlConnection(searchPath: nil).call(GetSearchStatus.self, Nothing()))
    } catch {
      return finding(error)
    }
  }

  /// Whether this user has a service manager, which runs the agent.
  static var hasManager: Bool {
    ProcessEnvironment.current.directory("XDG_RUNTIME_DIR").map { access("\($0)/systemd/private", F_OK) == 0 } ?? false
  }

  static func finding(_ status: GetSearchStatus.Reply) -> Diagnose.Reply {
    guard let damaged = status.damaged else {
      return Diagnose.Reply(.search, .passed, localized("The search index contains \(SearchText.summary(status))."))
    }
    return Diagnose.Reply(
      .search,
      .note,
      localized(
        """
        The search index was damaged, so a new one was started. It contains \(SearchText.summary(status)). The old \
        one is \(damaged).
        """
      ),
      advice: localized("Apps will fill it again. `baton search --forget --all` also deletes the old one.")
    )
  }

  static func finding(_ error: ControlError, hasManager: Bool = hasManager) -> Diagnose.Reply {
    switch error {
    case .searchNotRunning where hasManager:
      Diagnose.Reply(
        .search,
        .failed,
        localized("`baton agent` isn't running, so nothing is shown, searched or opened here, and no files arrive."),
        reason: .indexUnavailable,
        advice: localized("Run `systemctl --user enable --now baton-agent.socket baton-agent.service`.")
      )
    case .searchNotRunning:
      Diagnose.Reply(
        .search,
        .skipped,
        localized("There's no search index, because `baton agent` isn't running."),
        advice: localized("To use search, run `systemctl --user enable --now baton-agent.socket`.")
      )
    case .failed(let failure): Diagnose.Reply(.search, .failed, failure.message, reason: failure.reason)
    default:
      Diagnose.Reply(
        .search,
        .failed,
        localized("The search index isn't responding: \(error)"),
        reason: .indexUnavailable,
        advice: localized("Check `journalctl --user -u baton-agent`.")
      )
    }
  }
}
