// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Localization

/// Chooses the offer that `baton continue` means.
struct OfferChoice {
  /// A prefix of an ID, or the whole ID.
  let id: String?
  /// Whether to take the newest offer if several fit.
  let latest: Bool
  let needsStream: Bool
  /// Whether what was copied counts without an ID. It is usually pasted instead.
  var takesCopies = false

  /// - Parameter offers: The newest first, as the daemon lists them.
  /// - Returns: Nil if none fits. The device is nil if several machines offer the same activity, because the daemon
  ///   knows which of them offered it first.
  /// - Throws: If several fit, or the one that was named has no stream.
  func choose(from offers: [ControlOffer]) throws(CommandError) -> (offer: ControlOffer, device: DeviceID?)? {
    if let id {
      let named = offers.filter { $0.id.description.starts(withBytesOf: id.lowercased()) }
      guard let offer = named.first else { return nil }
      guard named.allSatisfy({ $0.id == offer.id }) else { throw Self.ambiguous(named) }
      if needsStream, !offer.supportsContinuationStreams { throw CommandError(.streamsNotSupported) }
      return (offer, named.count == 1 ? offer.deviceID : nil)
    }
    let fitting = offers.filter { offer in
      (takesCopies || offer.activityType != OpenActivityType.clipboard.rawValue)
        && (!needsStream || offer.supportsContinuationStreams)
    }
    guard fitting.count <= 1 || latest else { throw Self.ambiguous(fitting) }
    return fitting.first.map { ($0, $0.deviceID) }
  }

  private static func ambiguous(_ offers: [ControlOffer]) -> CommandError {
    let choices = offers.map { "  \(ActivityText.shortID($0))  \(ActivityText.line($0))" }
    let text = localized("More than one offer matches. Specify one by its ID, or use `--latest` for the newest:")
    return CommandError(.notFound, ([text] + choices).joined(separator: "\n"))
  }
}
