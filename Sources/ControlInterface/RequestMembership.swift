import JSONCoding
import Varlink

/// Creates a request to join a team offline. The device's new key stays on this machine.
package enum RequestMembership: Method {
  package static let name = "io.baton.Handoff.RequestMembership"
  package typealias Parameters = Nothing

  package struct Reply: Structure {
    /// A PKCS #10 request in PEM.
    package let request: String

    package init(request: String) { self.request = request }
  }
}
