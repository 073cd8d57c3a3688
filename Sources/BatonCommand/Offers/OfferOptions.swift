import Activity
import CommandLineOptions
import ControlInterface

/// The options with which commands select offers.
enum OfferOptions {
  static let type = Option.text(
    "type",
    "TYPE",
    completing: .activityType,
    "Only activities of this type, for example org.example.reading.",
    limit: .activityType
  )
  static let team = Option.text("team", "ID", completing: .team, "Only offers of this team.")
  static let from = Option.text(
    "from",
    "DEVICE",
    completing: .machine,
    "Only offers of this device: its name, or a prefix of its ID."
  )
  static let all: [any AnyOption] = [type, team, from]

  /// Whether any of them is given.
  static func isGiven(in arguments: ParsedArguments) -> Bool {
    arguments[type] != nil || arguments[team] != nil || arguments[from] != nil
  }

  /// The offers that come from the device of `--from`.
  static func filtered(_ offers: [ControlOffer], _ arguments: ParsedArguments) -> [ControlOffer] {
    guard let device = arguments[from] else { return offers }
    return offers.filter { $0.device == device || $0.deviceID.text.starts(withBytesOf: device.uppercased()) }
  }

  static func parameters(_ arguments: ParsedArguments) -> ListOffers.Parameters {
    ListOffers.Parameters(activityType: arguments[type], team: arguments[team])
  }
}
