// SPDX-License-Identifier: Apache-2.0

/// A message that is not a Varlink call or reply. It cannot be answered, so the connection is closed.
package enum MalformedMessage: Error, Equatable, Sendable {
  /// The message is not JSON in UTF-8, a key occurs twice, or the value is nested too deeply.
  case notJSON
  case notAnObject
  /// A member is missing, has a wrong type, or contradicts another one.
  case member(String)
  /// A member that Varlink does not have. sd-varlink also refuses those of vendors, although UAPI.20 says to ignore
  /// them.
  case unknownMember(String)
}
