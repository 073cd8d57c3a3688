// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import BatonAgent
import EventLoop
import Glibc
import Localization

/// The editor that a user has chosen for the terminal: `$VISUAL`, or `$EDITOR`, or the system's.
struct TerminalEditor: Equatable {
  /// The program and its arguments, without the file.
  let arguments: [String]
  /// How to tell it the position. Nil if it is not known.
  let style: EditorCommand?

  /// The editors to look for if the user has chosen none. Debian's `editor` is a link to one.
  private static let usual = ["editor", "nano", "vim", "vi", "emacs"]

  /// - Throws: `CommandError` if there is no such program.
  init(_ environment: ProcessEnvironment = .current) throws {
    let names = ["VISUAL", "EDITOR"]
    guard
      let name = names.first(where: {
        environment[$0]?.unicodeScalars.contains { !$0.properties.isWhitespace } ?? false
      })
    else {
      guard let path = Self.usual.lazy.compactMap({ environment.program($0) }).first else {
        throw CommandError(.notFound, localized("No editor is installed. Install one, or set $VISUAL to yours."))
      }
      self.init(arguments: [path], path: path, environment)
      return
    }
    guard var words = ShellWords.split(environment[name] ?? "") else {
      throw CommandError(.usage, localized("$\(name) isn't a valid command: a quotation mark isn't closed."))
    }
    if !WrappedEditor.assignments(in: words).isEmpty { words.insert("env", at: 0) }
    guard let program = words.first, let path = Self.path(program, environment) else {
      let program = words.first ?? ""
      throw CommandError(.notFound, localized("Can't find the program \(Printable.text(program)) from $\(name)."))
    }
    self.init(arguments: [path] + words.dropFirst(), path: path, environment)
  }

  private init(arguments: [String], path: String, _ environment: ProcessEnvironment) {
    self.arguments = arguments
    let find = {
      Self.path($0, environment).flatMap { Self.style(ofProgram: $0, environment) } ?? EditorCommand(program: $0)
    }
    style = Self.style(ofProgram: path, environment) ?? WrappedEditor.style(in: arguments, find)
  }

  private static func style(ofProgram path: String, _ environment: ProcessEnvironment) -> EditorCommand? {
    let target = target(of: path).flatMap(EditorCommand.init(program:))
    // Other programs are called `vi`, too, but Vim obeys modelines, and has options against that.
    if target == .vim { return .vim }
    return EditorCommand(program: path) ?? target
      ?? script(path).flatMap { text in
        WrappedEditor.style(inScript: text) { word in
          Self.path(word, environment).flatMap(Self.target).flatMap(EditorCommand.init(program:))
            ?? EditorCommand(program: word)
        }
      }
  }

  /// The text of a shell's script. Nil if the program is something else.
  private static func script(_ path: String) -> String? {
    RegularFile(path, length: WrappedEditor.scriptLength).flatMap { String(validating: $0.bytes, as: UTF8.self) }
      .flatMap {
        WrappedEditor.isScript($0) ? $0 : nil
      }
  }

  /// A name is looked up in `PATH`. A path can be relative to the working directory.
  private static func path(_ program: String, _ environment: ProcessEnvironment) -> String? {
    guard program.unicodeScalars.contains("/") else { return environment.program(program) }
    return access(program, X_OK) == 0 ? program : nil
  }

  /// What a link such as /usr/bin/editor or /usr/bin/vi leads to.
  private static func target(of path: String) -> String? {
    guard let target = realpath(path, nil) else { return nil }
    defer { free(target) }
    return String(cString: target)
  }

  /// The command line that opens a file.
  ///
  /// - Parameter isFetched: Whether the file comes from another machine, so that its own settings must not be obeyed.
  func commandLine(path: String, line: Int, column: Int?, isFetched: Bool = false) -> [String] {
    // Everything after it is the name of a file, for another process that cannot be told where the file comes from.
    let isElsewhere = style == .vim && arguments.contains { $0.starts(withBytesOf: "--remote") }
    if isElsewhere, !isFetched { return arguments + [EditorCommand.operand(path)] }
    return (isElsewhere ? Array(arguments.prefix(1)) : arguments)
      + (style?.arguments(path: path, line: line, column: column ?? 1, isFetched: isFetched)
        ?? [EditorCommand.operand(path)])
  }
}
