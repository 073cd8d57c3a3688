// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// The file that this program runs from.
enum OwnProgram {
  static func path() throws(SystemError) -> String {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { throw SystemError("/proc/self/exe") }
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }
}
