// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import CommandLineOptions
import Desktop
import Hosts

/// Names and paths from elsewhere, by the bytes that reach tmux, shells, editors, git and the kernel. To `String`, a
/// sign can be one character with what is before or after it, so nothing here compares characters.
enum ForeignNameFuzzer: Fuzzer {
  static let seeds = [
    "\u{D4E}#(touch /tmp/x)", "-\u{301}d", "\u{301}evil.txt", "\u{200D}..", ".env.\u{301}", "a\r\nb", "=\u{FE0F}x",
    "/srv/\u{301}x/\u{D4E}~", "remote.origin.url\nhost:\u{301}x\0url.b:.insteadof\nhost:\0", "\u{1F1E9}#\u{1F1EA}",
    "/usr/bin/\u{301}app \"\u{D4E}\\\\\" %u", "a:\u{301}7", "#\u{20E3}{pid}", "~/\u{600}:/a",
  ].map { Array($0.utf8) }

  static let words = [
    "\u{D4E}", "\u{600}", "\u{301}", "\u{200D}", "\u{FE0F}", "\u{20E3}", "\u{1F1E9}", "#(", "#{", "..", "-", "/", ":",
    "~",
    ".tar.gz", ".env.", "_history", "\r\n", "\\", "'", "\0",
  ]

  static let length = 1024

  static func run(_ input: [UInt8]) throws {
    let text = String(decoding: input, as: UTF8.self)
    let bytes = Array(text.utf8)
    checkForTmux(text)
    checkForShells(text)
    checkForFiles(text)
    checkForGit(text)
    checkParts(text, bytes)
    if let line = try? ExecLine(text) {
      let words = line.commandLine(ExecLine.Fields(name: "n", path: "/p"))
      let program = words.first.map { Array($0.utf8) } ?? []
      hold(program.first == slash || !program.contains(slash), "\(words) starts a program of the directory")
      hold(!program.contains(UInt8(ascii: "=")), "\(words) sets a variable")
    }
  }

  private static let slash = UInt8(ascii: "/")

  private static func checkForTmux(_ text: String) {
    if let name = TerminalText.name(text).map({ Array($0.utf8) }) {
      hold(!name.contains { "#:.%\\\"'`;\r\n\0\u{1B}".utf8.contains($0) }, "tmux obeys \(text.debugDescription)")
      hold((1...256).contains(name.count) && !name.starts(with: "-".utf8), "\(text.debugDescription) is no name")
      hold(!"=$@!~+^{ ".utf8.contains(name[0]), "\(text.debugDescription) is a target")
    }
    if let layout = TerminalText.layout(text) {
      hold(!layout.utf8.contains { "#; ".utf8.contains($0) }, layout.debugDescription)
    }
    for run in TmuxSession.literally(text).utf8.split(whereSeparator: { $0 != UInt8(ascii: "#") }) {
      hold(run.count.isMultiple(of: 2), "tmux expands \(text.debugDescription)")
    }
  }

  private static func checkForShells(_ text: String) {
    // What a POSIX shell makes of the word.
    var (read, quote): ([UInt8], UInt8?) = ([], nil)
    var rest = SecureShell.quoted(text).utf8[...]
    while let byte = rest.popFirst() {
      switch (quote, byte) {
      case (nil, UInt8(ascii: "'")), (nil, UInt8(ascii: "\"")): quote = byte
      case (byte, _): quote = nil
      case (UInt8(ascii: "\""), UInt8(ascii: "\\")): if let next = rest.popFirst() { read.append(next) }
      default:
        hold(quote != nil, "The shell sees \(text.debugDescription)")
        read.append(byte)
      }
    }
    hold(quote == nil && read == Array(text.utf8), "The shell reads another word than \(text.debugDescription)")
    let syntax = CommandLineSyntax(
      command: "x",
      operand: .optional("X", limit: LengthLimit(bytes: length)),
      options: []
    )
    if let operand = (try? ParsedArguments([text], of: syntax))?.operand {
      hold(operand.utf8.first != UInt8(ascii: "-") || operand.utf8.count == 1, "\(text.debugDescription) is an option")
    }
  }

  private static func checkForFiles(_ text: String) {
    let name = Array(HandoffName(text).text(1).utf8)
    hold(!name.contains(slash) && !name.contains(0) && (1...255).contains(name.count), text.debugDescription)
    hold(!".- ".utf8.contains(name[0]), "\(text.debugDescription) is hidden or an option")
    let fetched = "/home/ada/Handoff/\(HandoffName(text).text(2))"
    hold(HandoffFolder("/home/ada/Handoff").contains(fetched), "\(text.debugDescription) is trusted")
    let operand = Array(EditorCommand.operand(text).utf8)
    hold(operand.starts(with: "/".utf8) || operand.starts(with: "./".utf8), text.debugDescription)
    hold(text.utf8.first != slash || operand == Array(text.utf8), "\(text.debugDescription) is another file")
    guard !text.utf8.contains(slash), !text.isEmpty else { return }
    hold(PrivateFiles.contains("/home/ada/.env.\(text)"), "\(text.debugDescription) is not private")
    hold(PrivateFiles.contains("/home/ada/.\(text)_history"), "\(text.debugDescription) is not private")
    hold(PrivateFiles.contains("/home/ada/\(text).gpg~"), "\(text.debugDescription) is not private")
    let title = EditorPosition(path: "/a/\(text)").activityTitle
    hold(title.utf8.elementsEqual(EditorPosition(path: "/\(text)").activityTitle.utf8), "It has another title")
  }

  private static func checkForGit(_ text: String) {
    guard !text.utf8.contains(0), !text.utf8.contains(0x0A) else { return }
    // git replaces bytes.
    let setting = "remote.origin.url\nhttps://a.example/\(text)\0url.https://b.example/.insteadof\nhttps://a.example/\0"
    let names = RemoteURLs.names(configuration: Array(setting.utf8))
    let direct = RepositoryName(url: "https://b.example/\(text)")
    if let direct { hold(names.contains(direct), "git fetches from \(direct.text), not from \(names.map(\.text))") }
  }

  private static func checkParts(_ text: String, _ bytes: [UInt8]) {
    for scalar: Unicode.Scalar in ["/", "#", ":", "\n"] {
      let parts = text.split(atScalar: scalar, omittingEmptySubsequences: false).map { Array($0.utf8) }
      same(parts, bytes.split(separator: UInt8(ascii: scalar), omittingEmptySubsequences: false).map(Array.init))
      same(text.containsBytes(of: String(scalar)), bytes.contains(UInt8(ascii: scalar)))
    }
    let lines = text.configurationLines.map { Array($0.utf8) }
    hold(!lines.joined().contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 }, "A line has two")
    for part in text.split(atScalar: ".") {
      hold(text.containsBytes(of: part), "A part is missing")
      hold(text.starts(withBytesOf: part) == bytes.starts(with: part.utf8), "It begins with something else")
      same(
        text.rest(afterBytesOf: part).map { Array($0.utf8) },
        text.starts(withBytesOf: part) ? Array(bytes.dropFirst(part.utf8.count)) : nil
      )
      same(
        text.start(beforeBytesOf: part).map { Array($0.utf8) },
        text.ends(withBytesOf: part) ? Array(bytes.dropLast(part.utf8.count)) : nil
      )
    }
  }
}
