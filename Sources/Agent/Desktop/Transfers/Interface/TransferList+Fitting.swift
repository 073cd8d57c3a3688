// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

extension TransferList {
  /// The maximum length of a list in bytes. With some room for what always stays, it is less than
  /// `Limits.controlSendQueueLength`.
  private static let length = 512 * 1024

  /// - Parameter transfers: What does not fit is listed without its files, what was left out, and what is asked.
  package init(fitting transfers: [ControlTransfer]) {
    var rest = Self.length
    self.init(
      transfers: transfers.map { transfer in
        let length = transfer.json.bytes.count
        guard length > rest else {
          rest -= length
          return transfer
        }
        var brief = transfer
        (brief.transfer.files, brief.transfer.omissions, brief.transfer.info) = ([], [], nil)
        return brief
      }
    )
  }
}
