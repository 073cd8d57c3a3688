/// Why a desktop entry cannot be used: one sentence without its period, for people.
package struct MalformedEntry: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
