// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The file that admits a device without a network (Protocol.md section 8).
package struct Approval: Equatable, Sendable {
  private static let version: Int64 = 1
  /// The allowed depth of nesting. An approval is a single object.
  private static let depth = 4

  package let joined: Joined

  init(_ joined: Joined) { self.joined = joined }

  /// - Throws: `approvalInvalid` if the text is not an approval, `versionMismatch` if it has another version.
  package init(text: String) throws(Reason) {
    guard text.utf8.count <= Limits.enrolmentFileLength,
      let json = try? JSON(parsing: text.utf8, depth: Self.depth),
      let version = json.object?["version"]?.int64
    else { throw .approvalInvalid }
    guard version == Self.version else { throw .versionMismatch }
    guard let joined = Joined(json: json) else { throw .approvalInvalid }
    self.joined = joined
  }

  package var text: String {
    var members = joined.members
    members["version"] = .integer(Self.version)
    // There was no connection, so there is no device to dial later.
    members["device"] = nil
    return JSON.object(members).text + "\n"
  }
}
