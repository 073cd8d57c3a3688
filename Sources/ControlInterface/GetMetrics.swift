import JSONCoding
import Varlink

/// Returns the daemon's counters and state as text for Prometheus; see ``Exposition``.
package enum GetMetrics: Method {
  package static let name = "io.baton.Handoff.GetMetrics"
  package typealias Parameters = Nothing

  package struct Reply: Structure {
    package let text: String

    package init(text: String) { self.text = text }
  }
}
