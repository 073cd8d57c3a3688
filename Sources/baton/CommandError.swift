import Activity

/// What the command itself found wrong, after its arguments were understood.
struct CommandError: Error {
  let status: ExitStatus
  /// For people.
  let message: String
  /// Its name in the list of reasons, where it has one.
  let reason: String?

  init(_ status: ExitStatus, _ message: String, reason: Reason? = nil) {
    self.status = status
    self.message = message
    self.reason = reason?.rawValue
  }

  /// - Parameter message: Says more than the reason's explanation, where there is more to say.
  init(_ reason: Reason, _ message: String? = nil) {
    status = ExitStatus(reason)
    self.message = message ?? reason.explanation
    self.reason = reason.rawValue
  }
}
