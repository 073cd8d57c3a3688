// SPDX-License-Identifier: Apache-2.0

/// An entry that a search found, or that is suggested.
package struct FoundEntry: Equatable, Sendable {
  /// For opening and deleting it.
  package var reference: String
  package var application: String
  /// Nil for an item.
  package var activityType: String?
  package var title: String
  package var titleMatches: [Range<Int>] = []
  package var snippet: Snippet?
  package var webpageURL: String?
  /// The machine that it is from, and the team over which it came. Nil for this machine.
  package var device: String?
  /// What that machine is called. Nil if it is not known.
  package var deviceName: String?
  package var team: String?
  /// Its name on that machine. It is the same in all teams.
  package var origin: String?
  /// In seconds since 1970. Nil if it was not used here.
  package var lastUsed: Double?
  /// 0 to 1.
  package var relevance: Double

  package init(
    reference: String,
    application: String,
    activityType: String?,
    title: String,
    webpageURL: String?,
    device: String?,
    deviceName: String?,
    team: String?,
    lastUsed: Double?,
    relevance: Double
  ) {
    self.reference = reference
    self.application = application
    self.activityType = activityType
    self.title = title
    self.webpageURL = webpageURL
    self.device = device
    self.deviceName = deviceName
    self.team = team
    self.lastUsed = lastUsed
    self.relevance = relevance
  }
}
