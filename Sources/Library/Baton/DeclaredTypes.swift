// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation

/// The activity types that an app continues, according to the files that come with it.
enum DeclaredTypes {
  /// The types in the Info.plist next to the executable: `NSUserActivityTypes`, and
  /// `NSUbiquitousDocumentUserActivityType` of its document types.
  static var ofInfoDictionary: [String] {
    let dictionary = Bundle.main.infoDictionary ?? [:]
    return of(dictionary)
  }

  static func of(_ dictionary: [String: Any]) -> [String] {
    let types = dictionary["NSUserActivityTypes"] as? [String] ?? []
    return types + documentTypes(dictionary).compactMap { $0["NSUbiquitousDocumentUserActivityType"] as? String }
  }

  /// Returns the activity type of documents with this extension.
  static func ofDocument(_ pathExtension: String) -> String? {
    ofDocument(pathExtension, Bundle.main.infoDictionary ?? [:])
  }

  static func ofDocument(_ pathExtension: String, _ dictionary: [String: Any]) -> String? {
    documentTypes(dictionary).lazy.compactMap { type -> String? in
      let extensions = type["CFBundleTypeExtensions"] as? [String] ?? []
      guard extensions.contains(where: { $0 == "*" || $0.lowercased() == pathExtension.lowercased() }) else {
        return nil
      }
      return type["NSUbiquitousDocumentUserActivityType"] as? String
    }.first
  }

  private static func documentTypes(_ dictionary: [String: Any]) -> [[String: Any]] {
    dictionary["CFBundleDocumentTypes"] as? [[String: Any]] ?? []
  }

  /// The maximum number of bytes of a desktop entry that are read.
  private static let desktopEntryLength = 256 * 1024

  /// Returns `X-Baton-ActivityTypes` of a desktop entry: a list separated by semicolons, in the group `[Desktop
  /// Entry]`.
  static func ofDesktopEntry(_ text: String) -> [String] {
    var isEntry = false
    for line in text.splitScalars(where: VisibleText.endsLine) {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.starts(withBytesOf: "[") {
        isEntry = line == "[Desktop Entry]"
        continue
      }
      let parts = line.split(atScalar: "=", maxSplits: 1)
      guard isEntry, parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == "X-Baton-ActivityTypes" else {
        continue
      }
      return parts[1].split(atScalar: ";").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
    return []
  }

  /// The types in the entry `<program>.desktop`, next to the executable or in the directories of desktop entries.
  static var ofDesktopEntry: [String] {
    guard let executable = Bundle.main.executableURL else { return [] }
    let name = executable.lastPathComponent + ".desktop"
    let environment = ProcessInfo.processInfo.environment
    let home = environment["XDG_DATA_HOME"] ?? environment["HOME"].map { $0 + "/.local/share" }
    let shared = environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share"
    let directories = ([home].compactMap(\.self) + shared.split(atScalar: ":").map(String.init)).map {
      $0 + "/applications"
    }
    for directory in [executable.deletingLastPathComponent().path] + directories
    where directory.starts(withBytesOf: "/") {
      guard let handle = FileHandle(forReadingAtPath: directory + "/" + name) else { continue }
      defer { try? handle.close() }
      guard let data = try? handle.read(upToCount: desktopEntryLength) else { continue }
      return ofDesktopEntry(String(decoding: data, as: UTF8.self))
    }
    return []
  }
}
