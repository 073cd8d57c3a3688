// SPDX-License-Identifier: Apache-2.0

/// Something that this machine's person did not cause, or that takes a while. Front ends report it.
enum Notice: Equatable, Sendable {
  /// The list of other machines' offers has changed.
  case offersChanged
  /// A tab of another machine is being fetched.
  case continuing(TabKind)
  /// The tab is open, at the same place.
  case opened(TabKind)
  /// The tab could not be fetched, and why.
  case failed(String)
  /// This many visits, out of the total, have arrived through the stream.
  case receiving(TabKind, visits: Int, of: Int)
  /// The history is complete.
  case received(TabKind, visits: Int)
  /// The history did not arrive, or not completely, and why.
  case interrupted(TabKind, String)
  /// The tab is not offered to any other machine, and why.
  case notOffered(TabKind, String)
  /// Another machine has continued the tab.
  case continuedElsewhere(TabKind)

  /// The text for the status line.
  var text: String? {
    switch self {
    case .offersChanged: nil
    case .continuing(let kind): "Fetching the \(kind) tab ..."
    case .opened(let kind): "Here is your \(kind) tab"
    case .failed(let reason): "Not continued: \(reason)"
    case .receiving(let kind, let visits, let total): "History of the \(kind) tab: \(visits) of \(total) pages"
    case .received(let kind, let visits): "History of the \(kind) tab: all \(visits) pages"
    case .interrupted(let kind, let reason): "The history of the \(kind) tab is missing: \(reason)"
    case .notOffered(let kind, let reason): "Your \(kind) tab is not offered: \(reason)"
    case .continuedElsewhere(let kind): "Your \(kind) tab was continued on another machine"
    }
  }
}
