// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import CommandLineOptions
import ControlInterface
import Hosts
import JSONCoding
import Localization
import VarlinkClient

/// Continues editing a text: finds the same file on this machine, and opens the user's editor at the line. Nothing here
/// is overwritten.
enum TextPositionTaker: ActivityTaker {
  static let type = OpenActivityType.textPosition

  static func take(_ continued: ContinuedActivity, _ arguments: ParsedArguments, _ output: Output) throws {
    let position = TextPosition(userInfo: continued.activity.userInfo ?? [:])
    let origin = OriginDocuments(continued, socket: arguments.socket)
    // Before anything is fetched.
    let editor = try TerminalEditor()
    var path = try find(position, origin, output)
    if position.isModified { path = try choose(path, position, origin, output) }
    guard let path else {
      // A directory or a manual that Emacs shows.
      guard position.view.isEmpty else { throw CommandError(.notFound, localized("Only Emacs can open this offer.")) }
      throw CommandError(.notFound, localized("The offer doesn't contain a file."))
    }
    if editor.style == nil, position.line > 1 { output.note(localized("Go to line \(position.line).")) }
    let isFetched = DocumentPlaces.current.arrived.contains(path)
    if editor.style == nil, isFetched {
      output.note(
        localized(
          "Baton doesn't know this editor. It may apply settings in the file, which comes from another machine."
        )
      )
    }
    let words = editor.commandLine(path: path, line: position.line, column: position.column, isFetched: isFetched)
    try UserShell.become(words)
  }

  /// Returns the path of the document here. Nil if it was never saved.
  private static func find(_ position: TextPosition, _ origin: OriginDocuments, _ output: Output) throws -> String? {
    guard let document = position.document else { return nil }
    guard let reference = DocumentReference(json: document) else {
      throw CommandError(.notFound, localized("The offer doesn't contain a file."))
    }
    switch origin.find(reference, output) {
    case .found(let path, let how):
      output.note("\(Printable.text(path)): \(Printable.text(how)).")
      return path
    case .ambiguous(let paths, let how):
      let answers = paths.map { Printable.text($0) }
      guard case .given(let index) = Question.choose("\(Printable.text(how)):", answers, output) else {
        throw CommandError(.failure, localized("Nothing was opened."))
      }
      return paths[index]
    case .fetchable(let how):
      let path: String
      do {
        path = try origin.fetch(.document, name: reference.name)
      } catch let error as CommandError {
        // The file was never saved, or is gone. Its text is there.
        if position.isModified { return nil }
        throw error
      }
      let (name, why) = (Printable.text(reference.name), Printable.text(how))
      output.note(localized("\(name): \(why), so it was fetched from \(origin.device) to \(Printable.text(path))."))
      return path
    case .notFound(let how):
      if position.isModified { return nil }
      throw CommandError(.notFound, localized("Can't open \(Printable.text(reference.name)): \(Printable.text(how))."))
    }
  }

  /// Fetches the text that was not saved, and lets the person choose between it and the file.
  private static func choose(
    _ path: String?,
    _ position: TextPosition,
    _ origin: OriginDocuments,
    _ output: Output
  ) throws -> String? {
    let name = position.document.flatMap { DocumentReference(json: $0)?.name } ?? localized("Unsaved text")
    let text: String
    do {
      text = try origin.fetch(.unsavedText, name: name)
    } catch let error as CommandError where path != nil {
      output.note(localized("Couldn't fetch the unsaved text. \(error.message)"))
      return path
    }
    guard let path else {
      output.note(localized("The text was never saved. It's now in \(Printable.text(text))."))
      return text
    }
    let difference = TextDifference.lines(path, text)
    if difference.isEmpty {
      output.note(localized("The unsaved text on \(origin.device) is the same as the file here."))
      return path
    }
    output.note(localized("The unsaved text from \(origin.device) is now in \(Printable.text(text)). The differences:"))
    for line in difference { output.note(line) }
    let question = localized("Edit this text? Otherwise, the file opens as it is here.")
    guard case .given(true) = Question.confirm(question, output) else { return path }
    return text
  }
}
