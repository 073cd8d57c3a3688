// SPDX-License-Identifier: Apache-2.0

import Activity
import Localization

extension Verdict {
  /// The user's last continuation that failed.
  package struct Failure: Equatable, Sendable {
    package let reason: Reason
    /// The device where the activity was offered; empty if nobody offered it.
    package let device: String
    /// How long ago it failed, in seconds.
    package let age: Double

    package init(reason: Reason, device: String, age: Double) {
      self.reason = reason
      self.device = device
      self.age = age
    }
  }

  package static func continuation(_ failure: Failure?) -> Finding {
    guard let failure else { return Finding(.continuation, .passed, localized("No recent failures.")) }
    let isApp = failure.reason == .appTimedOut
    let time = ago(failure.age)
    let detail =
      failure.device.isEmpty
      ? localized("The last continuation failed \(time).")
      : localized("The last continuation from \(failure.device) failed \(time).")
    return Finding(
      .continuation,
      isApp ? .failed : .note,
      "\(detail) \(failure.reason.explanation)",
      reason: failure.reason,
      advice: isApp ? localized("Check whether that app is still responding. If it isn't, restart it.") : nil
    )
  }

  /// - Parameters:
  ///   - offered: The types of the activities that others offer to the user.
  ///   - taken: The types that apps here take, whether they are running or can be started.
  ///   - isIncomplete: Whether more apps or types are installed than the agent reads.
  package static func applications(offered: Set<String>, taken: Set<String>, isIncomplete: Bool = false) -> Finding {
    // No app takes what was copied: people paste it.
    let offered = offered.filter { CurrentKind(activityType: $0) != .clipboard }
    let missing = offered.subtracting(taken)
    guard !offered.isEmpty else {
      return Finding(.application, .skipped, localized("Your other machines aren't offering anything."))
    }
    guard !missing.isEmpty else {
      return Finding(.application, .passed, localized("This machine has an app for everything that's offered."))
    }
    guard !isIncomplete else {
      return Finding(
        .application,
        .note,
        localized(
          "No app that the agent has reported handles \(names(missing)). More apps are installed than it can report."
        ),
        reason: .limitReached,
        advice:
          localized(
            "`journalctl --user -t baton-agent` shows the ignored desktop entries. Remove those you don't need."
          )
      )
    }
    return Finding(
      .application,
      .note,
      localized("No app here handles \(names(missing))."),
      reason: .applicationNotFound,
      advice: localized("Start or install an app that does, or use `baton continue`.")
    )
  }

  /// What people call the types.
  private static func names(_ types: Set<String>) -> String { list(Set(types.map(ActivityTypeName.text))) }

  /// `less than a minute ago`
  static func ago(_ seconds: Double) -> String {
    guard seconds >= 60 else { return localized("less than a minute ago") }
    let minutes = Int(clamping: Int64(seconds / 60))
    return localized(minutes, one: "\(minutes) minute ago", other: "\(minutes) minutes ago")
  }

  /// Whether the user's activity on this machine is offered to others.
  package enum Offered: Equatable, Sendable {
    case yes
    /// No app has a current activity.
    case nothing
    case withheld(Reason)
  }

  package static func offer(_ offered: Offered) -> Finding {
    switch offered {
    case .yes: Finding(.offer, .passed, localized("This machine is offering something to your other machines."))
    case .nothing:
      Finding(.offer, .skipped, localized("No app here is offering anything."))
    case .withheld(.notEligible):
      Finding(.offer, .note, Reason.notEligible.explanation, reason: .notEligible)
    case .withheld(let reason):
      Finding(
        .offer,
        .failed,
        localized("The offer is hidden from your other machines."),
        reason: reason,
        advice: reason.explanation
      )
    }
  }
}
