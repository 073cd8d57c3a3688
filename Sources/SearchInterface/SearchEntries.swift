import JSONCoding
import Varlink

/// Finds what contains all words. Without words, it suggests.
package enum SearchEntries: Method {
  package static let name = "io.baton.Search.Search"

  package struct Parameters: Structure {
    package let words: String
    @Coded<Count?> package var limit: Int?

    package init(words: String, limit: Int? = nil) {
      self.words = words
      self.limit = limit
    }
  }

  package typealias Reply = FoundResults
}

/// What a search found, the most relevant first.
package struct FoundResults: Structure {
  package let results: [ControlResult]

  package init(results: [ControlResult]) { self.results = results }
}
