import Activity
import ControlInterface

/// The options with which verbs select offers.
enum OfferOptions {
  static let options: [Option] = [
    .value("type", "TYPE", "Only activities of this type, as org.example.reading.", limit: .activityType),
    .value("team", "ID", "Only offers of this team."),
    .value("from", "DEVICE", "Only offers of this device: its name, or a prefix of its ID."),
  ]

  /// The offers that come from the device of `--from`.
  static func filtered(_ offers: [ControlOffer], _ arguments: ArgumentList) -> [ControlOffer] {
    guard let device = arguments.value("from") else { return offers }
    return offers.filter { $0.device == device || $0.deviceID.text.hasPrefix(device.uppercased()) }
  }

  static func parameters(_ arguments: ArgumentList) -> ListOffers.Parameters {
    ListOffers.Parameters(activityType: arguments.value("type"), team: arguments.value("team"))
  }
}
