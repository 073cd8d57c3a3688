import ControlClient
import ControlInterface
import JSONCoding

enum TeamPassphraseCommand: Command {
  static let words = ["team", "passphrase"]
  static let synopsis = "[--team ID] [--remove] [--passphrase-file FILE]"
  static let summary = "Seal the team's key on this machine with a passphrase, or with another one."
  static let details = """
    It is asked for when a machine is invited, approved, promoted or removed, and opens the key for 15
    minutes. Certificates end after a year: without the passphrase nobody renews them by themselves, so
    that `baton team unlock` is needed now and then; `baton doctor` says when. Who forgets it needs
    `baton team renew`. The one that the key has is asked for, unless `baton team unlock` took it just before.
    """
  static let options: [Option] = [
    .value("team", "ID", "The team; needed where you have several."),
    .flag("remove", "Writes the key to the disk without a passphrase."), Passphrase.option,
  ]

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    let connection = try ControlConnection(path: arguments.value("socket"))
    let team = arguments.value("team")
    let isRemoval = arguments.has("remove")
    guard !isRemoval || arguments.value(Passphrase.option.name) == nil else {
      throw UsageError("--remove needs no new passphrase.", hint: helpHint)
    }
    let passphrase = isRemoval ? nil : try Passphrase.read(arguments, isNew: true, of: LockedKey.thing)
    let parameters = SetPassphrase.Parameters(team: team, passphrase: passphrase)
    let reply = try LockedKey.call(SetPassphrase.self, parameters, team: team, nil, on: connection)
    let name = TeamText.name(reply.team)
    try output.result(
      reply.json,
      reply.team.passphrase
        ? "The key of the team \(name) has this passphrase now." : "The key of the team \(name) has no passphrase now."
    )
  }
}
