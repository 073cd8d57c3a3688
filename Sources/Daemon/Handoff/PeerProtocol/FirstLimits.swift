// SPDX-License-Identifier: Apache-2.0

import Activity

/// How many bytes the two sides of a new stream may send at first (Protocol.md section 7).
package struct FirstLimits: Equatable, Sendable {
  /// How many this side may send.
  package let sending: UInt64
  /// How many the other side may send.
  package let receiving: UInt64

  /// For the side that opened the stream.
  ///
  /// - Parameter limit: What the other side has stated. Baton 0.1 states `Limits.streamWindow`, and sends as much
  ///   itself, whatever `open` says.
  package init(opened limit: UInt64) {
    sending = limit
    receiving = limit < Limits.streamWindow ? Limits.streamFirstWindow : Limits.streamWindow
  }

  /// For the side that accepts the stream.
  ///
  /// - Parameter limit: What the other side has stated.
  package init(accepting limit: UInt64) {
    sending = limit
    receiving = Limits.streamFirstWindow
  }
}
