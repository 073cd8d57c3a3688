// SPDX-License-Identifier: Apache-2.0

import Activity
import Localization
import Search

/// Describes what a search found.
enum ResultText {
  static func table(_ results: [ControlResult], isColoured: Bool, now: Double = Times.now) -> String {
    Table.text(
      results.map { result in
        [
          Printable.text(shortID(result)),
          title(result, isColoured: isColoured),
          Printable.text(place(of: result)),
          result.kind == .offer ? localized("offered now") : result.lastUsed.map { Times.relative($0, to: now) } ?? "",
        ]
      },
      head: [localized("ID"), localized("TITLE"), localized("WHERE"), localized("USED")]
    )
  }

  /// The number of an entry, and a prefix of the ID of an offer, which is long enough to distinguish it from others.
  private static func shortID(_ result: ControlResult) -> String {
    switch result.kind {
    case .entry: result.id.split(atScalar: ".").last.map(String.init) ?? result.id
    case .offer: String(result.id.prefix(8))
    }
  }

  private static func place(of result: ControlResult) -> String {
    let name = result.applicationName ?? result.application ?? result.activityType.map(ActivityTypeName.text) ?? ""
    return result.device.map { localized("\(name) on \($0)") } ?? name
  }

  /// The title with the words that were found emphasized.
  private static func title(_ result: ControlResult, isColoured: Bool) -> String {
    guard isColoured else { return Printable.text(result.title) }
    let bytes = Array(result.title.utf8)
    var text = ""
    var position = 0
    func append(_ range: Range<Int>, isStrong: Bool) {
      let part = Printable.text(String(decoding: bytes[range], as: UTF8.self))
      text += isStrong && !part.isEmpty ? Output.strong(part) : part
    }
    for index in stride(from: 0, to: result.titleMatches.count - 1, by: 2) {
      let (start, length) = (result.titleMatches[index], result.titleMatches[index + 1])
      // Checked: the range is in the title, after the one before.
      guard start >= position, length >= 0, start <= bytes.count, length <= bytes.count - start else { break }
      append(position..<start, isStrong: false)
      append(start..<start + length, isStrong: true)
      position = start + length
    }
    append(position..<bytes.count, isStrong: false)
    return text
  }
}
