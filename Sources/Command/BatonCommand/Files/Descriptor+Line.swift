// SPDX-License-Identifier: Apache-2.0

import EventLoop

extension Descriptor {
  /// Reads the first line without its end, or everything if there is no line end. May consume more than the line.
  ///
  /// - Returns: At most one byte more than `limit`, if the line is longer, and whether the end of the line was read.
  static func readLine(_ descriptor: Int32, limit: Int) throws(SystemError) -> (text: String, isWhole: Bool) {
    var line: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: limit + 1)
    var isWhole = false
    while line.count <= limit, !isWhole {
      let count = try read(descriptor, into: &buffer)
      if count == 0 { break }
      let part = buffer[..<count].prefix { $0 != 0x0A }
      line += part
      isWhole = part.count < count
    }
    return (String(decoding: line.prefix(limit + 1), as: UTF8.self), isWhole)
  }
}
