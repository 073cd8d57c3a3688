// SPDX-License-Identifier: Apache-2.0

import Glibc

/// How far this machine's time is ahead of UTC, in seconds.
enum UTCOffset {
  static func at(_ date: Double) -> Double {
    var seconds = time_t(date)
    var parts = tm()
    localtime_r(&seconds, &parts)
    return Double(parts.tm_gmtoff)
  }
}
