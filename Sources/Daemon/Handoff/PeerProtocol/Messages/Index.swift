// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// A message about the search index from a user's agent to the agent on another machine (SearchIndex.md). Daemons
/// pass it on without reading it, or ignore it if they don't recognize it.
package struct Index: MessageBody {
  package static var type: UInt8 { 73 }

  /// An object of at most `Limits.indexMessageLength` bytes.
  @Coded<IndexMessage> package var message: JSON

  package init(message: JSON) { self.message = message }
}
