// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// Says that the sender's device has another name than in its hello. Daemons that do not know the message ignore it.
package struct Renamed: MessageBody {
  package static var type: UInt8 { SessionMessage.Number.renamed.rawValue }

  /// The new name, for people to read; at most `Limits.deviceNameLength` bytes.
  @Coded<DeviceName> package var device: String

  package init(device: String) { self.device = device }
}
