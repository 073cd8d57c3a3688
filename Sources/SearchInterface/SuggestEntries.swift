import JSONCoding
import Varlink

/// Returns what is likely to be next.
package enum SuggestEntries: Method {
  package static let name = "io.baton.Search.Suggest"

  package struct Parameters: Structure {
    @Coded<Count?> package var limit: Int?

    package init(limit: Int? = nil) { self.limit = limit }
  }

  package typealias Reply = FoundResults
}
