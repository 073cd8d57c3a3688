/// Something that happened without the person at this machine, or takes a while. Front ends tell it.
enum Notice: Equatable, Sendable {
  /// The list of what other machines offer is another one.
  case offersChanged
  /// A tab of another machine is being fetched.
  case continuing(TabKind)
  /// It is open, at the same place.
  case opened(TabKind)
  /// It could not be fetched, and why.
  case failed(String)
  /// So many of so many visits have come through the stream.
  case receiving(TabKind, visits: Int, of: Int)
  /// The history is whole.
  case received(TabKind, visits: Int)
  /// The history did not come, or not whole, and why.
  case interrupted(TabKind, String)
  /// No other machine is offered the tab, and why.
  case notOffered(TabKind, String)
  /// Another machine has continued the tab.
  case continuedElsewhere(TabKind)

  /// For the status line.
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
    case .continuedElsewhere(let kind): "Your \(kind) tab goes on at another machine"
    }
  }
}
