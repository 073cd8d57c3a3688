// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff

extension TLSConnection {
  /// What happens on the connection. No event follows ``finish()`` or ``abandon()``.
  enum Event {
    /// The handshake is complete, and both certificates (or the invitation) were accepted.
    case established
    /// A whole frame has arrived. Its payload must not be kept.
    case frame(FrameDecoder.Frame)
    /// Every frame that arrived at the same time was passed on.
    case batchEnd
    /// Everything that had arrived was passed on, or others get their turn.
    case turnEnd
    /// What arrived is not a frame. The receiver may tell the other side and finish. Otherwise, the connection ends.
    case violation(Reason)
    /// Streams may add to the output again.
    case space
    /// The connection has ended. This is the last event.
    case ended(Reason)
  }
}
