// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Bytes that this process holds in memory. A sanitizer keeps freed memory for a while, so this asks the sanitizer what
/// is in use.
package func memoryInUse() throws -> Int {
  typealias Count = @convention(c) () -> Int
  if let allocated = dlsym(nil, "__sanitizer_get_current_allocated_bytes") {
    return unsafeBitCast(allocated, to: Count.self)()
  }
  guard let file = fopen("/proc/self/statm", "r") else { throw TestFailure("statm") }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  guard fgets(&line, Int32(line.count), file) != nil else { throw TestFailure("statm") }
  let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  let fields = text.split(separator: " ")
  guard fields.count > 1, let pages = Int(fields[1]) else { throw TestFailure("statm: \(text)") }
  return pages * Int(getpagesize())
}
