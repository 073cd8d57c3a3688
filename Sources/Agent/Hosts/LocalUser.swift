// SPDX-License-Identifier: Apache-2.0

import Glibc

/// This machine and its user, for activities whose receivers connect back with ssh.
package enum LocalUser {
  package static var name: String? { getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } }

  package static var host: String? {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
  }
}
