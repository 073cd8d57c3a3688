import JSONCoding
import Varlink

/// Returns what can be pasted, the newest first.
package enum ListCopies: Method {
  package static let name = "io.baton.Clipboard.List"
  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package let copies: [ControlCopy]

    package init(_ copies: [ControlCopy]) { self.copies = copies }
  }
}
