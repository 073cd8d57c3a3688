// SPDX-License-Identifier: Apache-2.0

import Activity

/// The apps that claim a page, and which of them the domains confirm.
///
/// Each claim is judged once, in order of preference. All claims share one budget of steps, because a domain may say a
/// lot about its pages. A claim that is not judged before the steps are used up is not confirmed.
package struct PageClaims: Sendable {
  private let claims: [(application: DesktopEntry, domain: String)]
  private var matching: LinkMatching
  private var answers: [String: [UInt8]] = [:]
  /// The parsed associations, by domain.
  private var associations: [String: Association] = [:]
  /// The number of claims judged so far.
  private var judged = 0
  private var confirmed: [DesktopEntry] = []
  /// The cost of reading an association, in steps per byte.
  private static let stepsPerByte = 64
  /// The domain whose association used up the steps.
  package private(set) var exhaustingDomain: String?

  /// - Parameter claims: The preferred one first, as ``ApplicationCatalog/applications(for:team:)`` returns them.
  package init(_ page: WebPage, _ claims: [(application: DesktopEntry, domain: String)], steps: Int = Limits.pageSteps)
  {
    self.claims = claims
    matching = LinkMatching(page, steps: steps)
  }

  /// The remaining steps.
  var steps: Int { matching.steps }

  /// The domains that must be asked.
  package var domains: Set<String> { Set(claims.map(\.domain)) }

  /// The apps confirmed so far, which may show the page, the preferred one first; empty if there are none. Nil while
  /// none is confirmed and there are claims left to judge.
  package var applications: [DesktopEntry]? { confirmed.isEmpty && judged < claims.count ? nil : confirmed }

  /// - Parameter file: The domain's association; nil if it has none.
  package mutating func answer(_ domain: String, _ file: [UInt8]?) {
    answers[domain] = file ?? []
    while judged < claims.count, let answer = answers[claims[judged].domain] { judge(answer) }
  }

  private mutating func judge(_ file: [UInt8]) {
    let (application, domain) = claims[judged]
    judged += 1  // Checked: below claims.count.
    guard exhaustingDomain == nil else { return }
    do throws(OutOfSteps) {
      if associations[domain] == nil {
        try matching.spend(file.count * Self.stepsPerByte)
        associations[domain] = Association(file)
      }
      if try associations[domain]?.confirms(application, &matching) == true { confirmed.append(application) }
    } catch {
      exhaustingDomain = domain
    }
  }
}
