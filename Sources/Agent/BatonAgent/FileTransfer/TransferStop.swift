// SPDX-License-Identifier: Apache-2.0

import Desktop
import EventLoop

/// Why one attempt at a transfer ended before everything arrived.
package enum TransferStop: Error, Equatable, Sendable {
  /// Both sides have been told, or will be. Another attempt would end in the same way, unless somebody does something.
  case failed(TransferFailure)
  /// The stream ended or hangs. The transfer can go on through another one.
  case broken
}
