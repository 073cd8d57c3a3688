// SPDX-License-Identifier: Apache-2.0

import Activity

/// Builds a catalogue from files, which are added in order of precedence.
package struct CatalogBuilder: Sendable {
  /// The maximum number of desktop entries that are read. A desktop with everything installed has some hundreds.
  static let desktopEntries = 4096
  /// The total size in bytes after which no more desktop entries are read. Those of a desktop with everything installed
  /// have 8 MB.
  static let desktopEntriesLength = 32 * 1024 * 1024
  /// The maximum total size of the desktop entries that have keys of Baton, in bytes. These are parsed, and the others
  /// only read.
  static let applicationsLength = 4 * 1024 * 1024
  /// The maximum number of unusable entries that the log names.
  static let desktopEntryComplaints = 32

  private var applications: [DesktopEntry] = []
  private var known: Set<String> = []
  /// The total size of the files so far, in bytes.
  private var length = 0
  /// The total size of the files with keys of Baton, in bytes.
  private var applicationsLength = 0
  /// The first file or folder that was left out, by limit.
  private var leftOut: [String: LeftOut] = [:]
  /// Why entries cannot be used: one sentence for each, for people, without its period.
  package private(set) var complaints: [String] = []
  private let locales: [String]
  /// The name of the only app that is wanted.
  private let wanted: String?
  /// The type of media that the wanted apps play.
  private let mediaType: String?
  private static let mark = "X-Baton-"
  /// Whether some app plays sound or films. Nearly all that do say that they play this.
  private var hasPlayer = false
  private static let usualMediaType = "audio/mpeg"

  /// - Parameters:
  ///   - locales: The user's locales; see ``MessageLocale``.
  ///   - wanted: The name of the only app that is wanted, with or without Baton's keys; see
  ///     ``DesktopEntry/isCalled(_:)``. Nil for all apps with these keys.
  ///   - mediaType: Only the apps that play this type are wanted, with or without Baton's keys.
  package init(locales: [String] = [], wanted: String? = nil, mediaType: String? = nil) {
    self.locales = locales
    self.wanted = wanted
    self.mediaType = mediaType
  }

  /// The desktop file ID, without `.desktop`, of a file below a directory `applications`: `kde/a.desktop` is `kde-a`.
  /// Nil if the file is not a desktop entry.
  package static func id(of relativePath: String) -> String? {
    guard let name = relativePath.start(beforeBytesOf: ".desktop"), !name.isEmpty, !name.ends(withBytesOf: "/") else {
      return nil
    }
    return name.split(atScalar: "/", omittingEmptySubsequences: false).joined(separator: "-")
  }

  /// Whether an app may have this ID, which becomes part of a systemd unit's name, of journal entries and of a D-Bus
  /// name. It consists of ASCII letters, digits, `.`, `-` and `_` (Desktop Entry Specification 1.5, "File naming"), and
  /// is at most as long as the name of a file.
  package static func isID(_ id: String) -> Bool {
    (1...255).contains(id.utf8.count)
      && id.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-._".utf8.contains(byte)
      }
  }

  /// Returns whether the file with this ID must be read: none came before it, and there is room.
  package mutating func claim(_ id: String, path: String) -> Bool {
    guard !known.contains(id) else { return false }
    guard known.count < Self.desktopEntries else {
      leaveOut(path, "there are more than \(Self.desktopEntries) desktop entries")
      return false
    }
    guard length < Self.desktopEntriesLength else {
      leaveOut(path, "the desktop entries are larger than \(Self.desktopEntriesLength) bytes in total")
      return false
    }
    known.insert(id)
    return true
  }

  /// Notes that there was no room for a file or folder.
  package mutating func leaveOut(_ path: String, _ limit: String) {
    if leftOut[limit] == nil { leftOut[limit] = LeftOut(path: path, limit: limit) }
  }

  /// Adds the app of a claimed file, unless the file is malformed. Nothing is reported about files that have nothing to
  /// do with Baton.
  package mutating func add(id: String, path: String, _ bytes: [UInt8]) {
    length += bytes.count  // Checked: no file exceeds its limit, and the number of files is limited.
    if !hasPlayer { hasPlayer = Self.mentions(Self.usualMediaType, bytes) }
    guard wanted == id || Self.mentions(wanted ?? mediaType ?? Self.mark, bytes) else { return }
    applicationsLength += bytes.count  // Checked: like `length`.
    guard applicationsLength <= Self.applicationsLength else {
      return leaveOut(
        path,
        "the desktop entries with Baton's keys are larger than \(Self.applicationsLength) bytes in total"
      )
    }
    do throws(MalformedEntry) {
      guard Self.isID(id) else {
        throw MalformedEntry("Its name and folders may contain only letters, digits, '.', '-' and '_'")
      }
      let file = try DesktopFile(bytes, locales: locales)
      if let entry = try DesktopEntry(id: id, path: path, file, needsKeys: wanted == nil && mediaType == nil),
        wanted.map(entry.isCalled) ?? true, mediaType.map(entry.mediaTypes.contains) ?? true
      {
        applications.append(entry)
      }
    } catch {
      guard complaints.count < Self.desktopEntryComplaints else {
        return leaveOut(path, "more than \(Self.desktopEntryComplaints) desktop entries are invalid")
      }
      complaints.append("\(path): \(error.description)")
    }
  }

  private static func mentions(_ text: String, _ bytes: [UInt8]) -> Bool {
    guard let first = text.utf8.first else { return false }
    var rest = bytes[...]
    while let begin = rest.firstIndex(of: first) {
      rest = rest[begin...]
      if rest.starts(with: text.utf8) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  package var catalog: ApplicationCatalog {
    ApplicationCatalog(applications, leftOut: leftOut.values.sorted { $0.limit < $1.limit }, hasPlayer: hasPlayer)
  }
}
