// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Desktop
import JSONCoding
import Localization
import VarlinkClient

/// What waits for the user's answer: files that a machine sends, and activities that were sent to this machine.
enum WaitingText {
  /// Nil if nothing waits, or if nobody can say.
  static func current() -> String? {
    let transfers = try? ControlConnection(searchPath: nil).call(ListTransfers.self, Nothing()).transfers
    let offers = try? ControlConnection().call(ListOffers.self, ListOffers.Parameters()).offers
    return text(transfers ?? [], offers ?? [])
  }

  static func text(_ transfers: [ControlTransfer], _ offers: [ControlOffer]) -> String? {
    let questions = transfers.map(\.transfer).filter { $0.state == .asking }.map { transfer in
      (transfer.device, transfer.title, "baton transfers --accept \(TransferText.shortID(transfer))")
    }
    let pasted = [OpenActivityType.files.rawValue, OpenActivityType.clipboard.rawValue]
    let sent = offers.filter { $0.isSent && !pasted.contains($0.activityType) }.map { offer in
      (
        offer.device, offer.title ?? ActivityTypeName.text(offer.activityType),
        "baton open \(ActivityText.shortID(offer))"
      )
    }
    let rows = (questions + sent).map { device, title, command in
      ["  ", localized("\(Printable.text(title)), from \(Printable.text(device))"), command]
    }
    return rows.isEmpty ? nil : localized("Waiting for you:") + "\n" + Table.text(rows)
  }
}
