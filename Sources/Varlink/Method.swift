import JSON

/// One method of a Varlink interface: its name, what it takes and what it gives.
package protocol Method {
  /// With its interface: `org.varlink.service.GetInfo`.
  static var name: String { get }
  associatedtype Parameters: Structure
  associatedtype Reply: Structure
  /// `.more` or `.upgrade` where the method can be called in no other way; nil otherwise, which is what it is unless
  /// the method says so. A call in another mode is answered with `ExpectedMore` or `ExpectedUpgrade`.
  static var requiredMode: Call.Mode? { get }
}

extension Method {
  package static var requiredMode: Call.Mode? { nil }
}
