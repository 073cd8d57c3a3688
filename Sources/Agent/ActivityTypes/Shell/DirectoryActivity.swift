// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The `userInfo` of `io.baton.directory` (ActivityTypes.md).
package struct DirectoryActivity: Structure {
  package var document: DocumentReference
  /// The host and the user to which ssh can connect.
  package var host: String?
  package var user: String?
  /// The last command. It is shown, never run.
  package var command: String?

  package init(document: DocumentReference, host: String? = nil, user: String? = nil, command: String? = nil) {
    self.document = document
    self.host = host
    self.user = user
    self.command = command
  }

  /// The `userInfo`, without what is least useful if it does not fit. Nil if even the path does not.
  package var userInfo: JSON? {
    var activity = self
    if json.bytes.count > Limits.userInfoLength { activity.command = nil }
    let rest = activity.json.bytes.count - document.json.bytes.count
    guard let document = document.fitted(in: Limits.userInfoLength - rest) else { return nil }
    activity.document = document
    return activity.json
  }

  /// The title in lists: the directory's name, or `~` for the home directory.
  package static func title(of directory: String, home: String?) -> String {
    if directory == home { return "~" }
    return PathComponents.last(directory) ?? "/"
  }
}
