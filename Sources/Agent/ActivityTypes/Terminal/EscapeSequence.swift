// SPDX-License-Identifier: Apache-2.0

/// Finds in what a person types how to leave a session without its help: Return, then `~.`, as in ssh(1). `~~` is one
/// `~`.
package struct EscapeSequence: Sendable {
  package enum Result: Equatable, Sendable {
    case typed([UInt8])
    /// Leave the session. What was typed before that is sent.
    case leave([UInt8])
  }

  private enum State: Equatable {
    case line
    case lineStart
    case tilde
  }

  private var state = State.lineStart

  package init() {}

  package mutating func filter(_ bytes: ArraySlice<UInt8>) -> Result {
    var output: [UInt8] = []
    for byte in bytes {
      switch (state, byte) {
      case (.lineStart, UInt8(ascii: "~")): state = .tilde
      case (.tilde, UInt8(ascii: ".")):
        state = .lineStart
        return .leave(output)
      case (.tilde, UInt8(ascii: "~")):
        output.append(byte)
        state = .line
      default:
        if state == .tilde { output.append(UInt8(ascii: "~")) }
        output.append(byte)
        state = byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") ? .lineStart : .line
      }
    }
    return .typed(output)
  }
}
