// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import Testing

@testable import BatonCommand

/// What `baton transfers` shows.
@Suite struct TransferTextTests {
  private func done(
    _ direction: Transfer.Direction,
    omitted: Int?,
    _ omissions: [OmittedFile] = []
  ) throws -> ControlTransfer {
    var transfer = Transfer(
      id: try #require(ActivityID(bytes: [UInt8](repeating: 1, count: 16))),
      direction,
      deviceID: try #require(DeviceID(bytes: [UInt8](repeating: 2, count: 32))),
      device: "tablet",
      team: nil,
      title: "photos/ (3 files)",
      state: .done,
      begun: 1
    )
    (transfer.omitted, transfer.omissions) = (omitted, omissions)
    return ControlTransfer(transfer)
  }

  /// A transfer that was sent with `--later`, or whose command was closed, says it nowhere else.
  @Test func theListSaysWhatDidNotArriveAndWhy() throws {
    let omissions = [
      OmittedFile(Omission(try #require(TransferPath(Array("photos/a\nb".utf8))), .unreadable))
    ]
    let sent = try done(.sending, omitted: 2, omissions)
    #expect(
      TransferText.table([sent, try done(.sending, omitted: nil)]) == """
        ID        STATE            MACHINE    FILES
        01010101  done, 2 skipped  to tablet  photos/ (3 files)
        01010101  done             to tablet  photos/ (3 files)

        01010101: 2 files didn't arrive:
          photos/a\\u{a}b: \(OmittedReason.unreadable.explanation)
          and 1 more
        """
    )
  }

  @Test func theReceiverSaysWhoKnowsTheNames() throws {
    let text = TransferText.omissions(try done(.receiving, omitted: 1).transfer)
    #expect(text == "1 file didn't arrive. For details, run `baton transfers` on the other machine.")
  }

  /// The explanations are for the other side, which would be told to ask itself.
  @Test func thePersonWhoCanceledHasNobodyToAsk() throws {
    let (sent, received) = (try done(.sending, omitted: nil).transfer, try done(.receiving, omitted: nil).transfer)
    #expect(TransferText.failure(.withdrawn, sent) == "photos/ (3 files) wasn't sent. You canceled it.")
    #expect(TransferText.failure(.canceled, received) == "photos/ (3 files) wasn't received. You canceled it.")
    #expect(
      TransferText.failure(.withdrawn, received)
        == "photos/ (3 files) wasn't received. \(TransferFailure.withdrawn.explanation)"
    )
  }
}
