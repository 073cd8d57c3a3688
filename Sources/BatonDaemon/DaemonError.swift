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
      self.init(.alreadyRunning, "Another batond uses the state directory \(path); stop it, or name another directory")
    case StateDirectory.Failure.laterVersion(let layout):
      self.init(
        .laterVersion,
        "A later version of batond has written the state directory \(path) (layout \(layout)); install that version again. "
          + "Nothing was changed"
      )
    case StateDirectory.Failure.unusable(let detail):
      self.init(.failed, "The state directory \(path) cannot be used: \(detail)")
    default: self.init(.failed, "The state directory \(path) cannot be used: \(error)")
    }
  }
}
