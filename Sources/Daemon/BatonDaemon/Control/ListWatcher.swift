// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop

/// A client that gets a list whenever it changes.
@Loop
protocol ListWatcher: AnyObject {
  var user: UserID { get }
  /// Whether the client has not yet read the previous list.
  var isBehind: Bool { get }
  /// Gives the client the newest list if it differs from the previous one.
  ///
  /// - Returns: How many entries this cost. The list itself counts as one.
  func update() -> Int
}
