import Activity

/// Makes a catalogue of files, which come in the order of their precedence.
package struct CatalogBuilder: Sendable {
  private var applications: [DesktopEntry] = []
  private var known: Set<String> = []
  /// Bytes of the files so far.
  private var length = 0
  /// Bytes of those that have keys of Baton.
  private var applicationsLength = 0
  /// By the limit: of each the first.
  private var leftOut: [String: LeftOut] = [:]
  /// Why entries cannot be used: one sentence without its period for each, for people.
  package private(set) var complaints: [String] = []
  private let locales: [String]
  private static let mark = Array("X-Baton-".utf8)

  /// - Parameter locales: The user's; see ``MessageLocale``.
  package init(locales: [String] = []) { self.locales = locales }

  /// The desktop file ID without `.desktop` of a file below a directory `applications`: `kde/a.desktop` is `kde-a`. Nil
  /// where the file is no desktop entry.
  package static func id(of relativePath: String) -> String? {
    guard relativePath.hasSuffix(".desktop") else { return nil }
    let name = relativePath.dropLast(".desktop".count)
    return name.isEmpty || name.hasSuffix("/") ? nil : String(name.map { $0 == "/" ? "-" : $0 })
  }

  /// Whether an app may have this ID, which becomes part of a systemd unit's name, of the journal's entries and of a D-Bus
  /// name: letters, digits, `.`, `-` and `_` of ASCII (Desktop Entry Specification 1.5, "File naming"), at most as long as the
  /// name of a file.
  package static func isID(_ id: String) -> Bool {
    (1...255).contains(id.utf8.count)
      && id.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-._".utf8.contains(byte)
      }
  }

  /// Whether the file of this ID is to be read: none came before, and there is room.
  package mutating func claim(_ id: String, path: String) -> Bool {
    guard !known.contains(id) else { return false }
    guard known.count < Limits.desktopEntries else {
      leaveOut(path, "there are more than \(Limits.desktopEntries) desktop entries")
      return false
    }
    guard length < Limits.desktopEntriesLength else {
      leaveOut(path, "the desktop entries have more than \(Limits.desktopEntriesLength) bytes")
      return false
    }
    known.insert(id)
    return true
  }

  /// Notes that there was no room for a file or folder.
  package mutating func leaveOut(_ path: String, _ limit: String) {
    if leftOut[limit] == nil { leftOut[limit] = LeftOut(path: path, limit: limit) }
  }

  /// Adds the app of a claimed file, unless there is something wrong with it. Of files that have nothing to do with Baton
  /// nothing is said.
  package mutating func add(id: String, path: String, _ bytes: [UInt8]) {
    length += bytes.count  // Checked: no file has more than its limit, and there are so many.
    guard Self.mentionsBaton(bytes) else { return }
    applicationsLength += bytes.count  // Checked: as `length`.
    guard applicationsLength <= Limits.applicationsLength else {
      return leaveOut(path, "the desktop entries with keys of Baton have more than \(Limits.applicationsLength) bytes")
    }
    do throws(MalformedEntry) {
      guard Self.isID(id) else {
        throw MalformedEntry("Its name and folders have something other than letters, digits, '.', '-' and '_'")
      }
      if let entry = try DesktopEntry(id: id, path: path, DesktopFile(bytes, locales: locales)) {
        applications.append(entry)
      }
    } catch {
      guard complaints.count < Limits.desktopEntryComplaints else {
        return leaveOut(path, "more than \(Limits.desktopEntryComplaints) desktop entries cannot be used")
      }
      complaints.append("\(path): \(error.description)")
    }
  }

  private static func mentionsBaton(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while let begin = rest.firstIndex(of: mark[0]) {  // Checked: there are eight.
      rest = rest[begin...]
      if rest.starts(with: mark) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  package var catalog: ApplicationCatalog {
    ApplicationCatalog(applications, leftOut: leftOut.values.sorted { $0.limit < $1.limit })
  }
}
