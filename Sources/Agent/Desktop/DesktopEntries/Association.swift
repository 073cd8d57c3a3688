// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// What a domain says about the apps that may show its pages: its `apple-app-site-association` file.
///
/// Apps are named `PREFIX.ID`. The prefix is the Team ID from the desktop entry's `X-Baton-TeamID`; if it has none, any
/// prefix will do. The ID is the desktop file ID without `.desktop`. Apps in `activitycontinuation` may show all pages;
/// apps in `applinks` may show the pages whose URLs it describes.
package struct Association: Sendable {
  /// The apps in `activitycontinuation.apps`.
  private let apps: ApplicationNames
  /// The elements of `applinks.details`.
  private let details: [LinkDetail]

  /// Nil if the file is not a JSON object. Malformed parts confirm nothing.
  package init?(_ bytes: [UInt8]) {
    guard let json = try? JSON(parsing: bytes, depth: 16), let root = json.object else { return nil }
    apps = ApplicationNames(Self.strings(root["activitycontinuation"]?.object?["apps"]))
    let links = root["applinks"]?.object ?? [:]
    let defaults = links["defaults"]?.object ?? [:]
    let variables = (links["substitutionVariables"]?.object ?? [:]).mapValues { LinkPattern.choice(Self.strings($0)) }
    // The oldest form is an object whose keys are the apps.
    let named = (links["details"]?.object ?? [:]).compactMap { app, detail in
      detail.object.map { LinkDetail(apps: ApplicationNames([app]), $0, defaults: defaults, variables: variables) }
    }
    let listed = (links["details"]?.array ?? []).compactMap(\.object).map { detail in
      let apps = Self.strings(detail["appIDs"]) + (detail["appID"]?.string.map { [$0] } ?? [])
      return LinkDetail(apps: ApplicationNames(apps), detail, defaults: defaults, variables: variables)
    }
    details = named + listed  // Checked: both are lists.
  }

  private static func strings(_ json: JSON?) -> [String] { json?.array?.compactMap(\.string) ?? [] }

  /// Whether the domain lets the app show the page.
  func confirms(_ application: DesktopEntry, _ matching: inout LinkMatching) throws(OutOfSteps) -> Bool {
    try matching.spend(LinkMatching.begin)
    if apps.contain(application) { return true }
    for detail in details {
      try matching.spend(LinkMatching.begin)
      guard detail.apps.contain(application) else { continue }
      if let isAllowed = try detail.allows(&matching) { return isAllowed }
    }
    return false
  }
}
