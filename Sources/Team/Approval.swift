import Activity
import JSON

/// The file by which a device is admitted without a network between: Protocol.md section 8.
package struct Approval: Equatable, Sendable {
  private static let version: Int64 = 1
  /// Objects within one another: it is one.
  private static let depth = 4

  package let joined: Joined

  init(_ joined: Joined) { self.joined = joined }

  /// - Throws: `approvalInvalid` where the text is none, `versionMismatch` where it is of a later version.
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
    // Nobody was reached who could be dialled.
    members["device"] = nil
    return JSON.object(members).text + "\n"
  }
}
