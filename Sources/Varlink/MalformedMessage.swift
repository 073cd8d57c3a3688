/// A message that is no Varlink call or reply. It cannot be answered: the connection is closed.
package enum MalformedMessage: Error, Equatable, Sendable {
  /// Not JSON in UTF-8, a key occurs twice, or the value is nested too deeply.
  case notJSON
  case notAnObject
  /// A member is missing, of a wrong type, or contradicts another.
  case member(String)
  /// A member that Varlink does not have. sd-varlink refuses those of vendors too, which UAPI.20 would have ignored.
  case unknownMember(String)
}
