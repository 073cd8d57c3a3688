// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Desktop
import EventLoop
import Search

/// Says how entries and offers look as results.
@Loop
struct ResultDescriber {
  private let installed: InstalledApplications

  init(_ installed: InstalledApplications) { self.installed = installed }

  func result(_ found: FoundEntry) -> ControlResult {
    var result = ControlResult(id: found.reference, kind: .entry, title: found.title, relevance: found.relevance)
    result.application = found.application
    result.applicationName = name(of: found.application)
    result.activityType = found.activityType
    result.titleMatches = found.titleMatches.flatMap { [$0.lowerBound, $0.count] }
    result.snippet = found.snippet?.text
    result.snippetMatches = found.snippet?.matches.flatMap { [$0.lowerBound, $0.count] } ?? []
    result.webpageURL = found.webpageURL
    result.device = found.deviceName ?? found.device.map { String($0.prefix(8)) }
    result.lastUsed = found.lastUsed
    return result
  }

  /// An offer is as relevant as an entry that is used at this moment.
  func result(_ offer: ControlOffer, _ wanted: SearchWords, _ now: Double) -> ControlResult {
    let title = offer.resultTitle
    let names = "\(offer.device)\n\(offer.activityType)"
    let candidate = Candidate(title: title, keywords: names, heat: Heat(usedAt: now))
    let relevance = Ranking.relevance(of: candidate, to: wanted, now: now)
    var result = ControlResult(id: offer.resultName, kind: .offer, title: title, relevance: relevance)
    result.titleMatches = wanted.matches(in: title).flatMap { [$0.lowerBound, $0.count] }
    result.activityType = offer.activityType
    result.applicationName = application(for: offer.activityType)?.name
    result.device = offer.device
    return result
  }

  private func application(for activityType: String) -> DesktopEntry? {
    installed.catalog.applications.first { $0.activityTypes.contains(activityType) }
  }

  /// The name of an app for people. Nil if it is not installed.
  func name(of application: String) -> String? { self.application(named: application)?.name }

  private func application(named name: String) -> DesktopEntry? {
    installed.catalog.applications.first { $0.isCalled(name) }
  }

  /// The name of a result's icon.
  func icon(of result: ControlResult) -> String {
    let entry =
      result.application.flatMap { self.application(named: $0) }
      ?? result.activityType.flatMap { application(for: $0) }
    return entry?.icon ?? (result.webpageURL == nil ? "document-open-recent" : "web-browser")
  }
}

extension ShownResult {
  /// What a search shows of an entry.
  init(_ stored: StoredEntry) {
    let activity = stored.entry.activity
    self.init(title: stored.entry.label, activityType: activity?.activityType, webpageURL: activity?.webpageURL)
  }
}

extension ControlOffer {
  var resultTitle: String { title ?? activityType }

  /// The name of the offer as a result.
  var resultName: String { "\(id.description)@\(deviceID.text)" }

  /// What a search looks at.
  var searchedText: String { [title, activityType, device].compactMap(\.self).joined(separator: "\n") }
}
