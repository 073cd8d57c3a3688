import JSONCoding
import Varlink

/// Withdraws and forgets what was copied on this machine.
package enum ClearCopy: Method {
  package static let name = "io.baton.Clipboard.Clear"
  package typealias Parameters = Nothing
  package typealias Reply = Nothing
}
