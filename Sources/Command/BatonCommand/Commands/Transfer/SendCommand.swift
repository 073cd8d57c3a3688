// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import Desktop
import Glibc
import JSONCoding
import Localization
import VarlinkClient

enum SendCommand: Command {
  static let words = ["send"]
  static let group = HelpGroup.files
  static let summary = localized("Send files and folders to another machine.")
  static let details = localized(
    """
    With more than one argument, the last is the machine, unless you use --to:

        baton send notes.txt photos desktop

    An argument with a slash is always a file: ./desktop. Without a machine, the
    files go to the only other machine that's online. If a FILE doesn't exist, the
    command reports it, sends the others, and exits with status 1.

    The other machine's user has to accept the files. They arrive in ~/Handoff
    there, and never replace anything. A FILE may also be a URL: file:///path.

    The command shows the progress, and exits when everything has arrived. To stop
    the transfer, press Ctrl+C. If a machine restarts or the network fails, the
    transfer resumes later and sends only what's missing.

    With --later, the command exits immediately. The transfer is queued until the
    other machine is online, for at most seven days. `baton transfers` lists it.

    With --json, each line is a transfer as in `baton transfers --json`.
    """
  )
  static let to = Option.text(
    "to",
    "MACHINE",
    completing: .machine,
    localized("The machine: its name, or the start of its ID.")
  )
  static let later = Option.flag("later", localized("Queue the files, and send them when the machine is online."))
  static let team = Option.text(
    "team",
    "ID",
    completing: .team,
    localized("The machine's team, if more than one machine has that name.")
  )
  static let options: [any AnyOption] = [to, later, team]
  static let operand: Operand? = .several("FILE", .file)
  static let examples: [CommandExample] = [
    ("baton send notes.txt photos desktop", localized("Send a file and a folder to the desktop.")),
    ("baton send --later --to laptop talk.pdf", localized("Send a file as soon as the laptop is online.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    try SendOperands.requireClearEnd(arguments.operands, hasMachine: arguments[to] != nil)
    let (names, last) = SendOperands.split(arguments.operands, hasMachine: arguments[to] != nil)
    let recipient: Recipient
    if let last {
      recipient = try SendOperands.find(last) { try Recipient.find($0, team: arguments[team], arguments.connect()) }
    } else {
      recipient =
        try arguments[to].map { try Recipient.find($0, team: arguments[team], arguments.connect()) } ?? only(arguments)
    }
    guard recipient.isConnected || arguments[later] else {
      throw CommandError(
        .peerUnreachable,
        localized("\(Printable.text(recipient.name)) is offline. To send the files when it's back online, use --later.")
      )
    }
    let (files, missing) = try find(RawArguments.bytes(of: names))
    guard files.count <= Limits.filesPerTransfer, files.reduce(0, { $0 + $1.utf8.count }) <= maximumLength else {
      throw CommandError(
        .usage,
        localized(
          "You can send at most \(Limits.filesPerTransfer) files and folders. Send the folder they're in instead."
        )
      )
    }
    let connection = try ControlConnection(searchPath: nil)
    let parameters = SendFiles.Parameters(
      files: files,
      deviceID: recipient.deviceID,
      device: recipient.name,
      team: recipient.team
    )
    guard !arguments[later] else {
      let state = try send(parameters, on: connection)
      let line = recipient.isConnected ? TransferText.line(state) : TransferText.waiting(state)
      try output.result(state.json, line + "\n" + localized("Check its progress with `baton transfers`."))
      return try require(missing)
    }
    let interruption = TransferInterruption(hangUp: connection.hangUp)
    defer { withExtendedLifetime(connection) {} }
    let state: ControlTransfer
    do throws(ControlError) {
      state = try send(parameters, on: connection)
    } catch {
      if let signal = interruption.signal { _exit(128 + signal) }
      throw error
    }
    interruption.begin(state.transfer.id)
    for error in missing { output.note("baton: \(Printable.lines(error.message))") }
    try TransferWatch.follow(state, output, isThere: recipient.isConnected)
    try require(missing)
  }

  /// Returns the URLs of all files that are there, and why the others cannot be sent.
  ///
  /// - Throws: If none can be sent.
  private static func find(_ names: [[UInt8]]) throws -> (files: [String], missing: [CommandError]) {
    var files: [String] = []
    var missing: [CommandError] = []
    for name in names {
      do {
        files.append(try url(name))
      } catch let error as CommandError {
        missing.append(error)
      }
    }
    if files.isEmpty, let first = missing.first { throw first }
    return (files, missing)
  }

  /// How many of the names that could not be sent the error has.
  private static let shownNames = 10

  /// - Throws: If something could not be sent.
  private static func require(_ missing: [CommandError]) throws {
    guard !missing.isEmpty else { return }
    let shown = missing.prefix(shownNames).map { "\n  \($0.message)" }.joined()
    let more = missing.count - shownNames
    throw CommandError(
      .failure,
      localized("Not sent:") + shown + (more > 0 ? "\n  " + localized("and \(more) more") : "")
    )
  }

  /// Lets the agent send files. It looks at everything first, which takes as long as the disk needs.
  private static func send(
    _ parameters: SendFiles.Parameters,
    on connection: ControlConnection
  ) throws(ControlError) -> ControlTransfer {
    var replies = try connection.begin(SendFiles.self, parameters)
    guard let state = try replies.next()?.transfer else { throw .disconnected }
    return state
  }

  /// The maximum length of all names in bytes. It leaves room for the rest of the call.
  private static let maximumLength = Limits.agentMessageLength - 64 * 1024

  /// The only other machine that is connected. One that wants the name of another has to be named.
  private static func only(_ arguments: ParsedArguments) throws -> Recipient {
    let known = try Recipient.all(team: arguments[team], arguments.connect())
    let connected = known.filter(\.isConnected)
    if connected.count == 1 {
      guard let claim = connected[0].claim else { return connected[0] }
      throw Recipient.taken(claim, by: connected, from: nil)
    }
    guard !known.isEmpty else {
      throw CommandError(
        .peerNotFound,
        localized(
          """
          No other machines in your teams are known. To add one, run `baton team invite` here and `baton team join` there.
          """
        )
      )
    }
    guard !connected.isEmpty else {
      throw CommandError(
        .peerNotFound,
        localized("None of your other machines is online. To send the files later, use --to and --later.")
      )
    }
    let names = connected.map { "  \(Printable.text($0.name))" }.joined(separator: "\n")
    throw CommandError(
      .deviceAmbiguous,
      localized("More than one machine is online. Add one as the last argument:") + "\n\(names)"
    )
  }

  private static func url(_ argument: [UInt8]) throws -> String {
    // Programs pass names that are not UTF-8 as URLs.
    let name = FileURL.path(String(decoding: argument, as: UTF8.self)) ?? argument
    // A link keeps its own name, unless it is a link to a folder with a slash at the end.
    let last = name.lastIndex(of: UInt8(ascii: "/")).map { name[($0 + 1)...] } ?? name[...]
    let isName = !last.isEmpty && !last.elementsEqual(".".utf8) && !last.elementsEqual("..".utf8)
    let folder = isName ? Array(name.dropLast(last.count)) : name
    guard access(name.cText, F_OK) == 0, let path = realpath((folder.isEmpty ? Array(".".utf8) : folder).cText, nil)
    else {
      let text = String(decoding: name, as: UTF8.self)
      throw CommandError(.notFound, "\(Printable.text(text)): \(String(cString: strerror(errno))).")
    }
    defer { free(path) }
    let resolved = Array(UnsafeBufferPointer(start: path, count: strlen(path))).map(UInt8.init(truncatingIfNeeded:))
    guard isName else {
      guard resolved != Array("/".utf8) else {
        throw CommandError(.usage, localized("You can't send / itself. Specify the files or folders in it instead."))
      }
      return FileURL.text(resolved)
    }
    let slash = resolved.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
    return FileURL.text(resolved + slash + last)
  }
}

extension [UInt8] {
  fileprivate var cText: [CChar] { map(CChar.init(truncatingIfNeeded:)) + [0] }
}
