import JSONCoding
import Search
import Varlink

/// Finds items of one app with an expression. With `more`, each reply has some of them.
package enum QueryItems: Method {
  package static let name = "io.baton.Search.Query"

  package struct Parameters: Structure {
    package let application: String
    package let index: String?
    package let expression: String

    package init(application: String, index: String? = nil, expression: String) {
      self.application = application
      self.index = index
      self.expression = expression
    }
  }

  package struct Reply: Structure {
    package let entries: [SavedEntry]

    package init(entries: [SavedEntry]) { self.entries = entries }
  }
}
