// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Descriptors 0, 1 and 2, which the caller may have closed.
package enum StandardDescriptors {
  /// Opens /dev/null for each of them that is closed. Otherwise, a socket could get its number, and then receive
  /// messages.
  ///
  /// `main` must call this first.
  package static func open() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // open(2) returns the lowest free number, which is this one. Without /dev, the number is at least in use.
      if Glibc.open("/dev/null", O_RDWR) < 0 { _ = Glibc.open("/", O_RDONLY) }
    }
  }
}
