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

enum CopyCommand: Command {
  static let words = ["copy"]
  static let group = HelpGroup.files
  static let summary = localized("Copy something for your other machines to paste.")
  static let details = localized(
    """
    The content stays in the memory of this machine's agent for two minutes, until
    you copy something else, or until the screen is locked. It leaves the machine
    only when another machine pastes it. The maximum is 64 MiB.

    Without --type, UTF-8 text and common image formats are recognized. Secrets are
    refused, and the previous copy is cleared. Baton treats the input as a secret if
    you add --sensitive, if CLIPBOARD_STATE is `sensitive` (set by
    `wl-paste --watch baton copy`), or if its type is one that password managers use
    to mark secrets.

    With --json, the output is {"type", "size", "offered"}. offered is false if the
    daemon doesn't offer it to other machines.
    """
  )
  static let type = Option.text("type", "MIME", localized("The media type, for example image/png."))
  static let team = Option.text(
    "team",
    "TEAM",
    completing: .team,
    localized("Offer it only to this team: its name or ID.")
  )
  static let sensitive = Option.flag("sensitive", localized("Treat the input as a secret and refuse to copy it."))
  static let clear = Option.flag("clear", localized("Clear the copy that was made on this machine."))
  static let options: [any AnyOption] = [type, team, sensitive, clear]
  static let operand: Operand? = .optional("FILE", .file)
  static let commonOptions = SearchOptions.common
  static let examples: [CommandExample] = [
    ("baton copy notes.txt", localized("Copy a file for your other machines.")),
    ("git diff | baton copy", localized("Copy the output of a command.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let state = getenv(SecretHint.stateVariable).map { String(cString: $0) }
    if arguments[clear] || ["nil", "clear"].contains(state) {
      guard arguments.operand == nil || !arguments[clear] else {
        throw UsageError(localized("'--clear' can't be combined with FILE."), hint: syntax.hint)
      }
      _ = try arguments.connectToIndex().call(ClearCopy.self, ClearCopy.Parameters(watched: state != nil))
      return try output.result([:], localized("Cleared. Your machines can no longer paste from this one."))
    }
    // Nothing of a secret is read.
    let isSensitive = arguments[sensitive] || state == "sensitive"
    if isSensitive || arguments[type].map({ SecretHint.isSecret([$0]) }) == true {
      // Whoever pastes now means the secret.
      let secret = CopyContent.Parameters(
        type: "\(MediaType.text)",
        size: 0,
        team: nil,
        sensitive: true,
        watched: state != nil
      )
      _ = try? arguments.connectToIndex().upgrade(CopyContent.self, secret)
      throw CommandError(.notEligible, localized("Secrets aren't offered to other machines."))
    }
    if let name = arguments[type], MediaType(name) == nil {
      throw UsageError(localized("'--type' must be a media type, for example text/html."), hint: syntax.hint)
    }
    let content = try read(arguments.operand)
    guard content.count <= Limits.clipboardLength else {
      throw CommandError(
        .limitReached,
        localized("You can copy at most \(Limits.clipboardLength >> 20) MiB. Send it as a file with `baton send`.")
      )
    }
    guard !content.isEmpty || arguments[type] != nil else {
      // What watches the desktop says that nothing is copied there.
      if state != nil { _ = try arguments.connectToIndex().call(ClearCopy.self, ClearCopy.Parameters(watched: true)) }
      throw CommandError(.notEligible, localized("There's nothing to copy."))
    }
    let mediaType = arguments[type].flatMap(MediaType.init) ?? MediaType.guess(content)
    let isOffered = try copy(content, mediaType, isWatched: state != nil, arguments)
    if !isOffered {
      output.note(
        localized(
          """
          The daemon isn't offering this copy, so you can paste it only on this machine. To find out why, run \
          `baton doctor`.
          """
        )
      )
    }
    try output.result(
      ["type": .string(mediaType.description), "size": content.count.json, "offered": .bool(isOffered)],
      localized("Copied \(ByteCount.text(content.count)) of \(mediaType).")
    )
  }

  private static func read(_ operand: String?) throws -> [UInt8] {
    // As for other commands.
    let name = operand == "-" ? nil : operand
    let path = name.map { RawArguments.bytes(of: [$0])[0].map(CChar.init(truncatingIfNeeded:)) + [0] }
    let descriptor = path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? STDIN_FILENO
    defer { if name != nil, descriptor >= 0 { close(descriptor) } }
    guard descriptor >= 0 else {
      throw CommandError(.notFound, "\(Printable.text(name ?? "")): \(String(cString: strerror(errno))).")
    }
    do throws(SystemError) {
      return try Descriptor.readAll(descriptor, limit: Limits.clipboardLength + 1)
    } catch {
      let source = name.map { Printable.text($0) } ?? localized("standard input")
      throw CommandError(.failure, localized("Can't read \(source): \(String(cString: strerror(error.code)))."))
    }
  }

  /// - Returns: Whether the daemon offers it.
  private static func copy(
    _ content: [UInt8],
    _ type: MediaType,
    isWatched: Bool,
    _ arguments: ParsedArguments
  ) throws -> Bool {
    let parameters = CopyContent.Parameters(
      type: type.description,
      size: content.count,
      team: arguments[team],
      watched: isWatched
    )
    let descriptor = try arguments.connectToIndex().upgrade(CopyContent.self, parameters).descriptor
    defer { close(descriptor) }
    do throws(DocumentStreamError) {
      let stream = BlockingStream(descriptor, idleTime: Limits.controlReplyTime)
      try stream.write(content)
      stream.finish()
      let line = try stream.readLine()
      if let json = try? JSON(parsing: line, depth: 4), let outcome = CopyContent.Outcome(json: json) {
        return outcome.offered
      }
    } catch {}
    throw CommandError(
      .failure,
      localized("The agent didn't accept the content. Check `journalctl --user -u baton-agent`.")
    )
  }
}
