import JSONCoding
import Varlink

/// Lets the app that made a result continue it, or shows its page.
package enum OpenResult: Method {
  package static let name = "io.baton.Search.Open"

  package struct Parameters: Structure {
    package let result: String
    /// The token that lets a started app take the focus.
    package let activationToken: String?
    /// What the person was shown. If it is something else by now, nothing is opened.
    package let shown: ShownResult?

    package init(result: String, activationToken: String? = nil, shown: ShownResult? = nil) {
      self.result = result
      self.activationToken = activationToken
      self.shown = shown
    }
  }

  package typealias Reply = Nothing
}
