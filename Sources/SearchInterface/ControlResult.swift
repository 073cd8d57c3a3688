import JSONCoding

/// The type `Result`: what a search found.
package struct ControlResult: Structure {
  package enum Kind: String, CaseIterable, Codable, Sendable {
    /// Of the index.
    case entry
    /// Another machine's current activity.
    case offer
  }

  package let id: String
  package let kind: Kind
  package var application: String?
  /// The app's name for people, if it is installed.
  package var applicationName: String?
  package var activityType: String?
  package let title: String
  package var snippet: String?
  /// Pairs of an offset and a length, in bytes.
  package var titleMatches: [Int] = []
  package var snippetMatches: [Int] = []
  package var webpageURL: String?
  /// The name of the machine, if it is another one.
  package var device: String?
  /// In seconds since 1970-01-01 00:00:00 UTC.
  package var lastUsed: Double?
  /// 0 to 1.
  package var relevance: Double

  package init(id: String, kind: Kind, title: String, relevance: Double) {
    self.id = id
    self.kind = kind
    self.title = title
    self.relevance = relevance
  }
}
