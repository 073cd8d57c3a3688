// SPDX-License-Identifier: Apache-2.0

import Activity

/// The user's choice among several apps, from the `mimeapps.list` files (Association between MIME types and
/// applications 1.0.1). Activities are under `x-baton-activity/TYPE`, pages under `x-scheme-handler/https` and `http`,
/// and media under their types.
package struct ApplicationChoices: Equatable, Sendable {
  /// The maximum number of apps that a person may have chosen for one type.
  private static let applicationChoices = 64

  private static let activity = "x-baton-activity/"
  private static let page = "x-scheme-handler/"

  private enum Group: String {
    case defaults = "[Default Applications]"
    case added = "[Added Associations]"
    case removed = "[Removed Associations]"
  }

  /// The IDs of apps, the preferred one first, by key.
  private var defaults: [String: [String]] = [:]
  private var added: [String: [String]] = [:]
  private var removed: [String: Set<String>] = [:]

  package init() {}

  /// Adds the contents of a file that ranks below the files already added. It changes nothing that those say. Lines
  /// that do not belong in such a file are ignored.
  package mutating func add(_ bytes: [UInt8]) {
    var lists: [Group: [String: [String]]] = [:]
    var group: Group?
    for line in String(decoding: bytes, as: UTF8.self).utf8.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
      if line.first == UInt8(ascii: "[") {
        group = Group(rawValue: String(Substring(line)))
      } else if let group, let sign = line.firstIndex(of: UInt8(ascii: "=")) {
        let key = String(Substring(line[..<sign]))
        guard
          key.starts(withBytesOf: Self.activity) || key.starts(withBytesOf: Self.page) || DesktopEntry.isMediaType(key)
        else {
          continue
        }
        lists[group, default: [:]][key] = Self.ids(line[sign...].dropFirst())
      }
    }
    let before = removed
    for (key, ids) in lists[.removed] ?? [:] {
      let chosen = Set((defaults[key] ?? []) + (added[key] ?? []))  // Checked: both are lists.
      removed[key, default: []].formUnion(ids.filter { !chosen.contains($0) })
    }
    for (group, list) in [(Group.defaults, \Self.defaults), (.added, \.added)] {
      for (key, ids) in lists[group] ?? [:] {
        let ids = ids.filter { before[key]?.contains($0) != true }
        removed[key]?.subtract(ids)
        self[keyPath: list][key, default: []] += ids  // Checked: both are lists.
      }
    }
  }

  private static func ids(_ list: Substring.UTF8View) -> [String] {
    list.split(separator: UInt8(ascii: ";")).prefix(Self.applicationChoices).compactMap { id in
      Substring(id).start(beforeBytesOf: ".desktop").map(String.init)
    }
  }

  /// The apps that take activities of a type, in the order that the user wants.
  package func ordered(_ applications: [DesktopEntry], activityType: String) -> [DesktopEntry] {
    ordered(applications, Self.activity + activityType) { $0.id }
  }

  /// The apps that play media of a type, in the order that the user wants.
  package func ordered(_ applications: [DesktopEntry], mediaType: String) -> [DesktopEntry] {
    ordered(applications, mediaType) { $0.id }
  }

  /// The apps that claim a page, each with the domain that must confirm it, in the order that the user wants.
  package func ordered(
    _ claims: [(application: DesktopEntry, domain: String)],
    page: WebPage
  ) -> [(application: DesktopEntry, domain: String)] {
    let scheme = page.url.utf8.prefix { $0 != UInt8(ascii: ":") }
    return ordered(claims, Self.page + String(Substring(scheme))) { $0.application.id }
  }

  /// The defaults come first, then the added ones, then the others in their order. Removed ones are left out.
  private func ordered<T>(_ all: [T], _ key: String, id: (T) -> String) -> [T] {
    let chosen = (defaults[key] ?? []) + (added[key] ?? [])  // Checked: both are lists.
    let places = Dictionary(chosen.enumerated().map { ($1, $0) }) { first, _ in first }
    let kept = all.enumerated().filter { removed[key]?.contains(id($0.element)) != true }
    return kept.sorted {
      (places[id($0.element)] ?? chosen.count, $0.offset) < (places[id($1.element)] ?? chosen.count, $1.offset)
    }.map(\.element)
  }
}
