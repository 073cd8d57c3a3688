import JSONCoding
import Varlink

/// Returns the content of what was copied. Called with `upgrade`: then `size` bytes follow.
package enum PasteContent: Method {
  package static let name = "io.baton.Clipboard.Paste"
  package static let requiredMode: Call.Mode? = .upgrade

  package struct Parameters: Structure {
    /// Nil for the best type.
    package let type: String?
    /// Only what this machine offers: its name, or a prefix of its ID. Nil for the newest of all.
    package let device: String?

    package init(type: String?, device: String?) { (self.type, self.device) = (type, device) }
  }

  package struct Reply: Structure {
    package let copy: ControlCopy
    package let type: String
    @Coded<Count> package var size: Int
    /// In hexadecimal digits.
    package let sha256: String

    package init(copy: ControlCopy, type: String, size: Int, sha256: String) {
      self.copy = copy
      self.type = type
      self.size = size
      self.sha256 = sha256
    }
  }
}
