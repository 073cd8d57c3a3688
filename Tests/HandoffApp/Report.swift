// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// Reports what happens, as one JSON object per line.
enum Report {
  /// Without the lock, long lines from different threads would mix.
  private static let lock = Mutex(())

  static func write(_ callback: String, _ members: [String: Any?] = [:]) {
    var object = members.compactMapValues(\.self)
    object["callback"] = callback
    object["thread"] = Thread.isMainThread ? "main" : "background"
    object["time"] = ProcessInfo.processInfo.systemUptime
    guard let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys]) else {
      fatalError("\(callback) carries what is no JSON: \(object)")
    }
    let line = Array(data) + [UInt8(ascii: "\n")]
    lock.withLock { _ in _ = Glibc.write(STDOUT_FILENO, line, line.count) }
  }

  static func members(of error: any Error) -> [String: Any?] {
    let error = error as NSError
    return ["code": error.code, "domain": error.domain, "message": error.localizedDescription]
  }
}
