import Activity
import ControlInterface

/// Which of the offers `baton continue` means.
struct OfferChoice {
  /// The beginning of an ID, or all of it.
  let id: String?
  /// Take the newest where several fit.
  let latest: Bool
  let needsStream: Bool

  /// - Parameter offers: Newest first, as the daemon gives them.
  /// - Returns: nil where none fits. Without a device where several offer the same activity: the daemon knows who did first.
  /// - Throws: where several fit, or the one that is named has no stream.
  func choose(from offers: [ControlOffer]) throws(CommandError) -> (offer: ControlOffer, device: DeviceID?)? {
    if let id {
      let named = offers.filter { $0.id.description.hasPrefix(id.lowercased()) }
      guard let offer = named.first else { return nil }
      guard named.allSatisfy({ $0.id == offer.id }) else { throw Self.ambiguous(named) }
      if needsStream, !offer.supportsContinuationStreams { throw CommandError(.streamsNotSupported) }
      return (offer, named.count == 1 ? offer.deviceID : nil)
    }
    let fitting = offers.filter { !needsStream || $0.supportsContinuationStreams }
    guard fitting.count <= 1 || latest else { throw Self.ambiguous(fitting) }
    return fitting.first.map { ($0, $0.deviceID) }
  }

  private static func ambiguous(_ offers: [ControlOffer]) -> CommandError {
    let choices = offers.map { "  \(ActivityText.shortID($0))  \(ActivityText.line($0))" }
    return CommandError(
      .notFound,
      "Several activities fit; name one, or take the newest with --latest:\n" + choices.joined(separator: "\n")
    )
  }
}
