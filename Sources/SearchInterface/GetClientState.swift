import JSONCoding
import Varlink

/// Returns what an app keeps about its progress in indexing.
package enum GetClientState: Method {
  package static let name = "io.baton.Search.GetClientState"
  package typealias Parameters = ApplicationIndex

  package struct Reply: Structure {
    /// In base 64.
    package let clientState: String?
    /// Whether the app should index everything again.
    package let isNew: Bool

    package init(clientState: String?, isNew: Bool) {
      self.clientState = clientState
      self.isNew = isNew
    }
  }
}

/// One index of one app.
package struct ApplicationIndex: Structure {
  package let application: String
  /// Nil for the default one.
  package let index: String?

  package init(application: String, index: String? = nil) {
    self.application = application
    self.index = index
  }
}
