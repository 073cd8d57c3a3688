import JSONCoding
import Varlink

/// Keeps what an app wants to know about its progress in indexing.
package enum SetClientState: Method {
  package static let name = "io.baton.Search.SetClientState"

  package struct Parameters: Structure {
    package let application: String
    package let index: String?
    /// In base 64.
    package let clientState: String?

    package init(application: String, index: String? = nil, clientState: String?) {
      self.application = application
      self.index = index
      self.clientState = clientState
    }
  }

  package typealias Reply = Nothing
}
