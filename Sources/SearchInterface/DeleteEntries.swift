import JSONCoding
import Varlink

/// Deletes entries of an app.
package enum DeleteEntries: Method {
  package static let name = "io.baton.Search.Delete"

  package struct Parameters: Structure {
    package let application: String
    package var index: String?
    package var identifiers: [String]?
    package var domainIdentifiers: [String]?
    package var persistentIdentifiers: [String]?
    package var allItems: Bool?
    package var allActivities: Bool?

    package init(application: String) { self.application = application }
  }

  package typealias Reply = Deleted
}

/// How many entries were deleted.
package struct Deleted: Structure {
  @Coded<Count> package var deleted: Int

  package init(deleted: Int) { self.deleted = deleted }
}
