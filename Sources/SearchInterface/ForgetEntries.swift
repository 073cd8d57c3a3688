import JSONCoding
import Varlink

/// Deletes what matches all members that are given; nothing if none is.
package enum ForgetEntries: Method {
  package static let name = "io.baton.Search.Forget"

  package struct Parameters: Structure {
    package var result: String?
    package var application: String?
    /// In seconds since 1970-01-01 00:00:00 UTC.
    package var since: Double?
    package var until: Double?
    package var all: Bool?

    package init() {}
  }

  package typealias Reply = Deleted
}
