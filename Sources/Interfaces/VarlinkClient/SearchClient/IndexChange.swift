// SPDX-License-Identifier: Apache-2.0

import Search

/// A change of the user's search index that an app asks for.
package enum IndexChange: Sendable {
  case index(IndexEntries.Parameters)
  case delete(DeleteEntries.Parameters)
  case setClientState(SetClientState.Parameters)
}
