import Activity
import CommandLineOptions
import ControlClient
import ControlInterface
import JSONCoding

enum RendezvousZoneCommand: Command {
  static let words = ["rendezvous", "zone"]
  static let summary = "Keep your machines' addresses in a DNS zone, sealed."
  static let details = """
    For teams that run no server but have a DNS zone. Each machine updates its own
    record in ZONE, and finds the others there. FILE holds the key for TSIG, as
    `tsig-keygen` and `keymgr -t` write it. With --off, no zone is used any more.
    """
  private static let server = Option.text("server", "HOST[:PORT]", "The zone's primary server. The default port is 53.")
  private static let key = Option.text(
    "key",
    "FILE",
    completing: .file,
    "The file with the key, or - for standard input."
  )
  private static let off = Option.flag("off", "Use no zone any more.")
  static let options: [any AnyOption] = [server, key, off, TeamOption.one]
  static let operand: Operand? = .optional("ZONE", .text)

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    var zone: SetZone.Zone?
    if !arguments[off] {
      guard let name = arguments.operand, let server = arguments[server], let file = arguments[key] else {
        throw UsageError("ZONE, --server and --key are needed, or --off.")
      }
      let text = try TeamFile.read(file, orElse: .addressInvalid)
      guard let (keyName, secret) = TransactionKey.read(text), Base64.decode(secret) != nil else {
        throw CommandError(.failure, "\(file) contains no key for hmac-sha256. Make one with `tsig-keygen NAME`.")
      }
      zone = SetZone.Zone(name: name, server: server, keyName: keyName, key: secret)
    }
    let parameters = SetZone.Parameters(zone: zone, team: arguments[TeamOption.one])
    let reply = try arguments.connect().call(SetZone.self, parameters)
    try output.result(reply.json, RendezvousText.describe(reply.rendezvous))
  }
}
