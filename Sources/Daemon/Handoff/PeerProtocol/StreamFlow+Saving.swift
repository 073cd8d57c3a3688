// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// A stream's state as one daemon of a machine passes it to the next.
extension StreamFlow: Structure {
  private struct Saved: Structure {
    let sent: UInt64
    let acknowledged: UInt64
    let sendLimit: UInt64
    let hasFinishedSending: Bool
    let isFinishAcknowledged: Bool
    let received: UInt64
    let taken: UInt64
    let receiveLimit: UInt64
    let hasFinishedReceiving: Bool
  }

  /// - Throws: `InvalidParameter`, also if the numbers are inconsistent.
  package init(from decoder: any Decoder) throws {
    let saved = try Saved(from: decoder)
    self.init(
      window: max(Limits.streamFirstWindow, saved.receiveLimit.subtractingReportingOverflow(saved.taken).partialValue),
      sendLimit: saved.sendLimit
    )
    sending.count = saved.sent
    sending.acknowledged = saved.acknowledged
    sending.isFinished = saved.hasFinishedSending
    sending.isFinishAcknowledged = saved.isFinishAcknowledged
    sending.transmitted = sending.count
    receiving.count = saved.received
    receiving.taken = saved.taken
    receiving.limit = saved.receiveLimit
    receiving.isFinished = saved.hasFinishedReceiving
    receiving.acknowledged = receiving.taken
    guard sending.acknowledged <= sending.count, sending.count <= sending.limit else { throw InvalidParameter("sent") }
    guard receiving.taken <= receiving.count, receiving.count <= receiving.limit else {
      throw InvalidParameter("received")
    }
    guard window <= Limits.streamWindowMaximum else { throw InvalidParameter("receiveLimit") }
  }

  package func encode(to encoder: any Encoder) throws {
    let saved = Saved(
      sent: sending.count,
      acknowledged: sending.acknowledged,
      sendLimit: sending.limit,
      hasFinishedSending: sending.isFinished,
      isFinishAcknowledged: sending.isFinishAcknowledged,
      received: receiving.count,
      taken: receiving.taken,
      receiveLimit: receiving.limit,
      hasFinishedReceiving: receiving.isFinished
    )
    try saved.encode(to: encoder)
  }
}
