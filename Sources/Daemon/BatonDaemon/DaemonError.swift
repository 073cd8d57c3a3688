import Teams

/// Why a daemon cannot start.
package struct DaemonError: Error, Sendable, CustomStringConvertible {
  package enum Code: Sendable { case alreadyRunning, laterVersion, failed }

  package let code: Code
  package let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  init(_ error: any Error, stateDirectory path: String) {
    switch error {
    case StateDirectory.Failure.inUse:
      self.init(.alreadyRunning, "Another batond uses the state directory \(path). Stop it or choose another one")
    case StateDirectory.Failure.laterVersion(let layout):
      self.init(
        .laterVersion,
        "The state directory \(path) was written by a later version of batond (layout \(layout)) and was not changed. "
          + "Install that version again"
      )
    case StateDirectory.Failure.unusable(let detail):
      self.init(.failed, "The state directory \(path) cannot be used: \(detail)")
    default: self.init(.failed, "The state directory \(path) cannot be used: \(error)")
    }
  }
}
