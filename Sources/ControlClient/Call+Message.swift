import Activity
import Varlink

extension Call {
  /// What is sent: the daemon hangs up on a message that is longer than it takes.
  ///
  /// - Throws: `ControlError.tooLong`.
  var message: [UInt8] {
    get throws(ControlError) {
      let bytes = bytes
      guard bytes.count <= Limits.varlinkMessageLength else { throw .tooLong(bytes.count) }
      return bytes + [0]
    }
  }
}
