import Foundation
import Glibc

/// Writes what happens: one JSON object in a line.
enum Report {
  static func write(_ callback: String, _ members: [String: Any?] = [:]) {
    var object = members.compactMapValues(\.self)
    object["callback"] = callback
    object["thread"] = Thread.isMainThread ? "main" : "background"
    object["time"] = ProcessInfo.processInfo.systemUptime
    guard let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys]) else {
      fatalError("\(callback) carries what is no JSON: \(object)")
    }
    // One write, so that lines of different threads do not mix.
    let line = Array(data) + [UInt8(ascii: "\n")]
    _ = Glibc.write(STDOUT_FILENO, line, line.count)
  }

  static func members(of error: any Error) -> [String: Any?] {
    let error = error as NSError
    return ["code": error.code, "domain": error.domain, "message": error.localizedDescription]
  }
}
