// SPDX-License-Identifier: Apache-2.0

import JSONCoding

extension CopyContent {
  /// The line that follows the content.
  package struct Outcome: Structure {
    /// Whether the daemon offers it. If not, only this machine has it.
    package let offered: Bool

    package init(offered: Bool) { self.offered = offered }
  }
}
