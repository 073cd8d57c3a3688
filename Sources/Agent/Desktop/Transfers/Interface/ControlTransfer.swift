// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The type `Transfer`: what is kept of a transfer, and how far it is.
package struct ControlTransfer: Structure {
  package var transfer: Transfer
  /// The number of bytes that are there.
  @Coded<Count> package var received = 0
  /// The number of files that are there.
  @Coded<Count> package var arrived = 0

  package init(_ transfer: Transfer) { self.transfer = transfer }
}
