// SPDX-License-Identifier: Apache-2.0

import Localization

/// Why the page in front of a browser is not offered, if that is for a reason that people do not expect.
package enum WithheldPage: String, CaseIterable, Sendable {
  /// Its host means another machine on each machine.
  case ofThisMachineOnly
  /// It could not be loaded.
  case failed
  /// Its address is longer than machines tell each other.
  case tooLong

  package var explanation: String {
    switch self {
    case .ofThisMachineOnly:
      localized("The current page isn't offered, because only this machine can open its address.")
    case .failed: localized("The current page isn't offered, because it couldn't be loaded.")
    case .tooLong: localized("The current page isn't offered, because its address is too long.")
    }
  }
}
