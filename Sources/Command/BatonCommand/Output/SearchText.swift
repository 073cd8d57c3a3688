// SPDX-License-Identifier: Apache-2.0

import Activity
import Localization
import Search

/// Describes the search index.
enum SearchText {
  /// `1204 entries, 3.4 MB, shared with Home`.
  static func summary(_ status: GetSearchStatus.Reply) -> String {
    let count = localized(status.entries, one: "\(status.entries) entry", other: "\(status.entries) entries")
    let foreign = status.foreign == 0 ? nil : localized("\(status.foreign) from other machines")
    let shared = status.teams.isEmpty ? nil : localized("\(status.shared) shared with \(teams(status))")
    return [count, size(status.size), foreign, shared].compactMap(\.self).joined(separator: ", ")
  }

  static func teams(_ status: GetSearchStatus.Reply) -> String {
    status.teams.map { Printable.text($0) }.joined(separator: localized(" and "))
  }

  /// `3.4 MB`
  static func size(_ bytes: Int) -> String {
    let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")]
    guard let (unit, name) = units.first(where: { bytes >= $0.0 }) else { return localized("\(bytes) bytes") }
    let tenths = bytes / (unit / 10)
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10) \(name)" : "\(tenths / 10) \(name)"
  }
}
