// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Systemd

extension Log {
  /// Writes a line if `limit` allows that, and before it how many lines were left out.
  ///
  /// - Parameters:
  ///   - leftOut: The message about those that were left out.
  ///   - source: The field that says who caused them.
  @Loop
  func info(
    _ message: String,
    _ fields: KeyValuePairs<String, String>,
    _ limit: inout LineLimit,
    leftOut: String,
    _ source: (field: String, value: String)
  ) {
    guard let count = limit.take(at: Loop.now) else { return }
    if count > 0 { info(leftOut, [source.field: source.value, "lines": "\(count)"]) }
    info(message, fields)
  }
}
