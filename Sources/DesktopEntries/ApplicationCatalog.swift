import Activity

/// The installed apps that continue activities or show web pages.
package struct ApplicationCatalog: Equatable, Sendable {
  /// In the order in which they are preferred: that of the directories, then of their IDs.
  package let applications: [DesktopEntry]

  package init(_ applications: [DesktopEntry] = []) { self.applications = applications }

  /// The apps that take an activity of this type and team (its ID as people see it), the preferred one first: an app that is
  /// for this team alone comes before those that are for all.
  package func applications(for activityType: String, team: String) -> [DesktopEntry] {
    let fitting = applications.filter { $0.activityTypes.contains(activityType) && $0.isFor(team) }
    return fitting.filter { $0.teamID != nil } + fitting.filter { $0.teamID == nil }
  }

  /// The apps that claim the page's host, the preferred one first, and the domain that must confirm it. Apps that can be
  /// given no URL are left out.
  package func applications(for page: WebPage, team: String) -> [(application: DesktopEntry, domain: String)] {
    let claims = applications.filter { $0.isFor(team) && $0.exec.takesURL }.flatMap { application in
      application.domains.filter { $0.covers(page.host) }.map { (application: application, domain: $0) }
    }
    // Of a host and what is above it, the host counts first, then what is nearest.
    let domains = Set(claims.map(\.domain)).sorted { $0.isPreferred(to: $1) }.prefix(Limits.domainsPerPage)
    return domains.flatMap { domain in
      claims.filter { $0.domain == domain }.map { ($0.application, domain.domain) }
    }
  }

  /// What they take, sorted; at most `Limits.launcherTypes`.
  package var activityTypes: [String] {
    Array(Set(applications.flatMap(\.activityTypes)).sorted().prefix(Limits.launcherTypes))
  }

  /// What they claim, sorted; at most `Limits.domains`.
  package var domains: [String] {
    Array(Set(applications.flatMap { $0.domains.map(\.domain) }).sorted().prefix(Limits.domains))
  }
}

/// Makes a catalogue of files, which come in the order of their precedence.
package struct CatalogBuilder {
  private var applications: [DesktopEntry] = []
  private var known: Set<String> = []
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

  /// Whether the file of this ID counts: none came before.
  package mutating func claim(_ id: String) -> Bool {
    known.count < Limits.desktopEntries && known.insert(id).inserted
  }

  /// Adds the app of a claimed file. Of files that have nothing to do with Baton nothing is said.
  ///
  /// - Throws: `MalformedEntry`; the app is left out.
  package mutating func add(id: String, path: String, _ bytes: [UInt8]) throws(MalformedEntry) {
    guard Self.mentionsBaton(bytes) else { return }
    if let entry = try DesktopEntry(id: id, path: path, DesktopFile(bytes, locales: locales)) {
      applications.append(entry)
    }
  }

  private static func mentionsBaton(_ bytes: [UInt8]) -> Bool {
    bytes.count >= mark.count
      && bytes.indices.dropLast(mark.count - 1).contains { index in
        bytes[index] == mark[0] && bytes[index..<index + mark.count].elementsEqual(mark)
      }
  }

  package var catalog: ApplicationCatalog { ApplicationCatalog(applications) }
}
