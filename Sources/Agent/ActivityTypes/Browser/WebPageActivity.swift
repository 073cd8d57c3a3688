// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The small state (`userInfo`) of a web page (ActivityTypes.md), and the state that does not fit into it.
package struct WebPageActivity: Equatable, Sendable {
  package let userInfo: JSON
  /// What the stream of the activity sends. Nil if `userInfo` has everything.
  package let streamed: [UInt8]?

  /// Puts as much as possible into the `userInfo`.
  package init(icon: String?, state: PageState) {
    var members: [String: JSON] = [:]
    members["icon"] = icon.map(JSON.string)
    let whole = JSON.object(members.merging(state.json.object ?? [:]) { first, _ in first })
    if (try? UserInfo(json: whole)) != nil {
      userInfo = whole
      streamed = nil
    } else {
      members["isStateInStream"] = true
      userInfo = .object(members)
      streamed = state.bytes
    }
  }

  /// Leaves the state to the stream, because it comes too late for the `userInfo`.
  ///
  /// - Parameter lateState: Nil until it is there, or if it does not come.
  package init(icon: String?, lateState: PageState?) {
    var members: [String: JSON] = ["isStateInStream": true]
    members["icon"] = icon.map(JSON.string)
    userInfo = .object(members)
    streamed = lateState?.bytes
  }

  /// Whether the state is to be fetched through the stream.
  package static func isStateInStream(_ userInfo: JSON?) -> Bool {
    userInfo?.object?["isStateInStream"]?.bool ?? false
  }
}
