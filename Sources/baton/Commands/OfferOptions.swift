import ControlInterface

/// The options by which verbs say which offers they mean.
enum OfferOptions {
  static let options: [Option] = [
    .value("type", "TYPE", "Only activities of this type, as org.example.reading.", limit: .activityType),
    .value("team", "ID", "Only offers of this team."),
  ]

  static func parameters(_ arguments: ArgumentList) -> ListOffers.Parameters {
    ListOffers.Parameters(activityType: arguments.value("type"), team: arguments.value("team"))
  }
}
