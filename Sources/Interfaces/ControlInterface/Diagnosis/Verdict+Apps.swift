import Activity

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
    guard let failure else { return Finding(.continuation, .passed, "No continuation has failed lately.") }
    let origin = failure.device.isEmpty ? "" : " from \(failure.device)"
    let isApp = failure.reason == .appTimedOut
    let time = failure.age < 60 ? "less than a minute" : "\(Int(clamping: Int64(failure.age / 60))) minutes"
    return Finding(
      .continuation,
      isApp ? .failed : .note,
      "The last continuation\(origin) failed \(time) ago. \(failure.reason.explanation)",
      reason: failure.reason,
      advice: isApp ? "Check whether that app hangs. If it does, restart it." : nil
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
    guard !offered.isEmpty else { return Finding(.application, .skipped, "Other machines offer nothing.") }
    guard !missing.isEmpty else { return Finding(.application, .passed, "Apps here take everything that is offered.") }
    guard !isIncomplete else {
      return Finding(
        .application,
        .note,
        "No app that the agent has reported takes \(list(missing)). More apps are installed than it can report.",
        reason: .limitReached,
        advice:
          "`journalctl --user -t baton-agent` shows the desktop entries that are ignored. Remove those you do not need."
      )
    }
    return Finding(
      .application,
      .note,
      "No app here takes \(list(missing)).",
      reason: .applicationNotFound,
      advice: "Start or install an app that does, or use `baton continue`."
    )
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
    case .yes: Finding(.offer, .passed, "The current activity is offered.")
    case .nothing:
      Finding(.offer, .skipped, "No app here has a current activity.")
    case .withheld(.notEligible):
      Finding(.offer, .note, Reason.notEligible.explanation, reason: .notEligible)
    case .withheld(let reason):
      Finding(.offer, .failed, "The current activity is not offered.", reason: reason, advice: reason.explanation)
    }
  }
}
