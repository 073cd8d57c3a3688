// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import Desktop
import EventLoop
import Glibc
import Hosts
import JSONCoding
import Localization
import Varlink
import VarlinkClient

enum PasteCommand: Command {
  static let words = ["paste"]
  static let group = HelpGroup.files
  static let summary = localized("Paste the last thing copied on any of your machines.")
  static let details = localized(
    """
    The newest copy is the one this machine learned of last, either from another
    machine's offer or from `baton copy` here. You can paste it on more than one
    machine, and more than once.

    Without --type, the best type is used. Content that isn't text, or that contains
    control characters, goes to a terminal only with --force. If the content doesn't
    arrive completely, nothing is written.

    With --json, the output is {"copy": {"types", "size", "copied", "device",
    "deviceID", "team"}, "type", "size", "sha256", "text"}, with "base64" instead of
    "text" if it isn't UTF-8 text. With --list, it is {"copies": [...]}.
    """
  )
  static let type = Option.text("type", "MIME", localized("The type to paste, for example text/html."))
  static let list = Option.flag("list", localized("List all copies, newest first."))
  static let from = Option.text(
    "from",
    "MACHINE",
    completing: .machine,
    localized("Only copies from MACHINE: its name, or the start of its ID.")
  )
  static let team = Option.text(
    "team",
    "ID",
    completing: .team,
    localized("The machine's team, if more than one machine has that name.")
  )
  static let force = Option.flag("force", localized("Write to a terminal even if it isn't plain text."))
  static let options: [any AnyOption] = [type, list, from, team, force]
  static let commonOptions = SearchOptions.common

  /// The longest time in which the content arrives: a slow network takes some minutes for 64 MiB.
  private static let time = Duration.seconds(600)
  static let examples: [CommandExample] = [
    ("baton paste", localized("Print the last thing you copied.")),
    ("baton paste --type image/png > image.png", localized("Save a copied image.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    if let name = arguments[type], MediaType(name) == nil {
      throw UsageError(localized("'--type' must be a media type, for example text/html."), hint: syntax.hint)
    }
    guard arguments[team] == nil || arguments[from] != nil else {
      throw UsageError(localized("'--team' needs '--from'."), hint: syntax.hint)
    }
    let origin = try OfferOrigin(arguments[from], team: arguments[team]) { () throws(ControlError) in
      try ControlConnection()
    }
    let connection = try arguments.connectToIndex()
    if arguments[list] { return try show(connection, origin, output) }
    let device = if case .device(let id) = origin { id.text } else { arguments[from] }
    let parameters = PasteContent.Parameters(type: arguments[type], device: device)
    let (reply, descriptor) = try connection.upgrade(PasteContent.self, parameters, within: time)
    defer { close(descriptor) }
    let content = try read(descriptor, reply)
    let text = String(validating: content, as: UTF8.self)
    guard !output.isJSON else {
      var members = reply.members
      members[text == nil ? "base64" : "text"] = .string(text ?? Base64.encode(content))
      return try output.document(.object(members))
    }
    guard arguments[force] || isatty(STDOUT_FILENO) == 0 || text.map(isHarmless) == true else {
      throw CommandError(
        .refused,
        localized(
          "This is \(Printable.text(reply.type)), which can garble the terminal. Redirect the output, or use `--force`."
        )
      )
    }
    do {
      try Descriptor.write(content[...], to: STDOUT_FILENO)
    } catch {
      throw error.code == EPIPE ? OutputClosed() : StreamCopy.failure(of: .output, error) as any Error
    }
  }

  private static func show(_ connection: ControlConnection, _ origin: OfferOrigin, _ output: Output) throws {
    let all = try connection.call(ListCopies.self, Nothing()).copies
    let copies = all.filter { origin.includes($0.device, $0.deviceID) }
    if copies.isEmpty { output.note(localized("There's nothing to paste.")) }
    guard output.isJSON || !copies.isEmpty else { return }
    try output.result(ListCopies.Reply(copies: copies).json, CopyText.table(copies))
  }

  /// Reads everything before anything is written.
  private static func read(_ descriptor: Int32, _ reply: PasteContent.Reply) throws -> [UInt8] {
    let stream = BlockingStream(descriptor, idleTime: Limits.controlReplyTime)
    var content: [UInt8] = []
    let hash = ContentHash()
    while content.count < reply.size {
      guard let part = try? stream.read(atMost: reply.size - content.count), !part.isEmpty else { throw cut }
      hash.update(part)
      content += part
    }
    guard hash.finish() == reply.sha256 else { throw cut }
    return content
  }

  private static let cut = CommandError(.streamInterrupted, localized("The content was cut off. Try again."))

  /// Whether a terminal shows it as it is, and obeys nothing in it.
  private static func isHarmless(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x09, 0x0A: true
      case 0..<0x20, 0x7F..<0xA0: false
      // Marks that change the direction, line separators, and tags, which nobody sees.
      default:
        !scalar.properties.isBidiControl && scalar.value != 0x2028 && scalar.value != 0x2029
          && !(0xE0000...0xE007F).contains(scalar.value)
      }
    }
  }
}
