// SPDX-License-Identifier: Apache-2.0

import Activity
import Varlink

extension Call {
  /// The message to send. The daemon closes the connection if a message is too long for it.
  var message: [UInt8] {
    get throws(ControlError) {
      let bytes = bytes
      let limit =
        method.starts(withBytesOf: "io.baton.Transfers.") ? Limits.agentMessageLength : Limits.varlinkMessageLength
      guard bytes.count <= limit else { throw .tooLong(bytes.count) }
      return bytes + [0]
    }
  }
}
