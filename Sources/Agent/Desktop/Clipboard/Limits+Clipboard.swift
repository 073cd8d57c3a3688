// SPDX-License-Identifier: Apache-2.0

import Activity

extension Limits {
  /// How long what was copied is offered to other machines. A person pastes soon after copying, and forgets later what
  /// is still offered.
  package static let clipboardTime = Duration.seconds(120)
  /// The maximum length of what is copied, in bytes. It is kept in memory. A photo of a camera has 20 MB.
  package static let clipboardLength = 64 << 20
  /// The maximum number of media types of one copy, as the schema says.
  package static let clipboardTypes = 16
  /// The maximum number of names that a program gives to the types of one selection. Office programs have about 40.
  package static let selectionNames = 256
  /// The maximum length of a media type or such a name in bytes.
  package static let mediaTypeLength = 127
  /// How long a local program may take to give what it has copied.
  package static let selectionTime = Duration.seconds(10)
  /// How long a text is selected until every clipboard manager has taken it over. Some look once per second.
  package static let managerTime = Duration.seconds(2)
  /// How long the clipboard may have no owner until that counts as empty.
  package static let selectionGap = Duration.seconds(1)
}
