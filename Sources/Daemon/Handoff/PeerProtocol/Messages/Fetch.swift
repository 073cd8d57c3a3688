// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// Asks for the whole activity, to continue it.
package struct Fetch: MessageBody {
  package static var type: UInt8 { HandoffMessage.Number.fetch.rawValue }

  /// A number that the sender chooses and uses once per session.
  package var request: UInt64
  package var activity: ActivityID

  package init(request: UInt64, activity: ActivityID) {
    self.request = request
    self.activity = activity
  }
}
