// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Hosts
import Localization

/// What `diff` says about two files.
enum TextDifference {
  private static let mostLines = 200
  /// In bytes. Of a longer difference, the beginning is shown.
  private static let length = 256 * 1024
  private static let time = Duration.seconds(10)

  /// The lines to show, without anything that a terminal obeys. Empty if the files are the same.
  static func lines(_ path: String, _ other: String) -> [String] {
    let environment = ProcessEnvironment.current
    let options = ChildProgram.Options(environment: environment.list)
    guard let program = environment.program("diff"),
      let result = try? BlockingProgram.run(
        [program, "-u", "--", path, other],
        options,
        withErrors: true,
        limit: length,
        time: time
      )
    else { return [localized("Can't compare them: diff isn't installed.")] }
    // What diff has not found in time may be there.
    guard result.status != nil || !result.output.isEmpty else { return [localized("They're too long to compare.")] }
    // A tab would not be harmless for `Printable`.
    let text = String(decoding: result.output, as: UTF8.self).split(atScalar: "\t", omittingEmptySubsequences: false)
    let lines = text.joined(separator: "    ").split(atScalar: "\n", omittingEmptySubsequences: false).dropLast()
    return shown(lines.map { Printable.text($0) })
  }

  static func shown(_ lines: [String]) -> [String] {
    guard lines.count > mostLines else { return lines }
    return lines.prefix(mostLines) + [localized("… and \(lines.count - mostLines) more lines")]
  }
}
