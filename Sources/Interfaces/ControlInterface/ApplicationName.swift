// SPDX-License-Identifier: Apache-2.0

import Activity

/// The name of an app: its `CFBundleIdentifier`, or else the name of its executable.
package enum ApplicationName: BoundedText {
  package static let lengths = 1...Limits.applicationNameLength
}
