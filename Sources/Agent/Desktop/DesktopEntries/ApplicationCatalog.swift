// SPDX-License-Identifier: Apache-2.0

import Activity

/// The installed apps that continue activities or show web pages.
package struct ApplicationCatalog: Equatable, Sendable {
  /// The maximum number of domains whose associations are requested, for all apps together.
  static let domains = 128
  /// The maximum number of domains that are asked about one page: those nearest to its host. Few pages have more than
  /// one.
  static let domainsPerPage = 8

  /// In order of preference: by directory, then by ID.
  package let applications: [DesktopEntry]
  /// The types that the apps take, sorted; at most `Limits.launcherTypes`.
  package let activityTypes: [String]
  /// The domains that the apps claim, sorted; at most `Self.domains`.
  package let domains: [String]
  /// The files and folders for which there is no room.
  package let leftOut: [LeftOut]

  /// Whether an app plays sound or films, with or without Baton's keys.
  package let hasPlayer: Bool

  /// - Parameter leftOut: What was left out while the files were read.
  package init(_ applications: [DesktopEntry] = [], leftOut: [LeftOut] = [], hasPlayer: Bool = false) {
    self.applications = applications
    self.hasPlayer = hasPlayer
    let types = Turns(applications.map(\.activityTypes), limit: Limits.launcherTypes)
    let domains = Turns(applications.map { $0.domains.map(\.domain) }, limit: Self.domains)
    activityTypes = types.taken.sorted()
    self.domains = domains.taken.sorted()
    self.leftOut =
      leftOut
      + [(types, Limits.launcherTypes, "activity types"), (domains, Self.domains, "domains")].compactMap {
        turns,
        limit,
        things in
        turns.firstLeftOut.map { LeftOut(path: applications[$0].path, limit: "there are more than \(limit) \(things)") }
      }
  }

  /// The IDs of the apps that claim each domain.
  package var claimants: [String: Set<String>] {
    var claimants = Dictionary(uniqueKeysWithValues: domains.map { ($0, Set<String>()) })
    for application in applications {
      for pattern in application.domains { claimants[pattern.domain]?.insert(application.id) }
    }
    return claimants
  }

  /// The apps that take an activity of this type and team (its ID as people see it), the preferred one first. Apps for
  /// this team alone come before those for all teams. Baton's own, which people did not choose, are last.
  ///
  /// - Parameter team: Nil for an activity of this machine.
  package func applications(for activityType: String, team: String?) -> [DesktopEntry] {
    let fitting = applications.filter { $0.activityTypes.contains(activityType) && $0.isFor(team) }
    func rank(_ entry: DesktopEntry) -> Int {
      entry.teamID != nil ? 0 : entry.id.starts(withBytesOf: "io.baton.") ? 2 : 1
    }
    return (0...2).flatMap { place in fitting.filter { rank($0) == place } }
  }

  /// The apps with this name, the preferred one first. An entry's ID says more than the name of its program.
  package func applications(called name: String) -> [DesktopEntry] {
    applications.filter { $0.id == name } + applications.filter { $0.id != name && $0.isCalled(name) }
  }

  /// The apps that claim the page's host, the preferred one first, each with the domain that must confirm it. Apps that
  /// cannot be given a URL are left out.
  package func applications(for page: WebPage, team: String?) -> [(application: DesktopEntry, domain: String)] {
    let claims = applications.filter { $0.isFor(team) && $0.takesURL }.flatMap { application in
      application.domains.filter { $0.covers(page.host) }.map { (application: application, domain: $0) }
    }
    // Of a host and the domains above it, the host comes first, then the closest domain.
    let domains = Set(claims.map(\.domain)).sorted { $0.isPreferred(to: $1) }.prefix(Self.domainsPerPage)
    return domains.flatMap { domain in
      claims.filter { $0.domain == domain }.map { ($0.application, domain.domain) }
    }
  }
}
