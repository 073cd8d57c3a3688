/// Why a daemon cannot start.
package struct DaemonError: Error, Sendable, CustomStringConvertible {
  package enum Code: Sendable { case alreadyRunning, failed }

  package let code: Code
  package let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
