import Activity

/// The apps that claim a page, and which of them the domains confirm.
///
/// Each claim is judged once, in the order of preference, and all of them have one budget of steps: what domains say of
/// their pages may be long. A claim that is not judged when the steps are used up is not confirmed.
package struct PageClaims: Sendable {
  private let claims: [(application: DesktopEntry, domain: String)]
  private var matching: LinkMatching
  private var answers: [String: [UInt8]] = [:]
  /// What was read of them.
  private var associations: [String: Association] = [:]
  /// How many claims were judged.
  private var judged = 0
  private var confirmed: [DesktopEntry] = []
  /// What it costs to read an association.
  private static let stepsPerByte = 64
  /// The domain at whose word the steps were used up.
  package private(set) var exhaustingDomain: String?

  /// - Parameter claims: The preferred one first, as ``ApplicationCatalog/applications(for:team:)`` has them.
  package init(_ page: WebPage, _ claims: [(application: DesktopEntry, domain: String)], steps: Int = Limits.pageSteps)
  {
    self.claims = claims
    matching = LinkMatching(page, steps: steps)
  }

  /// Those that are left.
  var steps: Int { matching.steps }

  /// Those that are to be asked.
  package var domains: Set<String> { Set(claims.map(\.domain)) }

  /// The apps that may show the page, the preferred one first, and empty where there is none; nil while one that is
  /// preferred to all of them may still be confirmed.
  package var applications: [DesktopEntry]? { confirmed.isEmpty && judged < claims.count ? nil : confirmed }

  /// - Parameter file: Its association; nil where the domain has none.
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
