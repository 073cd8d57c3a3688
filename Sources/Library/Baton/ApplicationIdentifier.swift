// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation

/// The name of this app for batond and the search index.
package enum ApplicationIdentifier {
  /// `CFBundleIdentifier` of the Info.plist next to the executable, or else the executable's name.
  package static let current: String = {
    let bundle = Bundle.main
    let name = bundle.bundleIdentifier ?? bundle.executableURL?.lastPathComponent ?? ProcessInfo.processInfo.processName
    return name.prefix(utf8Count: Limits.applicationNameLength)
  }()
}
