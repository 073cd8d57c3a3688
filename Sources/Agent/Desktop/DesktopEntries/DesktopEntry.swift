// SPDX-License-Identifier: Apache-2.0

import Activity

/// An app as its desktop entry describes it: what is needed from the Desktop Entry Specification 1.5 to start it, and
/// the keys of Baton.
package struct DesktopEntry: Equatable, Sendable {
  /// The maximum number of types of media that count of one app. VLC plays 200.
  private static let applicationMediaTypes = 512
  /// The maximum number of domains that one app may claim, as Apple advises.
  package static let domainsPerApplication = 32

  /// The desktop file ID without `.desktop`: `org.example.Reader`.
  package let id: String
  /// The path of its file.
  package let path: String
  /// In the user's language if the file has it.
  package let name: String
  package let icon: String?
  /// Nil if the app is started over D-Bus only.
  package let exec: ExecLine?
  /// `DBusActivatable`: its name on the bus, which is its ID. Nil if it is not started over D-Bus.
  package let busName: String?
  /// A program without which the app does not count as installed. Nil if there is none.
  package let tryExec: String?
  package let workingDirectory: String?
  package let needsTerminal: Bool

  /// `MimeType`: the types of sound and films that it plays, without all others.
  package let mediaTypes: [String]
  /// `X-Baton-ActivityTypes`: the types that it continues.
  package let activityTypes: [String]
  /// `X-Baton-TeamID`, as people see it: the only team whose activities it continues. Nil if it continues those of all
  /// teams.
  package let teamID: String?
  /// `X-Baton-Domains`: the domains whose web pages it shows.
  package let domains: [DomainPattern]

  /// - Parameter needsKeys: Whether an app without any of Baton's keys is left out.
  /// - Returns: Nil if the app is hidden or left out.
  /// - Throws: `MalformedEntry`.
  package init?(id: String, path: String, _ file: DesktopFile, needsKeys: Bool = true) throws(MalformedEntry) {
    guard try !file.boolean("Hidden") else { return nil }
    let types = try file.list("X-Baton-ActivityTypes")
    let domains = try file.list("X-Baton-Domains")
    guard !needsKeys || !types.isEmpty || !domains.isEmpty else { return nil }
    guard try file.string("Type") == "Application" else { throw MalformedEntry("Type isn't Application") }
    guard let name = try file.translated("Name"), VisibleText.isVisible(name) else {
      throw MalformedEntry("Name is missing")
    }
    guard !VisibleText.hasControls(name) else { throw MalformedEntry("Name contains control characters") }
    busName = try file.boolean("DBusActivatable") && Self.isBusName(id) ? id : nil
    let exec = try file.string("Exec")
    guard exec != nil || busName != nil else {
      throw MalformedEntry(
        "Exec is missing, and D-Bus can't start it: DBusActivatable isn't true, or its name isn't a bus name"
      )
    }
    guard types.count <= Limits.applicationTypes, domains.count <= Self.domainsPerApplication else {
      throw MalformedEntry(
        "It has more than \(Limits.applicationTypes) types or \(Self.domainsPerApplication) domains"
      )
    }
    for type in types where !ActivityRecord.isType(type) {
      throw MalformedEntry("X-Baton-ActivityTypes contains \(type.debugDescription), which isn't an activity type")
    }
    self.id = id
    self.path = path
    self.name = name
    if let exec { self.exec = try ExecLine(exec) } else { self.exec = nil }
    icon = try file.translated("Icon")
    tryExec = try file.string("TryExec").flatMap { $0.isEmpty ? nil : $0 }
    workingDirectory = try file.string("Path").flatMap { $0.isEmpty ? nil : $0 }
    needsTerminal = try file.boolean("Terminal")
    // What other programs read must not keep an app from continuing activities.
    let mediaTypes = ((try? file.list("MimeType")) ?? []).filter(Self.isMediaType)
    self.mediaTypes = Array(mediaTypes.prefix(Self.applicationMediaTypes))
    activityTypes = types
    teamID = try file.string("X-Baton-TeamID").flatMap { $0.isEmpty ? nil : $0 }
    var patterns: [DomainPattern] = []
    for text in domains {
      guard let pattern = DomainPattern(text) else {
        throw MalformedEntry("X-Baton-Domains contains \(text.debugDescription), which isn't a public domain")
      }
      patterns.append(pattern)
    }
    self.domains = patterns
    if let teamID, teamID.utf8.count != 10 || !teamID.utf8.allSatisfy(Self.isTeamByte) {
      throw MalformedEntry("X-Baton-TeamID isn't a Team ID of 10 characters")
    }
  }

  private static func isTeamByte(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  /// Whether it is the type of a sound or a film.
  static func isMediaType(_ type: String) -> Bool {
    type.starts(withBytesOf: "audio/") || type.starts(withBytesOf: "video/") || type == "application/ogg"
  }

  /// Whether an ID is a valid bus name (D-Bus Specification, "Valid Names").
  private static func isBusName(_ id: String) -> Bool {
    let elements = id.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return elements.count > 1
      && elements.allSatisfy { $0.first.map { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false }
  }

  /// Whether the app can be given a URL. Every app that is started over D-Bus only can.
  package var takesURL: Bool { exec?.takesURL ?? true }

  /// Whether the app may continue activities of `team`, a Team ID as people see it. Nil for activities of this machine.
  package func isFor(_ team: String?) -> Bool { teamID == nil || teamID == team }

  /// Whether this is the app with a name that a program has given: the entry's ID, or the name of its program.
  package func isCalled(_ name: String) -> Bool { id == name || programName == name }

  /// The name of the program that the entry starts, without its folder.
  private var programName: String? {
    commandLine()?.first.flatMap { $0.split(atScalar: "/", omittingEmptySubsequences: false).last.map(String.init) }
  }

  /// The command line; nil if the entry has none.
  ///
  /// - Parameter targets: URLs.
  package func commandLine(targets: [String] = []) -> [String]? {
    exec?.commandLine(ExecLine.Fields(targets: targets, icon: icon, name: name, path: path))
  }
}
