import JSON
import Varlink

/// Begins a certification, and names it for the calls that follow.
enum Start: Method {
  static let name = "org.varlink.certification.Start"
  typealias Parameters = Nothing
  typealias Reply = Arguments
}
