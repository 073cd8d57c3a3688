import Activity
import ControlClient
import ControlInterface
import Glibc
import JSONCoding

enum OpenCommand: Command {
  static let words = ["open"]
  static let synopsis = "[ID | --latest] [--type TYPE] [--wait SECONDS]"
  static let summary = "Let an app continue an activity of another machine."
  static let details = """
    The app that runs here and takes the activity's type fetches and shows it; of several the one that
    was started last. Where none runs, `baton agent` starts an installed one, or opens the activity's
    web page.

    ID is one of `baton list`, or its first digits. Without it the one activity that fits is taken.

    With --json: {"id", "activityType"}.
    """
  static let options: [Option] =
    OfferOptions.options + [
      .flag("latest", "Take the newest where several fit."),
      .value("wait", "TIME", "Wait so long for an activity that fits: 30, 30s, 5m."),
    ]
  static let operands = 1

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    let (offer, device) = try OfferSearch.find(arguments, helpHint: helpHint)
    let connection = try ControlConnection(path: arguments.value("socket"))
    let parameters = OpenOffer.Parameters(id: offer.id, deviceID: device, activationToken: activationToken)
    _ = try connection.call(OpenOffer.self, parameters)
    let name = ActivityText.name(title: offer.title, type: offer.activityType)
    try output.result(
      ["id": .string(offer.id.description), "activityType": .string(offer.activityType)],
      "An app here continues \(name) from \(Printable.text(offer.device))."
    )
  }

  /// The token from our caller that lets the app take the focus.
  private static var activationToken: String? {
    let names = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"]
    return names.compactMap { name in getenv(name).map { String(cString: $0) } }.first(
      where: OpenOffer.isActivationToken
    )
  }
}
