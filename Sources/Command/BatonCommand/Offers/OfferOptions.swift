// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import Localization
import VarlinkClient

/// The options with which commands select offers.
enum OfferOptions {
  static let type = Option.text(
    "type",
    "TYPE",
    completing: .activityType,
    localized("Only this type, for example org.example.reading."),
    limit: .activityType
  )
  static let team = Option.text("team", "ID", completing: .team, localized("Only offers from this team."))
  static let from = Option.text(
    "from",
    "MACHINE",
    completing: .machine,
    localized("Only offers from MACHINE: its name, or the start of its ID.")
  )
  static let all: [any AnyOption] = [type, team, from]

  /// Whether any of them is given.
  static func isGiven(in arguments: ParsedArguments) -> Bool {
    arguments[type] != nil || arguments[team] != nil || arguments[from] != nil
  }

  /// The device of `--from`.
  ///
  /// - Throws: `deviceAmbiguous`, `nameTaken`.
  static func origin(_ arguments: ParsedArguments) throws -> OfferOrigin {
    try OfferOrigin(arguments[from], team: arguments[team]) { () throws(ControlError) in try arguments.connect() }
  }

  /// The offers that come from a device.
  static func filtered(_ offers: [ControlOffer], _ origin: OfferOrigin) -> [ControlOffer] {
    offers.filter { origin.includes($0.device, $0.deviceID) }
  }

  static func parameters(_ arguments: ParsedArguments) -> ListOffers.Parameters {
    ListOffers.Parameters(activityType: arguments[type], team: arguments[team])
  }
}
