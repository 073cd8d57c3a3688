import JSON

/// One method of a Varlink interface: its name, what it takes and what it gives.
package protocol Method {
  /// With its interface: `org.varlink.service.GetInfo`.
  static var name: String { get }
  associatedtype Parameters: Structure
  associatedtype Reply: Structure
}
