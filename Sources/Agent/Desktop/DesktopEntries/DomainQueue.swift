// SPDX-License-Identifier: Apache-2.0

/// Decides which domains are asked for their associations: several at the same time, only a few for each app, and the
/// one that has waited longest first. So neither silent domains nor new ones delay the others.
package struct DomainQueue: Sendable {
  /// The maximum number of domains that are asked at the same time. That many domains without an answer delay the
  /// others by at most `Limits.associationTime`.
  package static let associationRequests = 8
  /// The maximum number of one app's domains that are asked at the same time.
  package static let associationRequestsPerApplication = 2

  /// The IDs of the apps that claim each domain.
  private var claimants: [String: Set<String>] = [:]
  private var waiting: [String] = []
  package private(set) var asked: Set<String> = []

  package init() {}

  /// - Parameters:
  ///   - due: The domains that must be asked.
  ///   - claimants: The IDs of the apps that claim each domain.
  package mutating func update(due: [String], claimants: [String: Set<String>]) {
    self.claimants = claimants
    let wanted = Set(due)
    waiting.removeAll { !wanted.contains($0) }
    let known = asked.union(waiting)
    waiting += due.filter { !known.contains($0) }
  }

  /// Whether the domain is being asked or waits to be.
  package func contains(_ domain: String) -> Bool { asked.contains(domain) || waiting.contains(domain) }

  /// The next domain that must be asked now. It counts as asked until ``remove(_:)``.
  package mutating func next() -> String? {
    guard asked.count < Self.associationRequests else { return nil }
    var load: [String: Int] = [:]
    // Checked: no more than the domains that are being asked.
    for domain in asked { for application in claimants[domain] ?? [] { load[application, default: 0] += 1 } }
    let index = waiting.firstIndex { domain in
      (claimants[domain] ?? []).contains { load[$0, default: 0] < Self.associationRequestsPerApplication }
    }
    guard let index else { return nil }
    let domain = waiting.remove(at: index)
    asked.insert(domain)
    return domain
  }

  /// Removes a domain that has answered or is no longer asked.
  package mutating func remove(_ domain: String) {
    asked.remove(domain)
    waiting.removeAll { $0 == domain }
  }
}
