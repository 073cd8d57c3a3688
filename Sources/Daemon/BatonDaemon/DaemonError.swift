// SPDX-License-Identifier: Apache-2.0

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
      self.init(
        .alreadyRunning,
        "Another batond is using the state directory \(path). Stop it, or choose a different directory"
      )
    case StateDirectory.Failure.laterVersion(let layout):
      self.init(
        .laterVersion,
        "A later version of batond wrote the state directory \(path) (layout \(layout)), so it wasn't changed. "
          + "Install that version again"
      )
    case StateDirectory.Failure.unusable(let detail):
      self.init(.failed, "Can't use the state directory \(path): \(detail)")
    default: self.init(.failed, "Can't use the state directory \(path): \(error)")
    }
  }
}
