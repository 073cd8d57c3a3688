// SPDX-License-Identifier: Apache-2.0

import BatonAgent

/// The limits of the index in stories.
package enum Story {
  package static var limits: IndexLimits {
    var limits = IndexLimits()
    limits.entriesPerApplication = 20
    limits.entriesPerShard = 12
    limits.shardLength = 20_000
    return limits
  }
}
