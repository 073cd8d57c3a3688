// SPDX-License-Identifier: Apache-2.0

/// What the clipboard's helper says (ClipboardHelper.md).
package enum HelperEvent: Equatable, Sendable {
  /// It sees the selection.
  case ready
  /// There is no desktop, or none that lets it see the selection.
  case unavailable
  /// Another program has taken the selection, with the names of its types.
  case selected(Int, names: [String])
  /// There is no selection.
  case unselected(Int)
  /// A local program wants what the agent offers.
  case wanted(request: Int, name: String)
  /// What the agent asked for; nil if it cannot be had.
  case content(request: Int, [UInt8]?)
}
