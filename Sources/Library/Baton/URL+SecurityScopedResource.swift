// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

// On Linux, a process may read what its user may read. There is no sandbox to extend.
extension URL {
  /// Begins using a file that arrived with an activity.
  ///
  /// - Returns: Whether this process can read the file now. False if the URL is not a file URL.
  public func startAccessingSecurityScopedResource() -> Bool { isFileURL && access(path, R_OK) == 0 }

  /// Ends what `startAccessingSecurityScopedResource()` began. Does nothing.
  public func stopAccessingSecurityScopedResource() {}
}

extension NSURL {
  /// See `URL.startAccessingSecurityScopedResource()`.
  public func startAccessingSecurityScopedResource() -> Bool { (self as URL).startAccessingSecurityScopedResource() }

  /// See `URL.stopAccessingSecurityScopedResource()`.
  public func stopAccessingSecurityScopedResource() {}
}
