import JSONCoding
import Search
import Varlink

/// Saves entries of an app. All are saved, or none.
package enum IndexEntries: Method {
  package static let name = "io.baton.Search.Index"

  package struct Parameters: Structure {
    package let application: String
    /// Of items: the name of the app's index. Nil for the default one.
    package let index: String?
    package let entries: [SavedEntry]
    /// Identifiers of activities that the entries replace, too.
    package let replaces: [String]?

    package init(application: String, index: String? = nil, entries: [SavedEntry], replaces: [String]? = nil) {
      self.application = application
      self.index = index
      self.entries = entries
      self.replaces = replaces
    }
  }

  package typealias Reply = Nothing
}
